// Where things are on a board as it is drawn: a square is 100 by 100, the top left corner of the squares is 0,0. Pure.
import { indexOf, type Side, type Square } from '../shogi/position'

export const RANKS = '一二三四五六七八九'
/** Of one of those beside its row, from the top. */
export const rankTransform = (x: number, row: number): string => `translate(${x} ${row * 100 + 50}) scale(.26)`
/** The lines between squares. */
export const LINES = Array.from({ length: 8 }, (_, i) => `M${(i + 1) * 100},0V900M0,${(i + 1) * 100}H900`).join('')
export const STARS = [
  [300, 300],
  [600, 300],
  [300, 600],
  [600, 600],
] as const
/** Those as lines without a length, which round ends make dots. */
export const DOTS = STARS.map(([x, y]) => `M${x},${y}h0`).join('')
/** The outline of a piece around 0,0. */
export const KOMA = 'M0,-44 L25,-34 L35,42 L-35,42 L-25,-34 Z'

/** Of a character on a piece: the only one, or the first or second of two. */
export const glyphTransform = (characters: number, at: number): string =>
  characters === 1 ? 'translate(0 5) scale(.58)' : `translate(0 ${at === 0 ? -15 : 23}) scale(.4 .37)`

/** An outline of absolute commands, its numbers apart by spaces, scaled and then moved. */
function placed(outline: string, [sx, sy]: readonly [number, number], [dx, dy]: readonly [number, number]): string {
  let command = ''
  let across = true
  return outline.replace(/[MLCHVZ]|-?[\d.]+/g, (part) => {
    if (part >= 'A') {
      command = part
      across = command !== 'V'
      return part
    }
    const number = across ? Number(part) * sx + dx : Number(part) * sy + dy
    if (command !== 'H' && command !== 'V') across = !across
    return String(Math.round(10 * number) / 10)
  })
}

/** The same outline there. */
export const placedGlyph = (outline: string, characters: number, at: number): string =>
  characters === 1 ? placed(outline, [0.58, 0.58], [0, 5]) : placed(outline, [0.4, 0.37], [0, at === 0 ? -15 : 23])

/**
 * An outline around 0,0 on its square. Pieces on boards are drawn so, without transformations: each of those is a thing
 * that the browser keeps apart, and nine boards have hundreds of pieces.
 */
export function onSquare(outline: string, index: number, side: Side, flipped: boolean): string {
  const { x, y } = placeOf(index, flipped)
  const upside = (side === 'w') !== flipped
  const ready = upside ? turned : upright
  let shape = ready.get(outline)
  if (!shape) ready.set(outline, (shape = relative(outline, upside ? -SCALE : SCALE)))
  return `M${(10 * x + 500 + shape.x) / 10} ${(10 * y + 500 + shape.y) / 10}${shape.rest}`
}
const SCALE = 1.08

/** An outline that is moved by moving its first point, in tenths, alone. */
interface Shape {
  readonly x: number
  readonly y: number
  readonly rest: string
}
// What pieces are made of is one of few outlines, each either way up.
const upright = new Map<string, Shape>()
const turned = new Map<string, Shape>()

/** An outline of absolute commands that begins with M, scaled, as steps from point to point. */
function relative(outline: string, scale: number): Shape {
  const tenths = (text: string) =>
    text.match(/-?[\d.]+/g)?.map((number) => Math.round(10 * scale * Number(number))) ?? []
  const [left = 0, top = 0] = tenths(/^M[^A-Z]*/.exec(outline)?.[0] ?? '')
  let [x, y, openedX, openedY, rest] = [left, top, left, top, '']
  for (const [, command = '', text = ''] of outline.matchAll(/([MLCHVZ])([^MLCHVZ]*)/g)) {
    const numbers = tenths(text)
    const each = command === 'H' || command === 'V' ? 1 : 2
    rest += STEPS[command] ?? 'l'
    if (command === 'M') [openedX = 0, openedY = 0] = numbers
    for (let i = 0; i < numbers.length; i += each) {
      const toX = command === 'V' ? x : (numbers[i] ?? 0)
      const toY = command === 'H' ? y : (numbers[i + each - 1] ?? 0)
      rest += `${i > 0 ? ' ' : ''}${(toX - x) / 10} ${(toY - y) / 10}`
      // The three points of a curve are told from where it begins.
      if (command !== 'C' || i % 6 === 4) [x, y] = [toX, toY]
    }
    if (command === 'Z') [x, y] = [openedX, openedY]
  }
  return { x: left, y: top, rest }
}
const STEPS: Readonly<Record<string, string>> = { M: 'm', C: 'c', Z: 'z' }

/** The index whose place a square takes on a board that may be turned round; the other way round as well. */
export const seenAt = (index: number, flipped: boolean): number => (flipped ? 80 - index : index)

/** The top left corner of a square. */
export const placeOf = (index: number, flipped: boolean): { x: number; y: number } => ({
  x: (seenAt(index, flipped) % 9) * 100,
  y: Math.floor(seenAt(index, flipped) / 9) * 100,
})

export function pieceTransform(index: number, side: Side, flipped: boolean): string {
  const { x, y } = placeOf(index, flipped)
  return `translate(${x + 50} ${y + 50})${(side === 'w') !== flipped ? ' rotate(180)' : ''} scale(${SCALE})`
}

/** A move that somebody expects, or that an engine thinks best. */
export interface Arrow {
  /** Null: a drop. */
  readonly from: Square | null
  readonly to: Square
  /** Who expects it. */
  readonly by: Side | 'engine'
  /** Beside another one for the same move: which of the two, so that both are seen. */
  readonly beside?: -1 | 1
}

const middle = (square: Square, flipped: boolean) => {
  const { x, y } = placeOf(indexOf(square), flipped)
  return { x: x + 50, y: y + 50 }
}

function ring({ x, y }: { x: number; y: number }, outer: number, inner: number): string {
  const circle = (radius: number, sweep: number) => {
    const half = (across: number) => `a${radius},${radius} 0 1 ${sweep} ${across},0`
    return `M${x - radius},${y}${half(2 * radius)}${half(-2 * radius)}z`
  }
  return circle(outer, 1) + circle(inner, 0)
}

/** An arrow from square to square, with a head; a ring around the square of a drop. */
export function arrowPath({ from, to, beside }: Arrow, flipped: boolean): string {
  const end = middle(to, flipped)
  if (!from) return beside === 1 ? ring(end, 37, 29) : ring(end, 47, 38)
  const start = middle(from, flipped)
  const [dx, dy] = [end.x - start.x, end.y - start.y]
  const length = Math.hypot(dx, dy)
  const [ux, uy] = [dx / length, dy / length]
  const aside = 11 * (beside ?? 0)
  const point = (along: number, across: number) => {
    const side = across + aside
    return `${(start.x + ux * along - uy * side).toFixed(1)},${(start.y + uy * along + ux * side).toFixed(1)}`
  }
  const [tip, neck] = [length - 8, Math.max(length - 46, 24)]
  const corners = [
    [18, -7],
    [neck, -7],
    [neck, -22],
    [tip, 0],
    [neck, 22],
    [neck, 7],
    [18, 7],
  ] as const
  return `M${corners.map(([along, across]) => point(along, across)).join('L')}Z`
}
