// What programs say of their moves: floodgate's convention, "* 30 +2726FU -8384FU", a value from Black's side in
// hundredths of a pawn and the moves expected next. Some write them in USI, and some the nodes at the end, "#12345".
import { pieceAt, parseMove, play, type Kind, type Move, type Position, type Side, type Square } from './position'

export interface Evaluation {
  /** From Black's side. */
  readonly score: number
  readonly line: readonly string[]
  readonly nodes: number | null
}

/** Null for words that are no evaluation. */
export function parseEvaluation(comment: string): Evaluation | null {
  const found = /^\*+\s*([+-]?\d{1,6})(?:\s+(.*))?$/.exec(comment.trim())
  if (!found) return null
  const line: string[] = []
  let nodes: number | null = null
  for (const word of (found[2] ?? '').split(/\s+/).filter(Boolean)) {
    if (/^#\d{1,15}$/.test(word)) nodes = Number(word.slice(1))
    else if (line.length < MOST_MOVES) line.push(word)
  }
  return { score: Number(found[1]), line, nodes }
}

const MOST_MOVES = 64

/** A move as USI writes it, of the side to move; null for what is none. */
export function parseUsi(position: Position, word: string): Move | null {
  const square = (text: string): Square | null =>
    /^[1-9][a-i]$/.test(text) ? { file: Number(text[0]), rank: 'abcdefghi'.indexOf(text[1] ?? '') + 1 } : null
  const to = square(word.slice(2, 4))
  if (!to) return null
  if (/^[PLNSGBR]\*[1-9][a-i]$/.test(word)) {
    return { side: position.turn, from: null, to, kind: word[0] as Kind, promoted: false, seconds: 0 }
  }
  const from = square(word.slice(0, 2))
  const piece = from && pieceAt(position, from)
  if (!piece || (word.length !== 4 && word[4] !== '+')) return null
  return { side: piece.side, from, to, kind: piece.kind, promoted: piece.promoted || word.length === 5, seconds: 0 }
}

/** A move of a line. */
export interface Step {
  readonly before: Position
  readonly move: Move
  readonly after: Position
}
/** One that is looked at; `by`: whose line it is. */
export interface LineStep extends Step {
  readonly by: Side | 'engine'
}

/** Moves of a line with the positions before them, as far as they can be understood. */
export function followLine(start: Position, line: readonly string[]): Step[] {
  const steps: Step[] = []
  let before = start
  for (const word of line) {
    const move = parseMove(word) ?? parseUsi(before, word)
    const after = move && move.side === before.turn ? play(before, move) : null
    if (!move || !after) break
    steps.push({ before, move, after })
    before = after
  }
  return steps
}

/** The chance to win that a value means, as engines of shogi have it: 600 is one unit of the logistic curve. */
export const winRate = (score: number): number => 1 / (1 + Math.exp(-score / 600))

/** The value that means so much of a chance. */
export const scoreOf = (rate: number): number => 600 * Math.log(rate / (1 - rate))

/** Values from here on are mates. */
export const MATE = 29_000

/** "+134", "-3", "0", "+M". */
export function scoreText(score: number): string {
  if (Math.abs(score) >= MATE) return score > 0 ? '+M' : '-M'
  return (score > 0 ? '+' : '') + String(score)
}
