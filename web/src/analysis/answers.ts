// What /api/v1/games/ID/analysis says (docs/openapi.json), version 1, and what is read out of it. Pure.
import type { MarkKind } from '../live/review'
import type { Side } from '../shogi/position'

export interface Value {
  /** Black's, in hundredths of a pawn. */
  readonly cp: number | null
  /** Plies; below zero: White mates; 0: who is to move is mated. */
  readonly mate: number | null
  /** Black's chance. */
  readonly win_rate: number
}

interface Head {
  readonly state: 'queued' | 'running' | 'done'
  readonly engine: string
}

export interface AnalysedLine extends Value {
  /** As USI writes them. */
  readonly pv: readonly string[]
}

export interface PositionAnalysis extends Head {
  readonly ply: number
  readonly depth: number
  readonly nodes: number
  readonly lines: readonly AnalysedLine[]
}

export interface Point extends Value {
  readonly ply: number
  readonly best: string | null
}

export interface MoveMark {
  readonly ply: number
  readonly kind: MarkKind
  readonly loss: number
  readonly line: readonly string[]
}

export interface GameAnalysis extends Head {
  readonly done: number
  readonly positions: number
  readonly points: readonly Point[]
  readonly marks: readonly MoveMark[]
}

export const MARK_KINDS: readonly MarkKind[] = ['inaccuracy', 'mistake', 'blunder']
/** As records of games have them. */
export const SIGNS: Readonly<Record<MarkKind, string>> = { inaccuracy: '?!', mistake: '?', blunder: '??' }

/** "+134", "-3", "0"; "+M7" for a mate in so many plies, "+M" where their number is not known. */
export function valueText({ cp, mate, win_rate }: Value): string {
  if (cp !== null) return (cp > 0 ? '+' : '') + String(cp)
  return (win_rate > 0.5 ? '+M' : '-M') + (mate ? String(Math.abs(mate)) : '')
}

/** How often each side made each kind of mistake. `first`: who makes the first move. */
export function countMarks(marks: readonly MoveMark[], first: Side): Record<Side, Record<MarkKind, number>> {
  const none = () => ({ inaccuracy: 0, mistake: 0, blunder: 0 })
  const counts = { b: none(), w: none() }
  for (const { ply, kind } of marks) counts[(ply % 2 === 1) === (first === 'b') ? 'b' : 'w'][kind] += 1
  return counts
}
