// Which piece on a board is which: one that moves stays what it is, so that what has been drawn of it is moved, and not
// made anew. Pure.
import type { Piece, Position } from '../shogi/position'

export interface Drawn {
  /** The same as long as it stands on the board. */
  readonly id: number
  readonly index: number
  readonly piece: Piece
}

/** The pieces of a position, those of the one before at their places in the list. */
export function follow(before: readonly Drawn[], squares: Position['squares']): Drawn[] {
  const kept = new Set<number>()
  for (const { index, piece } of before) if (squares[index] === piece) kept.add(index)
  const come = squares.flatMap((piece, index) => (piece && !kept.has(index) ? [{ index, piece }] : []))
  const list = before.flatMap((drawn): Drawn[] => {
    if (kept.has(drawn.index)) return [drawn]
    const { kind, side } = drawn.piece
    const at = come.findIndex(({ piece }) => piece.kind === kind && piece.side === side)
    return come.splice(at, at < 0 ? 0 : 1).map((place) => ({ id: drawn.id, ...place }))
  })
  let id = before.reduce((most, drawn) => Math.max(most, drawn.id), -1)
  return [...list, ...come.map((place) => ({ id: ++id, ...place }))]
}
