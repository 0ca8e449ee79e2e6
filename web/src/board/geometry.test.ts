import { describe, expect, it } from 'vitest'
import { glyphTransform, KOMA, onSquare, pieceTransform, placedGlyph } from './geometry'
import { GLYPHS } from './glyphs'

describe('placedGlyph', () => {
  it('puts an outline where its transformation would', () => {
    expect(glyphTransform(1, 0)).toBe('translate(0 5) scale(.58)')
    expect(placedGlyph('M10 -20 5 6H-7V100C1 2 3 4 5 6Z', 1, 0)).toBe(
      'M5.8 -6.6 2.9 8.5H-4.1V63.0C0.6 6.2 1.7 7.3 2.9 8.5Z',
    )
    expect(glyphTransform(2, 0)).toBe('translate(0 -15) scale(.4 .37)')
    expect(placedGlyph('M10 -20', 2, 0)).toBe('M4.0 -22.4')
    expect(glyphTransform(2, 1)).toBe('translate(0 23) scale(.4 .37)')
    expect(placedGlyph('M10 -20', 2, 1)).toBe('M4.0 15.6')
  })
  it('knows every command of our outlines', () => {
    for (const outline of Object.values(GLYPHS)) expect(outline).toMatch(/^M[-MLCHVZ\d. ]+Z$/)
  })
})

describe('onSquare', () => {
  it('puts an outline where its transformation would, for both sides and both ways round', () => {
    expect(pieceTransform(10, 'b', false)).toBe('translate(150 150) scale(1.08)')
    expect(onSquare('M10 -20H5V5Z', 10, 'b', false)).toBe('M160.8 128.4H155.4V155.4Z')
    expect(pieceTransform(10, 'w', false)).toBe('translate(150 150) rotate(180) scale(1.08)')
    expect(onSquare('M10 -20H5V5Z', 10, 'w', false)).toBe('M139.2 171.6H144.6V144.6Z')
    expect(onSquare('M10 -20H5V5Z', 70, 'b', true)).toBe('M139.2 171.6H144.6V144.6Z')
    expect(onSquare(KOMA, 0, 'b', false)).toMatch(/^M50.0 2.5L77.0 13.3L.*Z$/)
  })
})
