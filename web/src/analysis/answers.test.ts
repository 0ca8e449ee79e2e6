import { describe, expect, it } from 'vitest'
import { countMarks, valueText, type MoveMark } from './answers'

describe('valueText', () => {
  const text = (cp: number | null, mate: number | null, win_rate = 0.5) => valueText({ cp, mate, win_rate })
  it('says values as evaluations of players are said', () => {
    expect(text(134, null)).toBe('+134')
    expect(text(-3, null)).toBe('-3')
    expect(text(0, null)).toBe('0')
  })
  it('says who mates, and in how many plies', () => {
    expect(text(null, 7, 1)).toBe('+M7')
    expect(text(null, -12, 0)).toBe('-M12')
    expect(text(null, 0, 0)).toBe('-M')
    expect(text(null, null, 1)).toBe('+M')
  })
})

describe('countMarks', () => {
  const mark = (ply: number, kind: MoveMark['kind']): MoveMark => ({ ply, kind, loss: 0.3, line: [] })
  it('counts for whoever moved', () => {
    const marks = [mark(1, 'blunder'), mark(2, 'mistake'), mark(3, 'blunder'), mark(4, 'inaccuracy')]
    expect(countMarks(marks, 'b')).toEqual({
      b: { inaccuracy: 0, mistake: 0, blunder: 2 },
      w: { inaccuracy: 1, mistake: 1, blunder: 0 },
    })
    expect(countMarks(marks, 'w').w.blunder).toBe(2)
  })
})
