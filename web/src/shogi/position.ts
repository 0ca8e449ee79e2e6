// Positions as the feed tells them: SFEN in, CSA moves applied. It follows moves and never judges them: the server has.

export type Side = 'b' | 'w'
export type Kind = 'P' | 'L' | 'N' | 'S' | 'G' | 'B' | 'R' | 'K'

export interface Piece {
  readonly kind: Kind
  readonly promoted: boolean
  readonly side: Side
}

// The 28 pieces there are, each once: what draws a position sees by identity which squares have changed.
const PIECES = new Map<string, Piece>()
export function pieceOf(kind: Kind, promoted: boolean, side: Side): Piece {
  const key = `${side}${kind}${promoted ? '+' : ''}`
  let piece = PIECES.get(key)
  if (!piece) PIECES.set(key, (piece = Object.freeze({ kind, promoted, side })))
  return piece
}

/** File 9 to 1 from the left, rank 1 to 9 from the top, as Black sees the board. */
export interface Square {
  readonly file: number
  readonly rank: number
}

export type Hand = Readonly<Partial<Record<Kind, number>>>

export interface Position {
  /** Row by row from the top left: 9a, 8a, ... 1i. */
  readonly squares: readonly (Piece | null)[]
  readonly turn: Side
  readonly hands: Readonly<Record<Side, Hand>>
}

/** A move of the feed: "+7776FU,T3". `from` is null for a drop; `kind` and `promoted` are those after the move. */
export interface Move {
  readonly side: Side
  readonly from: Square | null
  readonly to: Square
  readonly kind: Kind
  readonly promoted: boolean
  readonly seconds: number
}

/** In the order in which hands are shown. */
export const HAND_KINDS: readonly Kind[] = ['R', 'B', 'G', 'S', 'N', 'L', 'P']

/** The pieces by their names in CSA's formats: kind, and whether it is promoted. */
export const CSA: Readonly<Record<string, readonly [Kind, boolean]>> = {
  FU: ['P', false],
  KY: ['L', false],
  KE: ['N', false],
  GI: ['S', false],
  KI: ['G', false],
  KA: ['B', false],
  HI: ['R', false],
  OU: ['K', false],
  TO: ['P', true],
  NY: ['L', true],
  NK: ['N', true],
  NG: ['S', true],
  UM: ['B', true],
  RY: ['R', true],
}

export const other = (side: Side): Side => (side === 'b' ? 'w' : 'b')
export const indexOf = (square: Square): number => (square.rank - 1) * 9 + (9 - square.file)
export const squareAt = (index: number): Square => ({ file: 9 - (index % 9), rank: Math.floor(index / 9) + 1 })
export const pieceAt = (position: Position, square: Square): Piece | null => position.squares[indexOf(square)] ?? null
export const same = (a: Square | null, b: Square | null): boolean =>
  a !== null && b !== null && a.file === b.file && a.rank === b.rank

/** Whatever time they took. */
export const sameMove = (a: Move, b: Move): boolean =>
  same(a.to, b.to) && a.kind === b.kind && a.promoted === b.promoted && (a.from === b.from || same(a.from, b.from))

const isKind = (letter: string): letter is Kind => 'PLNSGBRK'.includes(letter) && letter.length === 1

function parseRow(row: string): (Piece | null)[] | null {
  const cells: (Piece | null)[] = []
  let promoted = false
  for (const letter of row) {
    const kind = letter.toUpperCase()
    if (letter === '+') {
      promoted = true
    } else if (/[1-9]/.test(letter)) {
      for (let i = 0; i < Number(letter); ++i) cells.push(null)
    } else if (isKind(kind)) {
      cells.push(pieceOf(kind, promoted, letter === kind ? 'b' : 'w'))
      promoted = false
    } else {
      return null
    }
  }
  return cells.length === 9 ? cells : null
}

/** Null for what is no position. */
export function parseSfen(sfen: string): Position | null {
  const [board = '', turn, hand = '-'] = sfen.trim().split(/\s+/)
  const rows = board.split('/').map(parseRow)
  if (rows.length !== 9 || (turn !== 'b' && turn !== 'w')) return null
  const squares: (Piece | null)[] = []
  for (const row of rows) {
    if (row === null) return null
    squares.push(...row)
  }
  const hands: Record<Side, Partial<Record<Kind, number>>> = { b: {}, w: {} }
  if (!/^(-|(\d*[PLNSGBRplnsgbr])+)$/.test(hand)) return null
  for (const [, count, letter = ''] of hand.matchAll(/(\d*)([A-Za-z])/g)) {
    const kind = letter.toUpperCase() as Kind
    hands[letter === kind ? 'b' : 'w'][kind] = Number(count || 1)
  }
  return { squares, turn, hands }
}

/** `number`: of the move that comes next. */
export function toSfen(position: Position, number: number): string {
  const letters = (piece: Piece) =>
    (piece.promoted ? '+' : '') + (piece.side === 'b' ? piece.kind : piece.kind.toLowerCase())
  const rows = Array.from({ length: 9 }, (_, rank) =>
    position.squares
      .slice(9 * rank, 9 * rank + 9)
      .map((piece) => (piece ? letters(piece) : '1'))
      .join('')
      .replace(/1+/g, (empty) => String(empty.length)),
  )
  const held = (side: Side) =>
    HAND_KINDS.map((kind) => {
      const count = position.hands[side][kind] ?? 0
      return (count > 1 ? String(count) : '') + (count > 0 ? letters({ kind, promoted: false, side }) : '')
    }).join('')
  return `${rows.join('/')} ${position.turn} ${held('b') + held('w') || '-'} ${number}`
}

/** Null for what is no move. */
export function parseMove(text: string): Move | null {
  const found = /^([+-])(\d)(\d)([1-9])([1-9])([A-Z]{2})(?:,T(-?\d+))?$/.exec(text)
  if (!found) return null
  const [, sign, fromFile, fromRank, toFile, toRank, letters = '', seconds = '0'] = found
  const piece = CSA[letters]
  if (!piece) return null
  const from = { file: Number(fromFile), rank: Number(fromRank) }
  return {
    side: sign === '+' ? 'b' : 'w',
    from: from.file === 0 || from.rank === 0 ? null : from,
    to: { file: Number(toFile), rank: Number(toRank) },
    kind: piece[0],
    promoted: piece[1],
    seconds: Number(seconds),
  }
}

/** The position after a move; null if it cannot have been made here. */
export function play(position: Position, move: Move): Position | null {
  const squares = position.squares.slice()
  const hand: Partial<Record<Kind, number>> = { ...position.hands[move.side] }
  if (squares[indexOf(move.to)]?.side === move.side) return null
  if (move.from) {
    if (squares[indexOf(move.from)]?.side !== move.side) return null
    squares[indexOf(move.from)] = null
    const taken = squares[indexOf(move.to)]
    if (taken) hand[taken.kind] = (hand[taken.kind] ?? 0) + 1
  } else {
    const held = hand[move.kind] ?? 0
    if (held === 0 || squares[indexOf(move.to)]) return null
    if (held === 1) delete hand[move.kind]
    else hand[move.kind] = held - 1
  }
  squares[indexOf(move.to)] = pieceOf(move.kind, move.promoted, move.side)
  return { squares, turn: other(move.side), hands: { ...position.hands, [move.side]: hand } }
}

// ---- where pieces go ----

export type Step = readonly [forward: number, right: number]

const GOLD: readonly Step[] = [
  [1, 0],
  [1, 1],
  [1, -1],
  [0, 1],
  [0, -1],
  [-1, 0],
]
const SILVER: readonly Step[] = [
  [1, 0],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
]
const STRAIGHT: readonly Step[] = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
]
const SLANT: readonly Step[] = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
]
const NONE: readonly Step[] = []

export function stepsOf(piece: Piece): readonly Step[] {
  switch (piece.kind) {
    case 'K':
      return [...STRAIGHT, ...SLANT]
    case 'R':
      return piece.promoted ? SLANT : NONE
    case 'B':
      return piece.promoted ? STRAIGHT : NONE
    case 'G':
      return GOLD
    case 'L':
      return piece.promoted ? GOLD : NONE
    case 'P':
      return piece.promoted ? GOLD : [[1, 0]]
    case 'N':
      return piece.promoted
        ? GOLD
        : [
            [2, 1],
            [2, -1],
          ]
    case 'S':
      return piece.promoted ? GOLD : SILVER
  }
}

export function slidesOf(piece: Piece): readonly Step[] {
  if (piece.kind === 'R') return STRAIGHT
  if (piece.kind === 'B') return SLANT
  return piece.kind === 'L' && !piece.promoted ? [[1, 0]] : NONE
}

/** One step on, as its owner sees it; null: beyond the board. */
export function moved(square: Square, side: Side, [forward, right]: Step): Square | null {
  const sign = side === 'b' ? 1 : -1
  const file = square.file - sign * right
  const rank = square.rank - sign * forward
  return file >= 1 && file <= 9 && rank >= 1 && rank <= 9 ? { file, rank } : null
}

/** Whether the piece on `from` could go to `to` by the way it moves; nothing is asked of kings in check. */
export function reaches(position: Position, from: Square, to: Square): boolean {
  const piece = pieceAt(position, from)
  if (!piece) return false
  if (stepsOf(piece).some((step) => same(moved(from, piece.side, step), to))) return true
  return slidesOf(piece).some((step) => {
    for (let at = moved(from, piece.side, step); at; at = moved(at, piece.side, step)) {
      if (same(at, to)) return true
      if (pieceAt(position, at)) return false
    }
    return false
  })
}

/** Where pieces like this one stand that could go to `to`. */
export function reachedFrom(position: Position, like: Piece, to: Square): Square[] {
  const found: Square[] = []
  position.squares.forEach((piece, index) => {
    if (piece?.kind !== like.kind || piece.promoted !== like.promoted || piece.side !== like.side) return
    if (reaches(position, squareAt(index), to)) found.push(squareAt(index))
  })
  return found
}

export function kingOf(position: Position, side: Side): Square | null {
  const index = position.squares.findIndex((piece) => piece?.kind === 'K' && piece.side === side)
  return index < 0 ? null : squareAt(index)
}

/** Where the king of the side to move stands if it is in check. */
export function checkedKing(position: Position): Square | null {
  const king = kingOf(position, position.turn)
  if (!king) return null
  const attacked = position.squares.some(
    (piece, index) => piece?.side === other(position.turn) && reaches(position, squareAt(index), king),
  )
  return attacked ? king : null
}
