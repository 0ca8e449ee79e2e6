// What /api/v1/events says, version 1 (server/net/feed.h has the format).

export interface Seat {
  name: string
  /** null: without a trip, of whom nothing is kept */
  id: string | null
  builtin: boolean
  rate: number | null
}

/** Seconds; zeros where a part is not played with. */
export interface TimeRule {
  total_s: number
  byoyomi_s: number
  increment_s: number
  least_s: number
  stopwatch_s: number
}

export type Outcome = 'black' | 'white' | 'draw' | 'none'

export interface GameEnd {
  kind: string
  outcome: Outcome
  line: string
  plies: number
  reason: string
  at_ms: number
}

/** So far behind its players a game is shown. */
export type Delay = { seconds: number } | { moves: number }

export interface GameData {
  id: number
  room: string
  delay: Delay | null
  csa_id: string
  name: string
  black: Seat
  white: Seat
  /** Of Black; of both where white_time is null. */
  time: TimeRule
  white_time: TimeRule | null
  declaration: string
  rules: string
  max_moves: number
  rated: boolean
  start_sfen: string
  state: 'agreeing' | 'running' | 'ended'
  moves: string[]
  sfen: string | null
  remaining_s: [number, number]
  opened_at_ms: number
  turn_since_ms: number
  paused_ms: number | null
  end: GameEnd | null
  last_comments: [string | null, string | null]
}

/** What /api/v1/games/ID says. */
export interface WholeGame {
  now_ms: number
  /** Whether an engine may be asked about it. */
  analysis?: boolean
  /** Of a finished one, if it has a name. */
  opening?: string | null
  game: GameData & { comments: [ply: number, text: string][] }
}

export interface Messages {
  snapshot: { now_ms: number; games: GameData[] }
  opened: { game: GameData }
  started: { id: number; at_ms: number }
  moved: {
    id: number
    ply: number
    move: string
    remaining_s: number
    sfen: string | null
    at_ms: number
    comment?: string
  }
  paused: { id: number; paused_ms: number; by: string; why: string }
  resumed: { id: number; turn_since_ms?: number; by: string }
  suspended: { id: number; paused_ms: number; why: string }
  continued: { id: number; turn_since_ms?: number }
  ended: GameEnd & { id: number }
  rejected: { id: number; by: string; at_ms: number }
  tick: { now_ms: number }
}

export type MessageName = keyof Messages
export const MESSAGE_NAMES: readonly MessageName[] = [
  'snapshot',
  'opened',
  'started',
  'moved',
  'paused',
  'resumed',
  'suspended',
  'continued',
  'ended',
  'rejected',
  'tick',
]
