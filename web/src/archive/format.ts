// Figures and dates of the archive's pages as text. Pure.
import type { Totals } from './api'

/** "2512", "–" where there is none. */
export const rateText = (rate: number | null): string => (rate === null ? '–' : String(Math.round(rate)))

/** "± 31"; nothing where it is not known. */
export const errorText = (error: number | null): string => (error === null ? '' : `± ${Math.round(error)}`)

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

/** "2026-11-22 09:00 UTC". */
export const utcText = (at_ms: number): string => `${new Date(at_ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** "Asia/Tokyo (UTC+9)", the zone of the viewer as it is at a time. */
export function zoneText(at_ms: number): string {
  const minutes = -new Date(at_ms).getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = `UTC${minutes < 0 ? '−' : '+'}${hours}${rest ? `:${two(rest)}` : ''}`
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  return name && name !== 'UTC' ? `${name} (${offset})` : 'UTC'
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
