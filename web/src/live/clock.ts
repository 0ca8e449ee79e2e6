// Clocks as they run between two moves: main time first, then byoyomi. Seconds, as the protocol counts them.
import type { Side } from '../shogi/position'
import type { TimeRule } from './messages'

export interface ClockFace {
  /** Of main time, or of byoyomi where that runs; never below 0. Infinity: there is no limit. */
  left_s: number
  byoyomi: boolean
}

/**
 * What a clock shows `used_ms` after its side came to move. `remaining_s`: main time at that moment, with the increment
 * of the last move in it; below 0 where byoyomi was used.
 */
export function clockFace(time: TimeRule, remaining_s: number, used_ms: number): ClockFace {
  if (time.total_s === 0 && time.byoyomi_s === 0 && time.increment_s === 0) return { left_s: Infinity, byoyomi: false }
  const left = Math.max(0, remaining_s) - Math.max(0, used_ms) / 1000
  if (left > 0 || time.byoyomi_s === 0) return { left_s: Math.max(0, left), byoyomi: false }
  return { left_s: Math.max(0, time.byoyomi_s + left), byoyomi: true }
}

/** What both have left after a move, as `remaining_s` says it, and whether its maker came near the end of his time. */
export interface Left {
  readonly b: number
  readonly w: number
  readonly short: boolean
}

/** So near the end of its time a move is marked, or within a fifth of a time that is shorter. */
const SHORT_S = 10

/**
 * By ply, from the start on. What the server says of the newest position holds: a game may have begun after moves that
 * nobody spent time on.
 */
export function leftAfter(
  times: Readonly<Record<Side, TimeRule>>,
  moves: readonly { readonly side: Side; readonly seconds: number }[],
  newest: Readonly<Record<Side, number>>,
): Left[] {
  const all: Left[] = [{ b: times.b.total_s, w: times.w.total_s, short: false }]
  for (const { side, seconds } of moves) {
    const before = all.at(-1)!
    const { byoyomi_s, increment_s, total_s } = times[side]
    const allowed = before[side] + byoyomi_s + increment_s
    const short = allowed > 0 && allowed - seconds <= Math.min(SHORT_S, (total_s + byoyomi_s + increment_s) / 5)
    all.push({ ...before, [side]: Math.max(0, before[side] + increment_s - seconds), short })
  }
  const last = all.at(-1)!
  const off = { b: Math.max(0, newest.b) - last.b, w: Math.max(0, newest.w) - last.w }
  const first = { b: moves.findIndex(({ side }) => side === 'b'), w: moves.findIndex(({ side }) => side === 'w') }
  const real = (left: Left, side: Side, ply: number) =>
    first[side] >= 0 && ply > first[side] ? Math.max(0, left[side] + off[side]) : left[side]
  return all.map((left, ply) => ({ ...left, b: real(left, 'b', ply), w: real(left, 'w', ply) }))
}

/** Both colours' time in one text, by what says one: "15 min", or "☗ 15 min ☖ 5 min" where White's is another one. */
export function bothTimes(black: TimeRule, white: TimeRule | null, text: (rule: TimeRule) => string): string {
  return white === null ? text(black) : `☗ ${text(black)} ☖ ${text(white)}`
}

/** "1:02:03", "4:05", "0:09"; whole seconds, those begun counted as whole. */
export function clockText(seconds: number): string {
  if (seconds === Infinity) return '∞'
  const whole = Math.ceil(seconds)
  const two = (number: number) => String(number).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
