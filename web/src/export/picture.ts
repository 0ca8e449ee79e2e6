// Pictures of positions as files: SVG as it is drawn, PNG by the browser.
import { HEIGHT, WIDTH } from './diagram'

/** An SVG of ours on a canvas of that width. A data: address, since the content policy allows no other for pictures. */
export async function drawn(svg: string, width: number): Promise<HTMLCanvasElement> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = Math.round((width * HEIGHT) / WIDTH)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('there is no canvas')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

export async function pngOf(svg: string): Promise<Blob> {
  const canvas = await drawn(svg, WIDTH)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('there is no PNG'))), 'image/png'),
  )
}

export const svgBlob = (svg: string): Blob => new Blob([svg], { type: 'image/svg+xml' })

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
