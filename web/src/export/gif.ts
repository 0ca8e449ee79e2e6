// Animated GIFs (GIF89a): a palette for all frames, and of each frame what has changed, compressed by LZW. Pure.

export interface Palette {
  /** 256 colours, three bytes each; index 255 means "as before". */
  readonly colors: Uint8Array
  /** The nearest colour of one that is given by five bits for each of red, green and blue. */
  nearest(bin: number): number
}

const TRANSPARENT = 255
const BINS = 1 << 15
const MAX_CODES = 4096

/** Five bits of each of the colours of a pixel in `rgba`. */
const binAt = (rgba: Uint8ClampedArray, at: number): number =>
  ((rgba[at]! >> 3) << 10) | ((rgba[at + 1]! >> 3) << 5) | (rgba[at + 2]! >> 3)

/** The colours that occur most often in the samples, as exact as they are there. */
export function paletteOf(samples: readonly Uint8ClampedArray[]): Palette {
  const counts = new Uint32Array(BINS)
  const sums = new Float64Array(3 * BINS)
  for (const rgba of samples) {
    for (let at = 0; at < rgba.length; at += 4) {
      const bin = binAt(rgba, at)
      counts[bin]! += 1
      for (let i = 0; i < 3; ++i) sums[3 * bin + i]! += rgba[at + i]!
    }
  }
  const bins = Array.from(counts.keys()).filter((bin) => counts[bin]! > 0)
  bins.sort((a, b) => counts[b]! - counts[a]!)
  const colors = new Uint8Array(3 * 256)
  const used = bins.slice(0, TRANSPARENT)
  used.forEach((bin, index) => {
    for (let i = 0; i < 3; ++i) colors[3 * index + i] = Math.round(sums[3 * bin + i]! / counts[bin]!)
  })
  const known = new Int16Array(BINS).fill(-1)
  used.forEach((bin, index) => (known[bin] = index))
  return {
    colors,
    nearest: (bin) => (known[bin]! >= 0 ? known[bin]! : (known[bin] = search(colors, used.length, bin))),
  }
}

function search(colors: Uint8Array, count: number, bin: number): number {
  const [red, green, blue] = [((bin >> 10) << 3) | 4, (((bin >> 5) & 31) << 3) | 4, ((bin & 31) << 3) | 4]
  let [best, least] = [0, Infinity]
  for (let index = 0; index < count; ++index) {
    const far =
      (colors[3 * index]! - red) ** 2 + (colors[3 * index + 1]! - green) ** 2 + (colors[3 * index + 2]! - blue) ** 2
    if (far < least) [best, least] = [index, far]
  }
  return best
}

/** Pixels as indices of the palette. */
export function indexed(rgba: Uint8ClampedArray, palette: Palette): Uint8Array {
  const pixels = new Uint8Array(rgba.length / 4)
  for (let i = 0; i < pixels.length; ++i) pixels[i] = palette.nearest(binAt(rgba, 4 * i))
  return pixels
}

/** Bytes that grow. */
class Bytes {
  #bytes = new Uint8Array(1 << 16)
  #length = 0

  push(...values: number[]): void {
    for (const value of values) this.byte(value)
  }
  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const more = new Uint8Array(2 * this.#length)
      more.set(this.#bytes)
      this.#bytes = more
    }
    this.#bytes[this.#length++] = value
  }
  /** Two bytes, the lower one first. */
  word(value: number): void {
    this.push(value & 255, value >> 8)
  }
  text(text: string): void {
    for (const sign of text) this.byte(sign.charCodeAt(0))
  }
  all(values: Uint8Array): void {
    for (const value of values) this.byte(value)
  }
  whole(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }
}

/** Codes of growing widths, in blocks of at most 255 bytes. */
class Codes {
  #block = new Uint8Array(255)
  #filled = 0
  #bits = 0
  #held = 0

  constructor(private readonly out: Bytes) {}

  put(code: number, width: number): void {
    this.#held |= code << this.#bits
    this.#bits += width
    while (this.#bits >= 8) {
      this.#byte(this.#held & 255)
      this.#held >>>= 8
      this.#bits -= 8
    }
  }

  end(): void {
    if (this.#bits > 0) this.#byte(this.#held & 255)
    this.#flush()
    this.out.byte(0)
  }

  #byte(value: number): void {
    this.#block[this.#filled++] = value
    if (this.#filled === 255) this.#flush()
  }

  #flush(): void {
    if (this.#filled === 0) return
    this.out.byte(this.#filled)
    this.out.all(this.#block.subarray(0, this.#filled))
    this.#filled = 0
  }
}

const CODE_BITS = 8
const CLEAR = 1 << CODE_BITS
const END = CLEAR + 1

// For each code and the byte after it the code of both; 0: there is none. One for all frames, since it is 2 MiB.
const table = new Uint16Array(MAX_CODES << 8)

function compress(pixels: Uint8Array, out: Bytes): void {
  out.byte(CODE_BITS)
  const codes = new Codes(out)
  let [next, width] = [END + 1, CODE_BITS + 1]
  table.fill(0)
  codes.put(CLEAR, width)
  let prefix = pixels[0] ?? 0
  for (let i = 1; i < pixels.length; ++i) {
    const at = (prefix << 8) | pixels[i]!
    const known = table[at]!
    if (known !== 0) {
      prefix = known
      continue
    }
    codes.put(prefix, width)
    if (next < MAX_CODES) {
      if (next === 1 << width) ++width
      table[at] = next++
    } else {
      codes.put(CLEAR, width)
      table.fill(0)
      next = END + 1
      width = CODE_BITS + 1
    }
    prefix = pixels[i]!
  }
  codes.put(prefix, width)
  codes.put(END, next === 1 << width && width < 12 ? width + 1 : width)
  codes.end()
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The smallest box with all that differs; one pixel where nothing does, since a frame has at least that. */
function changed(before: Uint8Array, after: Uint8Array, width: number): Box {
  let [left, top, right, bottom] = [width, Infinity, -1, -1]
  for (let i = 0; i < after.length; ++i) {
    if (before[i] === after[i]) continue
    const [x, y] = [i % width, Math.floor(i / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = y
  }
  if (right < 0) return { left: 0, top: 0, width: 1, height: 1 }
  return { left, top, width: right - left + 1, height: bottom - top + 1 }
}

export class GifWriter {
  #out = new Bytes()
  #before: Uint8Array | null = null

  /** It is played over and over. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    palette: Palette,
  ) {
    const out = this.#out
    out.text('GIF89a')
    out.word(width)
    out.word(height)
    out.push(0xf7, 0, 0) // 256 colours for all frames
    out.all(palette.colors)
    out.push(0x21, 0xff, 11)
    out.text('NETSCAPE2.0')
    out.push(3, 1, 0, 0, 0)
  }

  /** `pixels`: of the whole picture, indices of the palette. `delay_ms`: how long it is shown, in tens of ms. */
  frame(pixels: Uint8Array, delay_ms: number): void {
    const before = this.#before
    const box = before
      ? changed(before, pixels, this.width)
      : { left: 0, top: 0, width: this.width, height: this.height }
    const cut = new Uint8Array(box.width * box.height)
    for (let y = 0; y < box.height; ++y) {
      for (let x = 0; x < box.width; ++x) {
        const at = (box.top + y) * this.width + box.left + x
        cut[y * box.width + x] = before && before[at] === pixels[at] ? TRANSPARENT : pixels[at]!
      }
    }
    const out = this.#out
    out.push(0x21, 0xf9, 4, 0x05) // what was drawn stays; there is a transparent colour
    out.word(Math.max(2, Math.round(delay_ms / 10)))
    out.push(TRANSPARENT, 0, 0x2c)
    out.word(box.left)
    out.word(box.top)
    out.word(box.width)
    out.word(box.height)
    out.byte(0)
    compress(cut, out)
    this.#before = pixels
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#out.byte(0x3b)
    return this.#out.whole()
  }
}
