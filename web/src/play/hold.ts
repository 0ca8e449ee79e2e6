// A piece that a player has in his fingers, and where it may go. Pure.
import { same, type Kind, type Move, type Position, type Side, type Square } from '../shogi/position'

/** What is picked: a piece on the board, or one in hand. */
export type Picked = { readonly from: Square } | { readonly kind: Kind }

export const isOf = (picked: Picked, move: Move): boolean =>
  'from' in picked ? same(picked.from, move.from) : move.from === null && move.kind === picked.kind

/** Each square once. */
export function targetsOf(moves: readonly Move[], picked: Picked): Square[] {
  const squares = moves.filter((move) => isOf(picked, move)).map(({ to }) => to)
  return squares.filter((square, at) => squares.findIndex((one) => same(one, square)) === at)
}

/** One, or both where there is a choice of promotion. */
export const movesTo = (moves: readonly Move[], picked: Picked, to: Square): Move[] =>
  moves.filter((move) => isOf(picked, move) && same(move.to, to))

/** What is there to be picked by `side`, by where the pointer is. */
export function pickedAt(position: Position, side: Side, at: Square | Kind | null): Picked | null {
  if (at === null) return null
  if (typeof at === 'string') return position.hands[side][at] ? { kind: at } : null
  return position.squares[(at.rank - 1) * 9 + 9 - at.file]?.side === side ? { from: at } : null
}

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
}

/** The square at a point of the screen. `box`: where a board with its coordinates is drawn (Board.svelte). */
export function squareUnder(box: Box, x: number, y: number, flipped: boolean): Square | null {
  const unit = box.width / 968
  const column = Math.floor(((x - box.left) / unit - 12) / 100)
  const row = Math.floor(((y - box.top) / unit - 40) / 100)
  if (column < 0 || column > 8 || row < 0 || row > 8) return null
  return flipped ? { file: column + 1, rank: 9 - row } : { file: 9 - column, rank: row + 1 }
}
