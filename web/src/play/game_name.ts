// Game names, "<identifier>-<total>-<byoyomi>[F]", by which players find each other (PROTOCOL.md, "Game names and
// time"); and the patterns of those that built-in players serve. Pure.
import type { TimeRule } from '../live/messages'

export interface GameName {
  readonly identifier: string
  readonly total_s: number
  /** Byoyomi, or with `fischer` what is added before each move. */
  readonly each_s: number
  readonly fischer: boolean
}

/** A time of more than about eleven days is a typing error. */
export const MAX_SECONDS = 999_999
const IDENTIFIER = /^[A-Za-z0-9_@.-]{1,32}$/

export const isPlayerName = (text: string): boolean => IDENTIFIER.test(text)
export const isIdentifier = isPlayerName

/** Null also for a stop-watch ("-060"), which the form does not offer. */
export function parseGameName(text: string): GameName | null {
  const [, identifier = '', total = '', each = '', fischer = ''] = /^(.+)-(\d{1,6})-(\d{1,6})(F?)$/.exec(text) ?? []
  if (!isIdentifier(identifier) || (each.length > 1 && each.startsWith('0'))) return null
  return { identifier, total_s: Number(total), each_s: Number(each), fischer: fischer !== '' }
}

export const gameNameText = ({ identifier, total_s, each_s, fischer }: GameName): string =>
  `${identifier}-${total_s}-${each_s}${fischer ? 'F' : ''}`

export const timeOf = ({ total_s, each_s, fischer }: Omit<GameName, 'identifier'>): TimeRule => ({
  total_s,
  byoyomi_s: fischer ? 0 : each_s,
  increment_s: fischer ? each_s : 0,
  least_s: 0,
  stopwatch_s: 0,
})

export const isTime = (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_SECONDS

export interface Engine {
  readonly name: string
  /** Patterns of game names; * stands for any characters. */
  readonly games: readonly string[]
}

export const LEVELS = 30
const ALL_LEVELS = 'level*-*'
export const servesLevels = (engines: readonly Engine[]): boolean =>
  engines.some(({ games }) => games.includes(ALL_LEVELS))

/** Whether a name fits a pattern. */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[^A-Za-z0-9_-]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}

/** An engine as the form offers it: its times are the player's, or those of the one game that it serves. */
export interface Offer {
  readonly name: string
  readonly identifier: string
  /** The whole name, where there is no choice. */
  readonly game: string | null
}

const isGroup = (game: string): boolean => /^floodgate\b/.test(game)
const ANY_TIME = '-600-30'

function offerOf(name: string, pattern: string): Offer | null {
  const fixed = parseGameName(pattern)
  if (fixed) return isGroup(pattern) ? null : { name, identifier: fixed.identifier, game: pattern }
  // Stars at the end stand for times; any other one for a word.
  const identifier = pattern.replace(/(-\*)+$/, '').replaceAll('*', 'game')
  const good = isIdentifier(identifier) && !isGroup(pattern) && fits(pattern, identifier + ANY_TIME)
  return good ? { name, identifier, game: null } : null
}

/** Those that can be asked for otherwise than by a level, each once. Floodgate groups are paired by their rounds. */
export const enginesBeyondLevels = (engines: readonly Engine[]): Offer[] => {
  const offers = engines.flatMap(({ name, games }) =>
    games.filter((pattern) => pattern !== ALL_LEVELS).flatMap((pattern) => offerOf(name, pattern) ?? []),
  )
  return offers.filter(({ name }, at) => offers.findIndex((one) => one.name === name) === at)
}

/** For a field: at most two decimals, which read back to the same seconds. */
export const minutesOf = (total_s: number): number => Number((total_s / 60).toFixed(2))
