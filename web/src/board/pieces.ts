// How pieces are drawn, by set. Every piece is one <symbol> of the page (Symbols.svelte), which boards use.
import type { Piece } from '../shogi/position'
import { placedGlyph } from './geometry'
import { GLYPHS } from './glyphs'

export const PIECE_SETS = ['one', 'two', 'letters'] as const
export type PieceSet = (typeof PIECE_SETS)[number]

/** What is written on a piece, from top to bottom. */
export interface Face {
  readonly code: string
  readonly kanji: string
  readonly letter: string
  readonly promoted: boolean
}

const face = (code: string, two: string, one = two[0] ?? ''): [string, { one: string; two: string }] => [
  code,
  { one, two },
]
const FACES = new Map([
  face('P', '歩兵'),
  face('L', '香車'),
  face('N', '桂馬'),
  face('S', '銀将'),
  face('G', '金将'),
  face('B', '角行'),
  face('R', '飛車'),
  face('K', '玉将'),
  face('k', '王将'),
  face('+P', 'と金'),
  face('+L', '成香', '杏'),
  face('+N', '成桂', '圭'),
  face('+S', '成銀', '全'),
  face('+B', '龍馬', '馬'),
  face('+R', '龍王', '龍'),
])

/** The king of White is the other one of the two (王). */
export const codeOf = ({ kind, promoted, side }: Piece): string =>
  kind === 'K' && side === 'w' ? 'k' : (promoted ? '+' : '') + kind

export function facesOf(set: PieceSet): Face[] {
  return [...FACES].map(([code, { one, two }]) => ({
    code,
    kanji: set === 'two' ? two : one,
    letter: code.toUpperCase(),
    promoted: code.startsWith('+'),
  }))
}

const inks = new Map<string, string>()
/** What is written on a piece, as an outline around 0,0; nothing in the set of letters. */
export function inkOf(set: PieceSet, code: string): string {
  const key = `${set} ${code}`
  let ink = inks.get(key)
  if (ink === undefined) {
    const kanji = facesOf(set).find((one) => one.code === code)?.kanji ?? ''
    ink = Array.from(kanji, (character, at) => placedGlyph(GLYPHS[character] ?? '', kanji.length, at)).join('')
    inks.set(key, ink)
  }
  return ink
}
