// Moves in words: as Japanese newspapers print them (the rules of the Japan Shogi Association), and in the Western way.
import { pieceAt, reachedFrom, same, type Move, type Piece, type Position, type Square } from './position'

const RANKS = '一二三四五六七八九'
const FILES = '１２３４５６７８９'
const NAMES: Readonly<Record<string, string>> = {
  P: '歩',
  L: '香',
  N: '桂',
  S: '銀',
  G: '金',
  B: '角',
  R: '飛',
  K: '玉',
  '+P': 'と',
  '+L': '成香',
  '+N': '成桂',
  '+S': '成銀',
  '+B': '馬',
  '+R': '龍',
}

const letters = (piece: Piece): string => (piece.promoted ? '+' : '') + piece.kind
/** Of a piece, as Japanese records have it. */
export const nameOf = (piece: Piece): string => NAMES[letters(piece)] ?? '？'
export const sideMark = (move: Move): string => (move.side === 'b' ? '☗' : '☖')

/** The piece that a move begins with; null if it is not there. */
function moving(before: Position, move: Move): Piece | null {
  return move.from ? pieceAt(before, move.from) : { kind: move.kind, promoted: false, side: move.side }
}

type Way = '上' | '寄' | '引'
type Hand = '右' | '左' | '直'

export function wayOf(from: Square, to: Square, piece: Piece): Way {
  const forward = (from.rank - to.rank) * (piece.side === 'b' ? 1 : -1)
  return forward > 0 ? '上' : forward < 0 ? '引' : '寄'
}

// On which side of the destination the piece stands, as its owner sees it. Horses and dragons are never straight.
export function handOf(from: Square, others: readonly Square[], to: Square, piece: Piece): Hand {
  const sign = piece.side === 'b' ? 1 : -1
  const rightness = (square: Square) => (to.file - square.file) * sign
  if (rightness(from) > 0) return '右'
  if (rightness(from) < 0) return '左'
  if (piece.promoted && (piece.kind === 'B' || piece.kind === 'R')) {
    return others.some((square) => rightness(square) > 0) ? '左' : '右'
  }
  return '直'
}

function whichOne(before: Position, piece: Piece, from: Square, to: Square): string {
  const others = reachedFrom(before, piece, to).filter((square) => !same(square, from))
  if (others.length === 0) return ''
  const way = wayOf(from, to, piece)
  if (others.every((square) => wayOf(square, to, piece) !== way)) return way
  const hand = handOf(from, others, to, piece)
  if (hand === '直') return way === '上' ? hand : way
  if (others.every((square) => handOf(square, [from], to, piece) !== hand)) return hand
  return hand + way
}

// Whether the move could have promoted or did.
function promotion(before: Piece, move: Move): string {
  if (move.promoted && !before.promoted) return '成'
  if (!move.from || before.promoted || before.kind === 'G' || before.kind === 'K') return ''
  const inZone = (square: Square) => (move.side === 'b' ? square.rank <= 3 : square.rank >= 7)
  return inZone(move.from) || inZone(move.to) ? '不成' : ''
}

/** "７六歩", "同　銀", "５八金右", "４四角成". `previous`: where the last move went. */
export function japanese(before: Position, move: Move, previous: Square | null): string {
  const piece = moving(before, move)
  if (!piece) return '？'
  const name = nameOf(piece)
  const place = same(previous, move.to)
    ? name.length === 1
      ? '同　'
      : '同'
    : `${FILES[move.to.file - 1]}${RANKS[move.to.rank - 1]}`
  if (!move.from) return place + name + (reachedFrom(before, piece, move.to).length > 0 ? '打' : '')
  return place + name + whichOne(before, piece, move.from, move.to) + promotion(piece, move)
}

/** "P-76", "Sx44", "G*52", "Bx22+", "G58-57" where several could. */
export function western(before: Position, move: Move): string {
  const piece = moving(before, move)
  if (!piece) return '?'
  const to = `${move.to.file}${move.to.rank}`
  if (!move.from) return `${piece.kind}*${to}`
  const several = reachedFrom(before, piece, move.to).length > 1
  const from = several ? `${move.from.file}${move.from.rank}` : ''
  const mark = { 成: '+', 不成: '=' }[promotion(piece, move)] ?? ''
  return letters(piece) + from + (pieceAt(before, move.to) ? 'x' : '-') + to + mark
}

interface Played {
  moveAt(ply: number): Move | null
  positionAt(ply: number): Position | null
  readonly moves: readonly string[]
}

/** A move of a game with its side's mark; what cannot be understood is as the server said it, or "？". */
export function moveText(game: Played, ply: number, notation: 'japanese' | 'western'): string {
  const [before, move] = [game.positionAt(ply - 1), game.moveAt(ply)]
  if (!move) return game.moves[ply - 1] ?? ''
  if (!before) return sideMark(move) + '？'
  const said =
    notation === 'japanese' ? japanese(before, move, game.moveAt(ply - 1)?.to ?? null) : western(before, move)
  return sideMark(move) + said
}
