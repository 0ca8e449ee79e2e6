// Legal moves, for who is about to make one: all rules but those of repetition, which ask for the whole game. The
// server judges; this spares its players moves that lose. Pure.
import {
  checkedKing,
  HAND_KINDS,
  moved,
  pieceAt,
  play,
  sameMove,
  slidesOf,
  squareAt,
  stepsOf,
  type Kind,
  type Move,
  type Piece,
  type Position,
  type Side,
  type Square,
} from './position'

const SQUARES: readonly Square[] = Array.from({ length: 81 }, (_, index) => squareAt(index))
const NEVER: readonly Kind[] = ['G', 'K']

/** How many ranks are before a square, as its owner counts them: 0 on the last one. */
const ahead = (square: Square, side: Side): number => (side === 'b' ? square.rank - 1 : 9 - square.rank)

/** Whether an unpromoted piece could never move again from there. */
function isDead(kind: Kind, square: Square, side: Side): boolean {
  if (kind === 'N') return ahead(square, side) < 2
  return (kind === 'P' || kind === 'L') && ahead(square, side) < 1
}

/** The same move without promotion and with it, as far as the piece may. */
function ways(piece: Piece, from: Square, to: Square): Move[] {
  const { kind, promoted, side } = piece
  const move = { side, from, to, kind, seconds: 0 }
  const zone = ahead(from, side) < 3 || ahead(to, side) < 3
  const may = !promoted && !NEVER.includes(kind) && zone
  return [
    ...(may ? [{ ...move, promoted: true }] : []),
    ...(promoted || !isDead(kind, to, side) ? [{ ...move, promoted }] : []),
  ]
}

/** Squares that a piece goes to by the way it moves. `open`: whatever stands in its way. */
function destinations(position: Position, from: Square, piece: Piece, open: boolean): Square[] {
  const found: Square[] = []
  const at = (square: Square) => (open ? null : pieceAt(position, square))
  for (const step of stepsOf(piece)) {
    const to = moved(from, piece.side, step)
    if (to && at(to)?.side !== piece.side) found.push(to)
  }
  for (const step of slidesOf(piece)) {
    for (let to = moved(from, piece.side, step); to; to = moved(to, piece.side, step)) {
      const there = at(to)
      if (there?.side !== piece.side) found.push(to)
      if (there) break
    }
  }
  return found
}

const moves = (position: Position, side: Side, open: boolean): Move[] =>
  position.squares.flatMap((piece, index) => {
    if (piece?.side !== side) return []
    const from = squareAt(index)
    return destinations(position, from, piece, open).flatMap((to) => ways(piece, from, to))
  })

const drops = (position: Position, side: Side, may: (square: Square) => boolean): Move[] =>
  HAND_KINDS.filter((kind) => position.hands[side][kind]).flatMap((kind) =>
    SQUARES.filter((to) => may(to) && !isDead(kind, to, side)).map((to): Move => ({
      side,
      from: null,
      to,
      kind,
      promoted: false,
      seconds: 0,
    })),
  )

const hasPawn = (position: Position, side: Side, file: number): boolean =>
  position.squares.some(
    (piece, index) => piece?.side === side && piece.kind === 'P' && !piece.promoted && squareAt(index).file === file,
  )

/** Whether nothing forbids it but what a dropped pawn must not do. */
function leavesNoCheck(position: Position, move: Move): boolean {
  const after = play(position, move)
  return after !== null && checkedKing({ ...after, turn: move.side }) === null
}

function matesByPawn(position: Position, move: Move): boolean {
  if (move.from || move.kind !== 'P') return false
  const after = play(position, move)
  return after !== null && checkedKing(after) !== null && legalMoves(after).length === 0
}

/** Of the side to move; those that promote before those that do not. */
export function legalMoves(position: Position): Move[] {
  const side = position.turn
  const files = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9].filter((file) => hasPawn(position, side, file)))
  return [...moves(position, side, false), ...drops(position, side, (square) => !pieceAt(position, square))].filter(
    (move) =>
      (move.from || move.kind !== 'P' || !files.has(move.to.file)) &&
      leavesNoCheck(position, move) &&
      !matesByPawn(position, move),
  )
}

export const isLegal = (position: Position, move: Move): boolean =>
  legalMoves(position).some((one) => one.side === move.side && sameMove(one, move))

/**
 * What `side` could want to play after whatever its opponent does: every way that its pieces move, over others and onto
 * its own, which may be taken by then.
 */
export const premoves = (position: Position, side: Side): Move[] => [
  ...moves(position, side, true),
  ...drops(position, side, () => true),
]

/** Points of a declaration of entering kings (rook and bishop 5, others 1), and pieces in the zone but the king. */
export interface Entered {
  readonly points: number
  readonly pieces: number
  readonly king: boolean
}
export function entered(position: Position, side: Side): Entered {
  const worth = (kind: Kind) => (kind === 'R' || kind === 'B' ? 5 : kind === 'K' ? 0 : 1)
  const within = position.squares.flatMap((piece, index) =>
    piece?.side === side && ahead(squareAt(index), side) < 3 ? [piece] : [],
  )
  const held = HAND_KINDS.reduce((sum, kind) => sum + worth(kind) * (position.hands[side][kind] ?? 0), 0)
  return {
    points: within.reduce((sum, { kind }) => sum + worth(kind), held),
    pieces: within.filter(({ kind }) => kind !== 'K').length,
    king: within.some(({ kind }) => kind === 'K'),
  }
}
