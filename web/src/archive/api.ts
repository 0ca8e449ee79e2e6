// What the archive of a server says (docs/openapi.json), version 1.
import type { Api } from '../api'
import { get } from '../site'

export type RowSeat = Api['ArchivedSeat']
export type GameRow = Api['GameRow']
export type GamesPage = Api['GameList']
export type Totals = Api['Tally']
export type PlayerRow = Api['Player']
export type PlayersPage = Api['PlayerList']
export type PlayerPage = Api['PlayerPage']
/** A day of the server's, the rate at its end, half of its 95 % interval, when it ends. */
export type RatedDay = PlayerPage['days'][number]
export type Pairing = Api['RoundGame']
export type Round = Api['Round']
export type RoundsPage = Api['RoundList']
export type Buoy = Api['Buoy']
export type PositionSet = Api['PositionSet']
export type BuoysPage = Api['Buoys']
export type RoomWaiter = Api['RoomWaiter']
export type Room = Api['Room']
export type RoomsPage = Api['RoomList']
export type OpeningMove = Api['Continuation']
export type OpeningsPage = Api['Openings']

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
  const response = await get(`/api/v1/${path}`, { signal: signal ?? null }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new AskError('away', String(error))
  })
  if (response.ok) return (await response.json()) as Answer
  const said = (await response.json().catch(() => null)) as { error?: unknown } | null
  throw new AskError(failureOf(response.status), typeof said?.error === 'string' ? said.error : '')
}

/** The path of the archive's answer about a player. */
export const playerQuestion = (id: string): string => `players/${encodeURIComponent(id)}`
