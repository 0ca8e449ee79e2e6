// A game of this seat as boards, clocks and lists of moves are given games. Pure.
import type { GameData } from '../live/messages'
import { toSfen, type Side } from '../shogi/position'
import { endOf } from './ends'
import { shownPosition, spend, type Game, type Seat } from './seat'
import { moveLine } from './wire'

/** `end`: why it is over, where the archive knows more than the protocol has words for. */
export function gameData(seat: Seat, game: Game, name: string, end: string | null): GameData {
  const { sent, left } = game
  const moves = sent ? [...game.moves, sent] : game.moves
  const now = sent ? spend(left, game.times, sent) : left
  const player = (side: Side) => ({ name: game.names[side], id: null, builtin: false, rate: null })
  const over = seat.phase === 'over'
  return {
    id: 0,
    csa_id: game.id,
    room: 'main',
    delay: null,
    name,
    black: player('b'),
    white: player('w'),
    time: game.times.b,
    white_time: game.times.b === game.times.w ? null : game.times.w,
    max_moves: game.maxMoves,
    declaration: game.declaration as GameData['declaration'],
    rules: 'shogi-server',
    rated: false,
    start_sfen: toSfen(game.start, 1),
    state: over ? 'ended' : game.since_ms === null ? 'agreeing' : 'running',
    moves: moves.map((move) => `${moveLine(move)},T${move.seconds}`),
    sfen: toSfen(shownPosition(game), 1),
    remaining_s: [now.b, now.w],
    opened_at_ms: 0,
    turn_since_ms: game.since_ms ?? 0,
    // Nobody's clock runs while our move is on its way: what it took is told with it.
    paused_ms: sent ? 0 : null,
    end: over ? endOf(game, seat.result, end ?? seat.why) : null,
    last_comments: [null, null],
  }
}
