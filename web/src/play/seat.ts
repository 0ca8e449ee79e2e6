// A seat at the server, from asking for a game to its end: what is known, and what is said to the server when something
// happens. A line that breaks is made anew by who holds it (seat.svelte.ts) as long as the phase is 'connecting'. Pure.
import { isLegal, premoves } from '../shogi/legal'
import { other, play, sameMove, toSfen, type Move, type Position, type Side } from '../shogi/position'
import type { TimeRule } from '../live/messages'
import { AGREE, DECLARE, LOG_OUT, loginLine, moveLine, REJECT, RESIGN, type Result, type Said, type Wish } from './wire'
import type { Standing, Summary } from './summary'

type Both<Value> = Readonly<Record<Side, Value>>

export interface Game {
  readonly id: string
  readonly side: Side
  readonly names: Both<string>
  readonly times: Both<TimeRule>
  readonly maxMoves: number
  readonly declaration: string
  readonly token: string | null
  readonly start: Position
  /** As the server has told them. */
  readonly moves: readonly Move[]
  /** After them. */
  readonly position: Position
  /** Seconds of main time at the beginning of each side's turn, with the increment that it gets for it. */
  readonly left: Both<number>
  /** When the turn under way began, on our clock; null: no clock runs. */
  readonly since_ms: number | null
  /** Our move that the server has not told yet. */
  readonly sent: Move | null
  /** What is to be played as soon as the opponent has moved. */
  readonly premove: Move | null
  /** Said out of turn: the server takes it when the opponent has moved. */
  readonly resigned: boolean
}

export type Phase = 'form' | 'connecting' | 'waiting' | 'agreeing' | 'playing' | 'over'
/** login: the server does not let the player in; rejected: nobody agreed; ended: the game was over on coming back. */
export type Trouble = 'login' | 'rejected' | 'ended' | 'taken'

export interface Seat {
  readonly phase: Phase
  readonly wish: Wish | null
  readonly game: Game | null
  /** How often a line was tried in vain. */
  readonly tries: number
  /** What the server has said to people. */
  readonly told: string
  readonly trouble: Trouble | null
  /** Why the game ended, in the protocol's word: RESIGN, TIME_UP, ... */
  readonly why: string
  /** Null: not over, or not known. */
  readonly result: Result | null
  /** A summary by which nobody agrees: the state of the game follows. */
  readonly pending: Summary | null
}

export const EMPTY: Seat = {
  phase: 'form',
  wish: null,
  game: null,
  tries: 0,
  told: '',
  trouble: null,
  why: '',
  result: null,
  pending: null,
}

export type Input =
  | { readonly kind: 'ask'; readonly wish: Wish }
  | { readonly kind: 'opened' }
  | { readonly kind: 'said'; readonly said: Said; readonly at_ms: number }
  | { readonly kind: 'lost' }
  /** The game that is come back to is over, as the archive says, or as nobody has told of it. */
  | { readonly kind: 'ended'; readonly result: Result | null; readonly why: string }
  /** Another page of this browser has the seat. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'move'; readonly move: Move; readonly at_ms: number }
  | { readonly kind: 'unmove' }
  | { readonly kind: 'resign' }
  | { readonly kind: 'declare' }

export interface Step {
  readonly seat: Seat
  /** Said to the server, in this order. */
  readonly lines: readonly string[]
}

const step = (seat: Seat, ...lines: string[]): Step => ({ seat, lines })
const withGame = (seat: Seat, change: Partial<Game>): Seat =>
  seat.game ? { ...seat, game: { ...seat.game, ...change } } : seat

/** The position that is shown: with our move, whether or not the server has told it yet. */
export const shownPosition = ({ position, sent }: Game): Position => (sent && play(position, sent)) || position

/** Whether a move would be played at once; else it is thought ahead. */
export const mayMove = ({ phase, game }: Seat): boolean =>
  phase === 'playing' && game !== null && game.sent === null && !game.resigned && game.position.turn === game.side

// ---- clocks ----

const whole = (seconds: number, { stopwatch_s }: TimeRule): number =>
  stopwatch_s ? Math.floor(seconds / stopwatch_s) * stopwatch_s : seconds

const fullTime = (time: TimeRule): number => time.total_s + time.increment_s

/** After a move. */
export function spend(left: Both<number>, times: Both<TimeRule>, { side, seconds }: Move): Both<number> {
  const time = times[side]
  return { ...left, [side]: Math.max(0, left[side] - whole(seconds, time)) + time.increment_s }
}

// ---- a game begins, or goes on ----

/** The position after all of them, as far as they can be followed. */
const follow = (start: Position, moves: readonly Move[]): Position =>
  moves.reduce((before, move) => play(before, move) ?? before, start)

/** Moves of a buoy are free, whatever they took. */
const isFree = (id: string): boolean => /^[^+]*\+buoy_/.test(id)

function gameOf(summary: Summary, before: Game | null): Game {
  const { id, side, names, maxMoves, declaration, token, start, moves } = summary
  const full = { b: fullTime(summary.times.b), w: fullTime(summary.times.w) }
  const timed = moves.some(({ seconds }) => seconds > 0)
  const spent = timed && !isFree(id) ? moves.reduce((left, move) => spend(left, summary.times, move), full) : full
  // Who comes back is told what he has left as if it were all there ever was; one block is his alone.
  const one = summary.times.b === summary.times.w
  const left = before && !timed && one ? { ...full, [other(side)]: before.left[other(side)] } : spent
  const times = before?.times ?? summary.times
  const position = follow(start, moves)
  const known = { id, side, names, times, maxMoves, declaration, token, start, moves, position, left }
  return { ...known, since_ms: null, sent: null, premove: null, resigned: false }
}

const samePosition = (a: Position, b: Position): boolean => toSfen(a, 1) === toSfen(b, 1)

/** The moves that lead from what was known to the position as it is, among those that may have been made meanwhile. */
function caughtUp(before: Game, now: Position, last: Move | null): Game | null {
  const ours = before.sent ? [before.sent] : []
  const theirs = last ? [last] : []
  for (const more of [[], ours, theirs, [...ours, ...theirs]]) {
    const moves = [...before.moves, ...more]
    if (samePosition(follow(before.position, more), now)) return { ...before, moves, position: now }
  }
  return null
}

function resumed(before: Game, summary: Summary, standing: Standing, at_ms: number): Game {
  const { b, w } = standing.left_ms
  const { times } = before
  const left = { b: b / 1000 + times.b.increment_s, w: w / 1000 + times.w.increment_s }
  const now = { ...summary.start, turn: standing.toMove }
  const known = caughtUp(before, now, standing.lastMove) ?? { ...before, start: now, moves: [], position: now }
  return {
    ...known,
    token: summary.token ?? before.token,
    left,
    since_ms: at_ms,
    sent: null,
    premove: null,
    resigned: false,
  }
}

/** A move that was on its way when the line broke is said again if nothing has happened since. */
function sayAgain(seat: Seat, before: Game): Step {
  const { sent } = before
  const game = seat.game
  if (!sent || !game || !samePosition(game.position, before.position)) return step(seat)
  return step(withGame(seat, { sent }), moveLine(sent))
}

// ---- what the server says ----

function onSummary(seat: Seat, summary: Summary): Step {
  const before = seat.phase === 'connecting' ? seat.game : null
  if (before && before.id !== summary.id) return step(gone(seat), REJECT, LOG_OUT)
  if (before?.token) return step({ ...seat, pending: summary })
  const game = gameOf(summary, before)
  const sent = before?.sent && samePosition(game.position, before.position) ? before.sent : null
  const fresh = { ...EMPTY, wish: seat.wish, phase: 'agreeing', game: { ...game, sent } } as const
  return step(fresh, AGREE)
}

function onMoved(seat: Seat, move: Move, at_ms: number): Step {
  const { game } = seat
  if (seat.phase !== 'playing' || !game) return step(seat)
  const position = play(game.position, move)
  // What cannot be followed is asked for anew.
  if (!position) return step({ ...seat, phase: 'connecting', tries: 0 })
  const left = spend(game.left, game.times, move)
  const next = { ...game, moves: [...game.moves, move], position, left, since_ms: at_ms }
  if (move.side === game.side) return step({ ...seat, game: { ...next, sent: null } })
  const { premove } = game
  const sent = premove && isLegal(position, premove) ? premove : null
  return step({ ...seat, game: { ...next, sent, premove: null } }, ...(sent ? [moveLine(sent)] : []))
}

/** So often a player without a token asks for his game. */
const TRIES = 5

function onLogin(seat: Seat, ok: boolean): Step {
  if (seat.phase !== 'connecting') return step(seat)
  // A wrong token is one of a game that is over. Without one the old line may only not have been noticed yet.
  if (seat.game) return step(ok || (!seat.game.token && seat.tries < TRIES) ? seat : gone(seat))
  return step(ok ? { ...seat, phase: 'waiting', tries: 0, told: '' } : { ...EMPTY, wish: seat.wish, trouble: 'login' })
}

function onSaid(seat: Seat, said: Said, at_ms: number): Step {
  switch (said.kind) {
    case 'login':
      return onLogin(seat, said.ok)
    case 'summary':
      return onSummary(seat, said.summary)
    case 'standing': {
      const { game, pending } = seat
      if (!game || !pending) return step(seat)
      const goes = resumed(game, pending, said.standing, at_ms)
      return sayAgain({ ...EMPTY, wish: seat.wish, phase: 'playing', game: goes }, game)
    }
    case 'start': {
      if (seat.phase !== 'agreeing' || seat.game?.id !== said.id) return step(seat)
      const { sent } = seat.game
      return step({ ...withGame(seat, { since_ms: at_ms }), phase: 'playing' }, ...(sent ? [moveLine(sent)] : []))
    }
    case 'rejected':
      if (seat.phase !== 'agreeing') return step(seat)
      return step({ ...EMPTY, wish: seat.wish, trouble: 'rejected' }, LOG_OUT)
    case 'moved':
      return onMoved(seat, said.move, at_ms)
    case 'why':
      return step({ ...seat, why: said.word })
    case 'result':
      if (!seat.game || seat.phase === 'over') return step(seat)
      return step(ended(seat, said.result, said.result === 'chudan' ? 'CHUDAN' : seat.why))
    case 'told':
      return step({ ...seat, told: said.text })
    case 'special':
      return step(seat)
  }
}

/** Our move that the server has judged without telling it, an illegal one say, is not on the board. */
const ended = (seat: Seat, result: Result | null, why: string): Seat => ({
  ...withGame(seat, { since_ms: null, sent: null, premove: null, resigned: false }),
  phase: 'over',
  result,
  why,
})

const gone = (seat: Seat): Seat => ({ ...ended(seat, null, ''), trouble: 'ended' })

// ---- lines ----

function onLost(seat: Seat): Step {
  switch (seat.phase) {
    case 'connecting':
      return step({ ...seat, tries: seat.tries + 1, pending: null })
    case 'waiting':
      return step({ ...seat, phase: 'connecting', tries: 0 })
    // The server takes it for a refusal: there is nothing to come back to.
    case 'agreeing':
      return step({ ...seat, phase: 'connecting', game: null, tries: 0 })
    case 'playing':
      return step({ ...withGame(seat, { premove: null }), phase: 'connecting', tries: 0 })
    default:
      return step(seat)
  }
}

function onMove(seat: Seat, move: Move, at_ms: number): Step {
  const { game, phase } = seat
  if (!game || phase !== 'playing' || game.resigned) return step(seat)
  if (mayMove(seat)) {
    if (!isLegal(game.position, move)) return step(seat)
    const seconds = Math.max(0, Math.floor((at_ms - (game.since_ms ?? at_ms)) / 1_000))
    return step(withGame(seat, { sent: { ...move, seconds }, premove: null }), moveLine(move))
  }
  const may = premoves(shownPosition(game), game.side).some((one) => sameMove(one, move))
  return may ? step(withGame(seat, { premove: move })) : step(seat)
}

export function next(seat: Seat, input: Input): Step {
  switch (input.kind) {
    case 'ask':
      return step({ ...EMPTY, phase: 'connecting', wish: input.wish })
    case 'opened': {
      if (seat.phase !== 'connecting' || !seat.wish) return step(seat)
      const { game } = seat
      return step(seat, loginLine(seat.wish, game?.token ? { id: game.id, token: game.token } : null))
    }
    case 'said':
      return onSaid(seat, input.said, input.at_ms)
    case 'lost':
      return onLost(seat)
    case 'ended':
      return step(input.result ? ended(seat, input.result, input.why) : gone(seat))
    case 'taken':
      return step({ ...EMPTY, wish: seat.wish, trouble: 'taken' })
    case 'leave':
      return step({ ...EMPTY, wish: seat.wish }, ...(seat.phase === 'connecting' ? [] : [LOG_OUT]))
    case 'move':
      return onMove(seat, input.move, input.at_ms)
    case 'unmove':
      return step(withGame(seat, { premove: null }))
    case 'resign':
      if (seat.phase !== 'playing' || seat.game?.resigned) return step(seat)
      return step(withGame(seat, { premove: null, resigned: true }), RESIGN)
    case 'declare':
      return mayMove(seat) ? step(seat, DECLARE) : step(seat)
  }
}

/** How long to wait before the next try. */
export const waitBefore_ms = (tries: number): number => (tries === 0 ? 0 : Math.min(15_000, 1_000 * 2 ** (tries - 1)))

/** The colours changed, the same game: what "again" asks for. */
export const again = (wish: Wish, side: Side): Wish => ({ ...wish, side: other(side) })
