import { describe, expect, it } from 'vitest'
import { glyphTransform, placedGlyph } from './geometry'
import { GLYPHS } from './glyphs'

describe('placedGlyph', () => {
  it('puts an outline where its transformation would', () => {
    expect(glyphTransform(1, 0)).toBe('translate(0 5) scale(.58)')
    expect(placedGlyph('M10 -20 5 6H-7V100C1 2 3 4 5 6Z', 1, 0)).toBe(
      'M5.80 -6.60 2.90 8.48H-4.06V63.00C0.58 6.16 1.74 7.32 2.90 8.48Z',
    )
    expect(glyphTransform(2, 0)).toBe('translate(0 -15) scale(.4 .37)')
    expect(placedGlyph('M10 -20', 2, 0)).toBe('M4.00 -22.40')
    expect(glyphTransform(2, 1)).toBe('translate(0 23) scale(.4 .37)')
    expect(placedGlyph('M10 -20', 2, 1)).toBe('M4.00 15.60')
  })
  it('knows every command of our outlines', () => {
    for (const outline of Object.values(GLYPHS)) expect(outline).toMatch(/^M[-MLCHVZ\d. ]+Z$/)
  })
})
