import { describe, expect, it } from 'vitest'
import { followLine, parseEvaluation, scoreOf, scoreText, winRate } from './comment'
import { parseSfen } from './position'

const start = parseSfen('lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1')!

describe('parseEvaluation', () => {
  it('reads values, lines and nodes', () => {
    expect(parseEvaluation('* 30 -3334FU +2726FU')).toEqual({ score: 30, line: ['-3334FU', '+2726FU'], nodes: null })
    expect(parseEvaluation('** -1250 7g7f 8c8d #123456')).toEqual({
      score: -1250,
      line: ['7g7f', '8c8d'],
      nodes: 123456,
    })
    expect(parseEvaluation('*0')).toEqual({ score: 0, line: [], nodes: null })
  })
  it('leaves words alone', () => {
    for (const words of ['', 'hello', '* hello', '* 30x', '30 -3334FU', '* 99999999']) {
      expect(parseEvaluation(words), words).toBeNull()
    }
  })
  it('keeps no endless line', () => {
    expect(parseEvaluation(`* 1 ${'7g7f '.repeat(500)}`)?.line).toHaveLength(64)
  })
})

describe('followLine', () => {
  it('understands CSA and USI, as far as they make sense', () => {
    expect(followLine(start, ['+7776FU', '3c3d', '8h2b+', '-3122GI', 'B*5e', 'nonsense', '1a1b'])).toHaveLength(5)
    expect(followLine(start, ['7g7f', '8c8d'])[1]?.after.turn).toBe('b')
    expect(followLine(start, ['-3334FU'])).toEqual([])
    expect(followLine(start, ['5e5d'])).toEqual([])
    expect(followLine(start, ['P*5e'])).toEqual([])
    expect(followLine(start, ['7g7fx'])).toEqual([])
  })
})

describe('values in words', () => {
  it('are chances and short texts', () => {
    expect(winRate(0)).toBe(0.5)
    expect(winRate(600)).toBeCloseTo(0.731, 3)
    for (const score of [-659, 0, 12, 900]) expect(scoreOf(winRate(score))).toBeCloseTo(score, 6)
    expect([0, 5, -40, 30_000, -31_000].map(scoreText)).toEqual(['0', '+5', '-40', '+M', '-M'])
  })
})
