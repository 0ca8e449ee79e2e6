// What a page needs to come back to its game after a reload: written for sessionStorage, and read from it. Pure.
import { parseMove, parseSfen, play, toSfen, type Side } from '../shogi/position'
import { EMPTY, type Game, type Seat } from './seat'
import { moveLine, type Wish } from './wire'

/** Null: there is nothing to come back to. */
export function keep({ phase, wish, game }: Seat): string | null {
  if (!wish || phase === 'form' || phase === 'over') return null
  // A game that nobody has begun is asked for anew.
  const kept = phase === 'agreeing' ? null : game
  return JSON.stringify({
    wish,
    game: kept && {
      ...kept,
      start: toSfen(kept.start, 1),
      moves: kept.moves.map((move) => `${moveLine(move)},T${move.seconds}`),
      sent: kept.sent && moveLine(kept.sent),
      position: undefined,
      premove: undefined,
      resigned: undefined,
      since_ms: undefined,
    },
  })
}

interface Kept {
  wish: Wish
  game: (Omit<Game, 'start' | 'moves' | 'sent'> & { start: string; moves: string[]; sent: string | null }) | null
}

function gameOf(kept: NonNullable<Kept['game']>): Game | null {
  const start = parseSfen(kept.start)
  if (!start) return null
  const moves = kept.moves.flatMap((text) => parseMove(text) ?? [])
  const position = moves.reduce((before, move) => play(before, move) ?? before, start)
  const left = (side: Side) => Number(kept.left[side]) || 0
  return {
    ...kept,
    start,
    moves,
    position,
    left: { b: left('b'), w: left('w') },
    since_ms: null,
    sent: kept.sent === null ? null : parseMove(kept.sent),
    premove: null,
    resigned: false,
  }
}

/** A seat that is about to come back; null for what is nothing of the kind. */
export function takeUp(text: string | null): Seat | null {
  try {
    const { wish, game } = JSON.parse(text ?? '') as Kept
    const words = [wish.name, wish.game, wish.secret]
    if (!words.every((word) => typeof word === 'string' && word !== '')) return null
    return { ...EMPTY, phase: 'connecting', wish, game: game && gameOf(game) }
  } catch {
    return null
  }
}
