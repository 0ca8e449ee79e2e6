// Figures and dates of the archive's pages as text. Pure.
import type { Totals } from './api'

/** "2512", "–" where there is none. */
export const rateText = (rate: number | null): string => (rate === null ? '–' : String(Math.round(rate)))

/** "± 31"; nothing where it is not known. */
export const errorText = (error: number | null): string => (error === null ? '' : `± ${Math.round(error)}`)

/** "2026/11/22 18:00:00" without its seconds; anything else as it is. */
export const dateText = (date: string): string => date.replace(/^(\d{4}\/\d\d\/\d\d \d\d:\d\d):\d\d$/, '$1')

const two = (number: number): string => String(number).padStart(2, '0')

/** "2026/11/22", here and now where the viewer is. */
export function dayText(at_ms: number): string {
  const at = new Date(at_ms)
  return `${at.getFullYear()}/${two(at.getMonth() + 1)}/${two(at.getDate())}`
}

/** "2026/11/22 18:00", where the viewer is. */
export function momentText(at_ms: number): string {
  const at = new Date(at_ms)
  return `${dayText(at_ms)} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Of all games the part that was won, draws as halves: "62.5 %"; "–" where there were none. */
export function percentText({ wins, losses, draws }: Omit<Totals, 'games'>): string {
  const all = wins + losses + draws
  return all === 0 ? '–' : `${((100 * (wins + draws / 2)) / all).toFixed(1)} %`
}

/** The name within "name+trip". */
export function nameOf(id: string): string {
  const at = id.lastIndexOf('+')
  return at > 0 ? id.slice(0, at) : id
}

/** "2d 03:04:05" with the language's word for days, "3:04:05", "04:05": until it happens; never below nothing. */
export function countdownText(left_ms: number, daysText: (count: number) => string): string {
  const all = Math.max(0, Math.ceil(left_ms / 1000))
  const [days, hours, minutes, seconds] = [
    Math.floor(all / 86_400),
    Math.floor(all / 3600) % 24,
    Math.floor(all / 60) % 60,
    all % 60,
  ]
  const rest = `${two(minutes)}:${two(seconds)}`
  if (days > 0) return `${daysText(days)} ${two(hours)}:${rest}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
