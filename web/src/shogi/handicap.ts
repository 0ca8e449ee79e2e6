// What a game began with, by its first position. Pure.
import { HAND_KINDS, type Kind, type Position } from './position'

const BACK: Readonly<Partial<Record<Kind, number>>> = { R: 1, B: 1, G: 2, S: 2, N: 2, L: 2, P: 9 }
/** What White does without, in the order of HAND_KINDS. */
export const HANDICAPS = ['L', 'B', 'R', 'RL', 'RB', 'RBLL', 'RBNNLL', 'RBSSNNLL', 'RBGGSSNNLL'] as const
export type Handicap = (typeof HANDICAPS)[number]

/** 'even', a handicap, or 'position': another one. */
export function startOf({ squares, hands, turn }: Position): 'even' | 'position' | Handicap {
  const lacks = (side: 'b' | 'w') =>
    HAND_KINDS.map((kind) => {
      const there = squares.filter((piece) => piece?.side === side && piece.kind === kind && !piece.promoted).length
      return kind.repeat(Math.max(0, (BACK[kind] ?? 0) - there))
    }).join('')
  // Nobody has moved: whatever stands, stands in its camp, with the pawns in their row.
  const camps = squares.every((piece, i) => piece === null || (piece.side === 'w' ? i < 27 : i >= 54))
  const pawns = squares.every((piece, i) => piece?.kind !== 'P' || Math.floor(i / 9) === (piece.side === 'w' ? 2 : 6))
  if (!camps || !pawns || lacks('b') || Object.keys(hands.b).length + Object.keys(hands.w).length > 0) return 'position'
  const given = lacks('w')
  if (given === '') return turn === 'b' ? 'even' : 'position'
  return (turn === 'w' && HANDICAPS.find((one) => one === given)) || 'position'
}
