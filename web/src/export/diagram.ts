// A position as an SVG that stands alone: pieces, colours and names are all in it. Pure.
import { glyphTransform, KOMA, LINES, pieceTransform, placeOf, RANKS, rankTransform, STARS } from '../board/geometry'
import { GLYPHS } from '../board/glyphs'
import { codeOf, facesOf, type Face, type PieceSet } from '../board/pieces'
import { HAND_KINDS, indexOf, other, squareAt, type Position, type Side, type Square } from '../shogi/position'

export interface Diagram {
  readonly position: Position
  readonly names: Readonly<Record<Side, string>>
  readonly last: Square | null
  readonly flipped: boolean
  readonly pieces: PieceSet
}

// The light colours of the pages (app.css): what is kept is printed as often as shown.
const PAPER = '#fffdf8'
const TEXT = '#1d1b18'
const [WOOD, LINE, LAST] = ['#e8c37d', '#4a3414', '#f6d365']
const [KOMA_FILL, KOMA_EDGE, INK, INK_PROMOTED] = ['#f8e3b6', '#7a5a26', '#21150a', '#b3160f']
const FONT = "font-family=\"system-ui,'Hiragino Sans','Noto Sans CJK JP',sans-serif\""

const CENTRED = `text-anchor="middle" ${FONT}`

const [LEFT, TOP, BAR] = [24, 30, 96]
/** Of the picture, in its own units. */
export const WIDTH = 968
export const HEIGHT = TOP + 912 + 2 * BAR

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
// Control characters have no place in XML, escaped or not.
const escaped = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '').replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')

function symbolOf(face: Face, set: PieceSet): string {
  const ink = face.promoted ? INK_PROMOTED : INK
  const koma = `<path d="${KOMA}" fill="${KOMA_FILL}" stroke="${KOMA_EDGE}" stroke-width="1.5"/>`
  const glyphs = Array.from(face.kanji, (character, at) => {
    const transform = glyphTransform(face.kanji.length, at)
    return `<path fill="${ink}" d="${GLYPHS[character] ?? ''}" transform="${transform}"/>`
  })
  const letter = `<text y="20" font-size="50" font-weight="700" fill="${ink}" ${CENTRED}>${face.letter}</text>`
  return `<g id="p${nameOf(face.code)}">${koma}${set === 'letters' ? letter : glyphs.join('')}</g>`
}

// "+" is no part of an XML name.
const nameOf = (code: string): string => code.replace('+', '-')

function board({ position, last, flipped }: Diagram): string {
  const parts = [`<rect x="-6" y="-6" width="912" height="912" rx="6" fill="${WOOD}"/>`]
  if (last) {
    const { x, y } = placeOf(indexOf(last), flipped)
    parts.push(`<rect x="${x}" y="${y}" width="100" height="100" fill="${LAST}"/>`)
  }
  parts.push(`<path d="${LINES}" fill="none" stroke="${LINE}" stroke-width="2"/>`)
  parts.push(`<rect width="900" height="900" fill="none" stroke="${LINE}" stroke-width="4"/>`)
  for (const [x, y] of STARS) parts.push(`<circle cx="${x}" cy="${y}" r="6" fill="${LINE}"/>`)
  for (let i = 0; i < 9; ++i) {
    const square = squareAt(flipped ? 80 - 10 * i : 10 * i)
    parts.push(`<text x="${i * 100 + 50}" y="-12">${square.file}</text>`)
    parts.push(`<path d="${GLYPHS[RANKS[square.rank - 1] ?? '']}" transform="${rankTransform(922, i)}"/>`)
  }
  position.squares.forEach((piece, index) => {
    if (!piece) return
    const code = nameOf(codeOf(piece))
    parts.push(`<use href="#p${code}" transform="${pieceTransform(index, piece.side, flipped)}"/>`)
  })
  return parts.join('')
}

/** So much of a name as there is room for; wide characters take more of it. */
function shortened(name: string, room: number): string {
  let taken = 0
  let short = ''
  for (const sign of name) {
    taken += (sign.codePointAt(0) ?? 0) < 0x1100 ? 0.62 : 1
    if (taken > room) return `${short}…`
    short += sign
  }
  return short
}

// A mark in the shape of a piece, the name, and what is in hand, from the right.
function bar({ position, names }: Diagram, side: Side, y: number): string {
  const held = HAND_KINDS.filter((kind) => position.hands[side][kind])
  const from = WIDTH - LEFT + 48 - 88 * held.length
  const hand = held.map((kind, i) => {
    const x = from + 88 * i
    const count = position.hands[side][kind] ?? 0
    const number = count > 1 ? `<text x="${x + 34}" y="${y + 24}" font-size="32" font-weight="700">${count}</text>` : ''
    const code = codeOf({ kind, promoted: false, side })
    return `<use href="#p${code}" transform="translate(${x} ${y}) scale(.8)"/>${number}`
  })
  const text = shortened(names[side], Math.floor((from - 140) / 34))
  const place = `translate(${LEFT + 26} ${y}) scale(.5)`
  const fill = side === 'b' ? TEXT : PAPER
  const mark = `<path d="${KOMA}" transform="${place}" fill="${fill}" stroke="${TEXT}" stroke-width="5"/>`
  const words = `<text x="${LEFT + 60}" y="${y + 13}" font-size="36" text-anchor="start">${escaped(text)}</text>`
  return mark + words + hand.join('')
}

export function diagram(what: Diagram): string {
  const below: Side = what.flipped ? 'w' : 'b'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">`,
    `<defs>${facesOf(what.pieces)
      .map((face) => symbolOf(face, what.pieces))
      .join('')}</defs>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${PAPER}"/>`,
    `<g fill="${TEXT}" font-size="24" ${CENTRED}>`,
    bar(what, other(below), BAR / 2),
    `<g transform="translate(${LEFT} ${BAR + TOP})">${board(what)}</g>`,
    bar(what, below, HEIGHT - BAR / 2),
    '</g></svg>',
  ].join('')
}
