// Byoyomi as it is read aloud: in Japanese how much of it has gone, by tens and then each of the last ten seconds; in
// English how much is left. Pure.
import type { Language } from '../i18n/words'

/** What is said when so many whole seconds are left of byoyomi; null: nothing. */
export function spoken(byoyomi_s: number, left_s: number, language: Language): string | null {
  if (left_s <= 0 || left_s >= byoyomi_s) return null
  const gone = byoyomi_s - left_s
  if (language === 'ja') {
    if (left_s < 10) return String(10 - left_s)
    return gone % 10 === 0 ? `${gone}秒` : null
  }
  if (left_s <= 10) return String(left_s)
  return left_s % 10 === 0 ? `${left_s} seconds` : null
}
