import { describe, expect, it } from 'vitest'
import { glyphTransform, KOMA, onSquare, pieceTransform, placedGlyph } from './geometry'
import { GLYPHS } from './glyphs'
import { facesOf, inkOf, type PieceSet } from './pieces'

describe('placedGlyph', () => {
  it('puts an outline where its transformation would', () => {
    expect(glyphTransform(1, 0)).toBe('translate(0 5) scale(.58)')
    expect(placedGlyph('M10 -20 5 6H-7V100C1 2 3 4 5 6Z', 1, 0)).toBe(
      'M5.8 -6.6 2.9 8.5H-4.1V63C0.6 6.2 1.7 7.3 2.9 8.5Z',
    )
    expect(glyphTransform(2, 0)).toBe('translate(0 -15) scale(.4 .37)')
    expect(placedGlyph('M10 -20', 2, 0)).toBe('M4 -22.4')
    expect(glyphTransform(2, 1)).toBe('translate(0 23) scale(.4 .37)')
    expect(placedGlyph('M10 -20', 2, 1)).toBe('M4 15.6')
  })
  it('knows every command of our outlines', () => {
    for (const outline of Object.values(GLYPHS)) {
      expect(outline).toMatch(/^M[-MLCHVZ\d. ]+Z$/)
      expect(outline).not.toMatch(/\d-/)
    }
  })
})

/** The points of an outline of relative commands that begins with M. */
function walked(d: string): number[][] {
  const points: number[][] = []
  let pen = [0, 0]
  let opened = pen
  for (const [, command = '', text = ''] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = text.match(/-?[\d.]+/g)?.map(Number) ?? []
    const from = command === 'M' ? [0, 0] : pen
    let last = from
    for (let i = 0; i < numbers.length; i += 2) {
      const base = command === 'c' && i % 6 !== 0 ? pen : last
      const point = [base[0]! + numbers[i]!, base[1]! + numbers[i + 1]!]
      if (command !== 'c' || i % 6 === 4) last = point
      if (command === 'c' && i % 6 === 4) pen = point
      points.push(point)
      if ('Mm'.includes(command) && i === 0) opened = point
    }
    pen = command === 'z' ? opened : last
  }
  return points
}

/** Those of one of absolute commands. */
function told(outline: string): number[][] {
  const points: number[][] = []
  for (const [, command = '', text = ''] of outline.matchAll(/([MLCHVZ])([^MLCHVZ]*)/g)) {
    const [x = 0, y = 0] = points.at(-1) ?? []
    const numbers = text.match(/-?[\d.]+/g)?.map(Number) ?? []
    if (command === 'H') points.push(...numbers.map((to) => [to, y]))
    else if (command === 'V') points.push(...numbers.map((to) => [x, to]))
    else for (let i = 0; i < numbers.length; i += 2) points.push([numbers[i]!, numbers[i + 1]!])
  }
  return points
}

describe('onSquare', () => {
  it('puts an outline where its transformation would, for both sides and both ways round', () => {
    expect(pieceTransform(10, 'b', false)).toBe('translate(150 150) scale(1.08)')
    expect(onSquare('M10 -20H5V5Z', 10, 'b', false)).toBe('M160.8 128.4m0 0l-5.4 0l0 27z')
    expect(pieceTransform(10, 'w', false)).toBe('translate(150 150) rotate(180) scale(1.08)')
    expect(onSquare('M10 -20H5V5Z', 10, 'w', false)).toBe('M139.2 171.6m0 0l5.4 0l0 -27z')
    expect(onSquare('M10 -20H5V5Z', 70, 'b', true)).toBe('M139.2 171.6m0 0l5.4 0l0 -27z')
  })
  it('leads through the same points as the outline, for all that is written on pieces', () => {
    const sets: PieceSet[] = ['one', 'two']
    const outlines = sets.flatMap((set) => facesOf(set).map(({ code }) => inkOf(set, code)))
    expect(outlines.length).toBe(30)
    for (const outline of [KOMA, 'M1 2 3 4C5 6 7 8 9 10 11 12 13 14 15 16V17H18ZM-1 -2 -3 -4ZL5 5', ...outlines]) {
      const expected = told(outline).map(([x = 0, y = 0]) => [150 - 1.08 * x, 750 - 1.08 * y])
      const [, ...points] = walked(onSquare(outline, 64, 'w', false))
      expect(points.length).toBe(expected.length)
      const off = points.flatMap((point, i) => point.map((at, xy) => Math.abs(at - expected[i]![xy]!)))
      expect(Math.max(...off)).toBeLessThan(0.051)
    }
  })
})
