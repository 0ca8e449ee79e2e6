// Moves that are typed: USI (7g7f, P*5e, 2b3c+), CSA (7776FU, 0055KA), as Japanese records have them (７六歩, 同　銀,
// ５八金右, ４五桂打, 22角不成), and in the Western way (P-76, Bx22+). Pure.
import { legalMoves } from '../shogi/legal'
import { handOf, nameOf, wayOf, western } from '../shogi/notation'
import { pieceAt, reachedFrom, same, type Move, type Piece, type Position, type Square } from '../shogi/position'
import { moveLine } from './wire'

/** unknown: no way of writing a move; illegal: no legal move is written so; several: more than one is. */
export type Problem = 'unknown' | 'illegal' | 'several'
export type Typed = { readonly move: Move } | { readonly problem: Problem }

const pieceOf = (position: Position, { from, kind, side }: Move): Piece =>
  (from && pieceAt(position, from)) ?? { kind, promoted: false, side }
const promotes = (position: Position, move: Move): boolean => move.promoted && !pieceOf(position, move).promoted

const only = (moves: readonly Move[]): Typed => {
  const [move, another] = moves
  return move && !another ? { move } : { problem: move ? 'several' : 'illegal' }
}

const RANKS = '一二三四五六七八九'
/** Digits, brackets and blanks in one form, marks of the side away. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[☗☖▲△▼▽\s]/g, '')
    .replace(/[一二三四五六七八九]/g, (rank) => String(RANKS.indexOf(rank) + 1))
    .replace('竜', '龍')
    .replace('王', '玉')
    .replace('生', '不成')

function usi(position: Position, text: string): ((move: Move) => boolean) | null {
  const [, drop, from, to = '', plus] = /^(?:([PLNSGBR])\*|([1-9][a-i]))([1-9][a-i])(\+?)$/i.exec(text) ?? []
  if (!to) return null
  const square = (one: Square) => `${one.file}${String.fromCharCode(96 + one.rank)}`
  return (move) =>
    square(move.to) === to.toLowerCase() &&
    (drop
      ? !move.from && move.kind === drop.toUpperCase()
      : !!move.from && square(move.from) === from?.toLowerCase()) &&
    (plus !== '') === promotes(position, move)
}

function csa(text: string): ((move: Move) => boolean) | null {
  const [, move = ''] = /^[+-]?(\d\d[1-9][1-9][A-Z]{2})$/i.exec(text) ?? []
  return move ? (one) => moveLine(one).slice(1) === move.toUpperCase() : null
}

/** Whether the move is the one that words like 右, 直 and 上 tell of. */
function fitsWords(position: Position, move: Move, words: string): boolean {
  const { from, to } = move
  const piece = from && pieceAt(position, from)
  if (!from || !piece) return false
  const others = reachedFrom(position, piece, to).filter((square) => !same(square, from))
  const hand = handOf(from, others, to, piece)
  const way = wayOf(from, to, piece)
  return [...words].every((word) => (word === '直' ? hand === word && way === '上' : word === hand || word === way))
}

function kif(position: Position, text: string, previous: Square | null): Typed | null {
  const found =
    /^(同|[1-9][1-9])(成[香桂銀]|[歩香桂銀金角飛玉と馬龍])([右左直上寄引]*)(打|不成|成)?(?:\((\d)(\d)\))?$/.exec(text)
  if (!found) return null
  const [, place = '', name = '', words = '', end = '', file, rank] = found
  const to = place === '同' ? previous : { file: Number(place[0]), rank: Number(place[1]) }
  if (!to) return { problem: 'illegal' }
  const named = legalMoves(position).filter((move) => same(move.to, to) && nameOf(pieceOf(position, move)) === name)
  const origin = file && rank ? { file: Number(file), rank: Number(rank) } : null
  const told = named.filter(
    (move) => (!words || fitsWords(position, move, words)) && (!origin || same(move.from, origin)),
  )
  if (end === '打') return only(told.filter(({ from }) => !from))
  // Where a piece on the board could go there, that one is meant.
  const moved = told.filter(({ from }) => from)
  const ways = moved.length > 0 ? moved : told
  return only(end === '' ? ways : ways.filter((move) => promotes(position, move) === (end === '成')))
}

/** `previous`: where the last move went. */
export function typedMove(position: Position, text: string, previous: Square | null): Typed {
  const said = plain(text)
  const japaneseMove = kif(position, said, previous)
  if (japaneseMove) return japaneseMove
  const legal = legalMoves(position)
  const fits = usi(position, said) ?? csa(said)
  if (fits) return only(legal.filter(fits))
  const written = legal.filter((move) => western(position, move).toLowerCase() === said.toLowerCase())
  return written.length > 0
    ? only(written)
    : { problem: /^\+?[PLNSGBRK]\d{0,2}[-x*]\d\d[+=]?$/i.test(said) ? 'illegal' : 'unknown' }
}
