import { describe, expect, it } from 'vitest'
import { bothTimes, clockFace, clockText, leftAfter } from './clock'

const rule = (total_s: number, byoyomi_s = 0, increment_s = 0) => ({
  total_s,
  byoyomi_s,
  increment_s,
  least_s: 0,
  stopwatch_s: 0,
})

describe('bothTimes', () => {
  const text = ({ total_s }: { total_s: number }) => `${total_s} s`
  it('names the colours only where they differ', () => {
    expect(bothTimes(rule(300), null, text)).toBe('300 s')
    expect(bothTimes(rule(300), rule(60), text)).toBe('☗ 300 s ☖ 60 s')
  })
})

describe('clockFace', () => {
  it('runs main time down to nothing', () => {
    expect(clockFace(rule(300), 120, 1_500)).toEqual({ left_s: 118.5, byoyomi: false })
    expect(clockFace(rule(300), 2, 5_000)).toEqual({ left_s: 0, byoyomi: false })
    expect(clockFace(rule(300, 0, 10), 2, 5_000)).toEqual({ left_s: 0, byoyomi: false })
  })
  it('goes on with byoyomi', () => {
    expect(clockFace(rule(300, 10), 2, 1_000)).toEqual({ left_s: 1, byoyomi: false })
    expect(clockFace(rule(300, 10), 2, 5_000)).toEqual({ left_s: 7, byoyomi: true })
    expect(clockFace(rule(0, 10), 0, 0)).toEqual({ left_s: 10, byoyomi: true })
    expect(clockFace(rule(300, 10), -4, 1_000)).toEqual({ left_s: 9, byoyomi: true })
    expect(clockFace(rule(0, 10), 0, 60_000)).toEqual({ left_s: 0, byoyomi: true })
  })
  it('does not run backwards when clocks of machines differ', () => {
    expect(clockFace(rule(300), 120, -3_000).left_s).toBe(120)
  })
  it('has no end without a limit', () => {
    expect(clockFace(rule(0), 0, 1e9).left_s).toBe(Infinity)
  })
})

describe('clockText', () => {
  it('writes hours only where there are some', () => {
    expect([0, 0.2, 9, 65, 3599.5, 3600, 36_061].map(clockText)).toEqual([
      '0:00',
      '0:01',
      '0:09',
      '1:05',
      '1:00:00',
      '1:00:00',
      '10:01:01',
    ])
    expect(clockText(Infinity)).toBe('∞')
  })
})

describe('leftAfter', () => {
  const moves = (...seconds: number[]) =>
    seconds.map((seconds, i) => ({ side: i % 2 === 0 ? 'b' : 'w', seconds }) as const)
  const both = (time: ReturnType<typeof rule>) => ({ b: time, w: time })
  it('counts main time down, and byoyomi not at all', () => {
    const all = leftAfter(both(rule(60, 30)), moves(20, 5, 45, 1, 25, 2), { b: 0, w: 52 })
    expect(all.map(({ b, w }) => [b, w])).toEqual([
      [60, 60],
      [40, 60],
      [40, 55],
      [0, 55],
      [0, 54],
      [0, 54],
      [0, 52],
    ])
    expect(all.map(({ short }) => short)).toEqual([false, false, false, false, false, true, false])
  })
  it('adds increments before each move', () => {
    const all = leftAfter(both(rule(60, 0, 10)), moves(20, 5, 55), { b: 5, w: 65 })
    expect(all.map(({ b, w }) => [b, w])).toEqual([
      [60, 60],
      [50, 60],
      [50, 65],
      [5, 65],
    ])
    expect(all.map(({ short }) => short)).toEqual([false, false, false, true])
  })
  it('agrees with the server where a game began after moves without time', () => {
    const all = leftAfter(both(rule(60, 0, 10)), moves(0, 0, 10, 10), { b: 60, w: 60 })
    expect(all.map(({ b, w }) => [b, w])).toEqual([
      [60, 60],
      [60, 60],
      [60, 60],
      [60, 60],
      [60, 60],
    ])
  })
  it('marks nothing without a limit', () => {
    expect(leftAfter(both(rule(0)), moves(900, 1), { b: 0, w: 0 }).some(({ short }) => short)).toBe(false)
  })
})
