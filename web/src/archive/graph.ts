// The scales and lines of a graph of ratings. Pure; x counts days, y is the rate.
import type { RatedDay } from './api'
import { dayText } from './format'

export interface Point {
  /** "2026/11/22" */
  readonly day: string
  /** Days since 1970. */
  readonly at: number
  readonly rate: number
  readonly error: number | null
}

const DAY_MS = 86_400_000

/** By the reader's days: each has what was known in the end of it, or is `now_ms`. */
export function pointsOf(days: readonly RatedDay[], now_ms: number): Point[] {
  const points = days.flatMap(([, rate, error, end_ms]): Point[] => {
    if (end_ms === null) return []
    const rated = new Date(Math.min(end_ms - 1, now_ms))
    const at = Date.UTC(rated.getFullYear(), rated.getMonth(), rated.getDate()) / DAY_MS
    return [{ day: dayText(rated.getTime()), at, rate, error }]
  })
  return points.filter(({ at }, i) => points[i + 1]?.at !== at)
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** What the points and their errors take up, with some room; never nothing. */
export function rateRange(points: readonly Point[]): Range {
  const low = Math.min(...points.map(({ rate, error }) => rate - (error ?? 0)))
  const high = Math.max(...points.map(({ rate, error }) => rate + (error ?? 0)))
  const room = Math.max(20, (high - low) * 0.08)
  return { from: low - room, to: high + room }
}

export function dayRange(points: readonly Point[]): Range {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0]
  return first === last ? { from: first - 1, to: last + 1 } : { from: first, to: last }
}

/** Round values within, `most` at most: steps of 1, 2 or 5 times a power of ten. */
export function ticks({ from, to }: Range, most: number): number[] {
  const least = (to - from) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
  const found: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick <= to && found.length <= most; tick += step) found.push(tick)
  return found
}

/** The same for days, in whole ones: "11/22", with the year where it is another one than before. */
export function dayTicks({ from, to }: Range, most: number): { at: number; text: string }[] {
  const steps = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650]
  const step = steps.find((days) => (to - from) / days < most) ?? 3650
  const found: { at: number; text: string }[] = []
  let year = ''
  for (let at = Math.ceil(from); at <= to; at += step) {
    const day = new Date(at * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/')
    found.push({ at, text: day.startsWith(year) && year ? day.slice(5) : day })
    year = day.slice(0, 4)
  }
  return found
}

type Place = (point: Point, rate: number) => string

/** The line through the points, and the bands of their errors: one for each run of days that know them. */
export function graphPaths(points: readonly Point[], place: Place): { line: string; bands: string[] } {
  const line = points.map((point, i) => `${i === 0 ? 'M' : 'L'}${place(point, point.rate)}`).join('')
  const runs: Point[][] = []
  points.forEach((point, i) => {
    if (point.error === null) return
    if (i > 0 && points[i - 1]?.error !== null) runs.at(-1)?.push(point)
    else runs.push([point])
  })
  const bands = runs
    .filter((run) => run.length > 1)
    .map((run) => {
      const up = run.map((point) => place(point, point.rate + (point.error ?? 0)))
      const down = run.map((point) => place(point, point.rate - (point.error ?? 0))).reverse()
      return `M${[...up, ...down].join('L')}Z`
    })
  return { line, bands }
}

/** The index of the point that is nearest to a day. */
export function nearest(points: readonly Point[], at: number): number {
  let best = 0
  points.forEach((point, i) => {
    if (Math.abs(point.at - at) < Math.abs((points[best]?.at ?? 0) - at)) best = i
  })
  return best
}
