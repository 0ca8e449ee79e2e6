// How rooms are called. Pure.
import type { Language } from '../i18n/words'
import type { Room } from './api'

/** In the reader's language where the host has said it, else in the other one, else by its name. */
export function titleOf(room: Pick<Room, 'name' | 'title'>, language: Language, main: string): string {
  const other = language === 'ja' ? 'en' : 'ja'
  return room.title[language] ?? room.title[other] ?? (room.name === 'main' ? main : room.name)
}
