// Clocks as they run between two moves: main time first, then byoyomi. Seconds, as the protocol counts them.
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
