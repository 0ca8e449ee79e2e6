// What a player has chosen on this page, kept in this browser: name and secret, the last game, how he wants to play.
import { isTime, LEVELS } from './game_name'

const KEY = 'fuhyo-play'
export const OPPONENTS = ['level', 'engine', 'person'] as const
export type Opponent = (typeof OPPONENTS)[number]

export interface Chosen {
  name: string
  secret: string
  against: Opponent
  level: number
  /** Of the list of other engines. */
  engine: string
  /** The identifier of a game that he waits in. */
  identifier: string
  total_s: number
  each_s: number
  fischer: boolean
  side: 'any' | 'b' | 'w'
  confirm: boolean
  aloud: boolean
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const SECRET_LENGTH = 16

/** Nobody guesses it: 95 bits. */
export function randomSecret(): string {
  // Bytes beyond the last whole multiple of the letters would make the first ones likelier.
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(8 * SECRET_LENGTH)))
  const fair = bytes.filter((byte) => byte < 256 - (256 % LETTERS.length))
  return fair
    .slice(0, SECRET_LENGTH)
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('')
}

function read(): Chosen {
  let found: Record<string, unknown> = {}
  try {
    found = JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}
  } catch {
    // Storage that is forbidden or holds something else: as if nothing had been chosen.
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const seconds = (value: unknown, otherwise: number) =>
    typeof value === 'number' && isTime(value) ? value : otherwise
  const level = Number(found.level)
  return {
    name: text(found.name),
    secret: text(found.secret),
    against: OPPONENTS.find((one) => one === found.against) ?? 'level',
    level: Number.isInteger(level) && level >= 1 && level <= LEVELS ? level : 5,
    engine: text(found.engine),
    identifier: text(found.identifier) || 'free',
    total_s: seconds(found.total_s, 600),
    each_s: seconds(found.each_s, 30),
    fischer: found.fischer === true,
    side: found.side === 'b' || found.side === 'w' ? found.side : 'any',
    confirm: found.confirm === true,
    aloud: found.aloud === true,
  }
}

export const chosen = $state(read())

export function keepChosen(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen))
  } catch {
    // It holds for this page then.
  }
}
