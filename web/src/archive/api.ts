// What the archive of a server says (docs/openapi.json), version 1.
import type { Delay, Outcome, TimeRule } from '../live/messages'

export interface RowSeat {
  name: string
  /** "name+trip"; null for whoever is no player of the ratings. */
  id: string | null
  builtin: boolean
  rate: number | null
}

export interface GameRow {
  id: number
  csa_id: string
  room: string
  name: string
  black: RowSeat
  white: RowSeat
  time: TimeRule
  white_time: TimeRule | null
  rated: boolean
  opened_at_ms: number
  ended_at_ms: number
  plies: number
  kind: string
  outcome: Outcome
  reason: string
  start_sfen: string
  opening: string | null
}

export interface GamesPage {
  games: GameRow[]
  next: number | null
}

export interface Totals {
  games: number
  wins: number
  losses: number
  draws: number
}

export interface PlayerRow extends Totals {
  id: string
  name: string
  rate: number | null
  /** Half of the 95 % interval. */
  error: number | null
  first_seen_ms: number
  last_seen_ms: number
}

export interface PlayersPage {
  total: number
  players: PlayerRow[]
}

/** A day of the server's, the rate at its end, half of its 95 % interval, when it ends. */
export type RatedDay = readonly [day: string, rate: number, error: number | null, end_ms: number | null]

export interface PlayerPage {
  player: PlayerRow
  days: RatedDay[]
  black: Totals
  white: Totals
  opponents: (Totals & { id: string; name: string })[]
  ends: { kind: string; wins: number; losses: number; draws: number }[]
}

export interface Pairing {
  black: string
  white: string
  game: number | null
  outcome: Outcome | null
}

export interface Round {
  seq: number
  group: string
  number: number
  at_ms: number
  games: Pairing[]
  sat_out: string[]
}

export interface RoundsPage {
  groups: { name: string; next_at_ms: number | null; rounds: number }[]
  rounds: Round[]
  next: number | null
}

export interface Buoy {
  name: string
  owner: string
  count: number
  start_sfen: string
  moves: string[]
  /** After the moves; null: not all of them can be made. */
  sfen: string | null
  set: string
  title: string
  comment: string
  at_ms: number
}

export interface PositionSet {
  name: string
  positions: { title: string; sfen: string }[]
}

export interface BuoysPage {
  buoys: Buoy[]
  /** In the first page all of them. */
  sets: PositionSet[]
  next: string | null
}

export interface RoomWaiter {
  name: string
  id: string | null
  builtin: boolean
  /** The game name. */
  game: string
}

/** What is null is as the settings for the game name say. */
export interface Room {
  name: string
  title: { ja: string | null; en: string | null }
  /** The game names that it claims; * stands for any characters. */
  games: string
  time: TimeRule | null
  time_black: TimeRule | null
  time_white: TimeRule | null
  declaration: string | null
  rules: string
  max_moves: number | null
  start: string | null
  accounts: 'open' | 'claim' | 'closed' | null
  players: string[]
  tls: boolean | null
  builtin: string[]
  delay: Delay | null
  rated: boolean
  after_game: 'close' | 'stay'
  pairing: 'lobby' | 'host'
  chat: boolean
  playing: number
  waiting_count: number | null
  /** The first of them. */
  waiting: RoomWaiter[] | null
}

export interface RoomsPage {
  rooms: Room[]
}

export interface OpeningMove {
  /** As USI writes it. */
  move: string
  games: number
  black: number
  white: number
  draws: number
  last: number
}

export interface OpeningsPage {
  games: number
  moves: OpeningMove[]
}

/** missing: there is no such thing; refused: the question was wrong; away: the server, its archive or the line is. */
export type Failure = 'missing' | 'refused' | 'away'

export class AskError extends Error {
  constructor(
    readonly failure: Failure,
    message: string,
  ) {
    super(message)
  }
}

const failureOf = (status: number): Failure => (status === 404 ? 'missing' : status === 400 ? 'refused' : 'away')

/** The answer to a question below /api/v1; AskError for a refusal, AbortError when `signal` says so. */
export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(`/api/v1/${path}`, { signal: signal ?? null }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new AskError('away', String(error))
  })
  if (response.ok) return (await response.json()) as Answer
  const said = (await response.json().catch(() => null)) as { error?: unknown } | null
  throw new AskError(failureOf(response.status), typeof said?.error === 'string' ? said.error : '')
}

/** The path of the archive's answer about a player. */
export const playerQuestion = (id: string): string => `players/${encodeURIComponent(id)}`
