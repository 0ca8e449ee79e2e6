import { describe, expect, it } from 'vitest'
import type { RatedDay } from './api'
import { dayRange, dayTicks, graphPaths, nearest, pointsOf, rateRange, ticks } from './graph'

/** Of a server whose clocks are as far from the reader's as `hours` says. */
const day = (date: number, rate: number, error: number | null, hours = 0): RatedDay => [
  `2026-11-${date}`,
  rate,
  error,
  new Date(2026, 10, date + 1, hours).getTime(),
]
const LATER = new Date(2026, 11, 24).getTime()
const points = pointsOf([day(20, 2500, 40), day(21, 2510, 30), day(22, 2490, null), day(25, 2530, 20)], LATER)

describe('a graph of ratings', () => {
  it('spans its points and their errors', () => {
    expect(rateRange(points).from).toBeLessThan(2460)
    expect(rateRange(points).to).toBeGreaterThan(2550)
    expect(dayRange(points)).toEqual({ from: points[0]!.at, to: points[0]!.at + 5 })
    const alone = dayRange(points.slice(0, 1))
    expect(alone.to - alone.from).toBe(2)
    expect(rateRange(points.slice(2, 3))).toEqual({ from: 2470, to: 2510 })
  })
  it('has the days of its reader, with the newest rate of each', () => {
    const daysOf = (hours: number, now: number) =>
      pointsOf([day(20, 2500, 40, hours), day(21, 2510, 30, hours)], now).map(({ day, rate }) => [day, rate])
    expect(daysOf(0, LATER)).toEqual([
      ['2026/11/20', 2500],
      ['2026/11/21', 2510],
    ])
    expect(daysOf(-9, LATER)).toEqual([
      ['2026/11/20', 2500],
      ['2026/11/21', 2510],
    ])
    expect(daysOf(9, LATER)).toEqual([
      ['2026/11/21', 2500],
      ['2026/11/22', 2510],
    ])
    expect(daysOf(9, new Date(2026, 10, 21, 20).getTime())).toEqual([['2026/11/21', 2510]])
  })
  it('leaves out what is no day', () => expect(pointsOf([['soon', 1, null, null]], LATER)).toEqual([]))
  it('has round ticks, and not too many', () => {
    expect(ticks({ from: 2447, to: 2563 }, 5)).toEqual([2450, 2500, 2550])
    expect(ticks({ from: 0, to: 10 }, 10)).toHaveLength(11)
    for (const width of [1, 7, 30, 400, 5_000, 50_000]) {
      expect(ticks({ from: 3, to: 3 + width }, 6).length).toBeLessThanOrEqual(7)
      expect(dayTicks({ from: 20_000, to: 20_000 + width }, 8).length).toBeLessThanOrEqual(14)
    }
  })
  it('names the year once', () => {
    const days = dayTicks({ from: Date.UTC(2026, 11, 30) / 864e5, to: Date.UTC(2027, 0, 2) / 864e5 }, 8)
    expect(days.map(({ text }) => text)).toEqual(['2026/12/30', '12/31', '2027/01/01', '01/02'])
  })
  it('draws a line through all days, and bands where errors are known', () => {
    const { line, bands } = graphPaths(points, (point, rate) => `${point.at - points[0]!.at},${rate}`)
    expect(line).toBe('M0,2500L1,2510L2,2490L5,2530')
    expect(bands).toEqual(['M0,2540L1,2540L1,2480L0,2460Z'])
  })
  it('finds the day that is pointed at', () => {
    expect(nearest(points, points[0]!.at + 3.4)).toBe(2)
    expect(nearest(points, points[0]!.at + 3.6)).toBe(3)
    expect(nearest(points, -1)).toBe(0)
  })
})
