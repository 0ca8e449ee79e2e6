// A game as an animated GIF: the page draws its positions one by one, a worker compresses them meanwhile.
import { drawn } from './picture'
import type { Answer, Order } from './gif_worker'

const GIF_WIDTH = 484
const MOVE_MS = 800
const END_MS = 5_000
/** Positions whose colours make the palette. */
const MAX_SAMPLES = 5

async function pixelsOf(svg: string) {
  const canvas = await drawn(svg, GIF_WIDTH)
  const { width, height } = canvas
  return canvas.getContext('2d')!.getImageData(0, 0, width, height)
}

/** One order at a time; a fault of the worker is one of the order. */
function worker() {
  const process = new Worker(new URL('./gif_worker.ts', import.meta.url), { type: 'module' })
  const obey = (order: Order): Promise<Answer> =>
    new Promise((resolve, reject) => {
      process.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data)
      process.onerror = () => reject(new Error('the worker failed'))
      process.postMessage(order)
    })
  return { obey, stop: () => process.terminate() }
}

/**
 * `svgAt`: the position after so many moves, of `count` positions. `told`: how many are drawn. Throws when `signal`
 * says so.
 */
export async function animate(
  count: number,
  svgAt: (ply: number) => string,
  told: (done: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const { obey, stop } = worker()
  try {
    const samples = []
    for (let i = 0; i < Math.min(MAX_SAMPLES, count); ++i) {
      samples.push(await pixelsOf(svgAt(Math.round((i * (count - 1)) / Math.max(1, Math.min(MAX_SAMPLES, count) - 1)))))
    }
    const { width, height } = samples[0]!
    let before = obey({ kind: 'start', width, height, samples: samples.map(({ data }) => data) })
    for (let ply = 0; ply < count; ++ply) {
      signal.throwIfAborted()
      const { data } = await pixelsOf(svgAt(ply))
      await before
      before = obey({ kind: 'frame', rgba: data, delay_ms: ply === count - 1 ? END_MS : MOVE_MS })
      told(ply + 1)
    }
    await before
    const bytes = await obey({ kind: 'finish' })
    if (!bytes) throw new Error('there is no GIF')
    return new Blob([bytes], { type: 'image/gif' })
  } finally {
    stop()
  }
}
