import { describe, expect, it } from 'vitest'
import { GifWriter, indexed, paletteOf } from './gif'

interface Frame {
  left: number
  top: number
  width: number
  height: number
  delay: number
  pixels: number[]
}

/** Codes of a frame back into pixels, by the rules of the format and not by ours. */
function expand(data: number[], bits: number): number[] {
  const clear = 1 << bits
  let [width, held, count, at] = [bits + 1, 0, 0, 0]
  let entries: number[][] = []
  let before: number[] | null = null
  const pixels: number[] = []
  const reset = () => {
    entries = Array.from({ length: clear + 2 }, (_, i) => [i])
    width = bits + 1
    before = null
  }
  for (;;) {
    while (count < width) {
      if (at >= data.length) throw new Error('the data ends before its end code')
      held |= data[at++]! << count
      count += 8
    }
    const code: number = held & ((1 << width) - 1)
    held >>>= width
    count -= width
    if (code === clear) reset()
    else if (code === clear + 1) return pixels
    else {
      const prior: number[] | null = before
      if (code > entries.length || (code === entries.length && !prior)) throw new Error(`code ${code} is not known`)
      const entry: number[] = entries[code] ?? [...prior!, prior![0]!]
      if (prior && entries.length < 4096) entries.push([...prior, entry[0]!])
      for (const pixel of entry) pixels.push(pixel)
      if (entries.length === 1 << width && width < 12) ++width
      before = entry
    }
  }
}

function decode(bytes: Uint8Array) {
  let at = 0
  const byte = () => bytes[at++]!
  const word = () => byte() | (byte() << 8)
  const blocks = () => {
    const data: number[] = []
    for (let length = byte(); length > 0; length = byte()) for (let i = 0; i < length; ++i) data.push(byte())
    return data
  }
  expect(String.fromCharCode(...Array.from({ length: 6 }, byte))).toBe('GIF89a')
  const [width, height] = [word(), word()]
  const flags = byte()
  at += 2
  const colors = Array.from({ length: 3 * 2 ** ((flags & 7) + 1) }, byte)
  const frames: Frame[] = []
  let delay = 0
  let loops = false
  for (let kind = byte(); kind !== 0x3b; kind = byte()) {
    if (kind === 0x21) {
      const label = byte()
      const data = blocks()
      if (label === 0xf9) delay = data[1]! | (data[2]! << 8)
      else loops = String.fromCharCode(...data.slice(0, 11)) === 'NETSCAPE2.0'
    } else {
      expect(kind).toBe(0x2c)
      const [left, top, w, h] = [word(), word(), word(), word()]
      expect(byte()).toBe(0)
      const bits = byte()
      frames.push({ left, top, width: w, height: h, delay, pixels: expand(blocks(), bits) })
    }
  }
  expect(at).toBe(bytes.length)
  return { width, height, colors, frames, loops }
}

/** Each frame laid over those before it. */
function play({ width, height, frames }: ReturnType<typeof decode>): number[][] {
  const screen = new Array<number>(width * height).fill(-1)
  return frames.map((frame) => {
    expect(frame.pixels).toHaveLength(frame.width * frame.height)
    frame.pixels.forEach((pixel, i) => {
      if (pixel === 255) return
      screen[(frame.top + Math.floor(i / frame.width)) * width + frame.left + (i % frame.width)] = pixel
    })
    return screen.slice()
  })
}

const rgba = (colors: [number, number, number][]) => new Uint8ClampedArray(colors.flatMap((color) => [...color, 255]))
let seed = 1
const random = (below: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}

describe('a GIF', () => {
  const palette = paletteOf([
    rgba([
      [255, 0, 0],
      [255, 0, 0],
      [0, 0, 255],
    ]),
  ])
  it('holds the frames that went in', () => {
    const [width, height] = [90, 70]
    const noise = Uint8Array.from({ length: width * height }, () => random(250))
    const flat = new Uint8Array(width * height).fill(3)
    const dotted = flat.slice()
    dotted[5 * width + 7] = 9
    dotted[6 * width + 11] = 8
    const stripes = Uint8Array.from({ length: width * height }, (_, i) => (i % 17 < 9 ? 1 : random(3)))
    const frames = [noise, flat, dotted, dotted, stripes, noise]
    const writer = new GifWriter(width, height, palette)
    frames.forEach((frame, i) => writer.frame(frame, 100 * (i + 1)))
    const read = decode(writer.finish())
    expect([read.width, read.height, read.loops]).toEqual([width, height, true])
    expect(read.frames.map(({ delay }) => delay)).toEqual([10, 20, 30, 40, 50, 60])
    play(read).forEach((screen, i) => expect(screen).toEqual([...frames[i]!]))
    expect(read.frames[2]).toMatchObject({ left: 7, top: 5, width: 5, height: 2 })
    expect(read.frames[3]).toMatchObject({ width: 1, height: 1 })
  })
  it('is right at every length at which codes become wider, and where the table is full', () => {
    for (const length of [1, 2, 3, 255, 256, 257, 258, 511, 512, 513, 1_025, 3_838, 3_839, 3_840, 3_841, 9_000]) {
      const pixels = Uint8Array.from({ length }, (_, i) => (i * i + (i >> 3)) % 251)
      const writer = new GifWriter(length, 1, palette)
      writer.frame(pixels, 10)
      expect(decode(writer.finish()).frames[0]!.pixels, String(length)).toEqual([...pixels])
    }
  })
})

describe('a palette', () => {
  it('keeps the colours that there are', () => {
    const picture = rgba([
      [255, 253, 248],
      [33, 21, 10],
      [255, 253, 248],
    ])
    const palette = paletteOf([picture])
    const color = (index: number) => [...palette.colors.slice(3 * index, 3 * index + 3)]
    expect([...indexed(picture, palette)].map(color)).toEqual([
      [255, 253, 248],
      [33, 21, 10],
      [255, 253, 248],
    ])
    expect(color(indexed(rgba([[40, 30, 20]]), palette)[0]!)).toEqual([33, 21, 10])
  })
  it('never uses the colour that means nothing', () => {
    const many = rgba(Array.from({ length: 4_000 }, () => [random(256), random(256), random(256)]))
    expect(Math.max(...indexed(many, paletteOf([many])))).toBeLessThan(255)
  })
})
