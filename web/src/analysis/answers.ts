// What /api/v1/games/ID/analysis says (docs/openapi.json), version 1, and what is read out of it. Pure.
import type { Api } from '../api'
import type { MarkKind } from '../live/review'
import type { Side } from '../shogi/position'

export type AnalysedLine = Api['AnalysedLine']
/** `cp` and `mate` are Black's. */
export type Value = Pick<AnalysedLine, 'cp' | 'mate' | 'win_rate'>
export type PositionAnalysis = Api['PositionAnalysis']
export type Point = Api['AnalysedPoint']
export type MoveMark = Api['MoveMark']
export type GameAnalysis = Api['GameAnalysis']

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
