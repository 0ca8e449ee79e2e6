// Makes a GIF away from the page: pictures go in one by one, each is answered, the last answer is the file.
import { GifWriter, indexed, paletteOf, type Palette } from './gif'

export type Order =
  | { readonly kind: 'start'; readonly width: number; readonly height: number; readonly samples: Uint8ClampedArray[] }
  | { readonly kind: 'frame'; readonly rgba: Uint8ClampedArray; readonly delay_ms: number }
  | { readonly kind: 'finish' }

/** The file; null for every other order. */
export type Answer = Uint8Array<ArrayBuffer> | null

let making: { writer: GifWriter; palette: Palette } | null = null

function obey(order: Order): Answer {
  if (order.kind === 'start') {
    const palette = paletteOf(order.samples)
    making = { palette, writer: new GifWriter(order.width, order.height, palette) }
    return null
  }
  if (order.kind === 'finish') return making?.writer.finish() ?? null
  making?.writer.frame(indexed(order.rgba, making.palette), order.delay_ms)
  return null
}

addEventListener('message', ({ data }: MessageEvent<Order>) => postMessage(obey(data)))
