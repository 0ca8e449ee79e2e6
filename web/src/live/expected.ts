// What both players expect to be played in a position: the first moves of their newest lines that still fit. Pure.
import type { Arrow } from '../board/geometry'
import { followLine, type Evaluation } from '../shogi/comment'
import { same, sameMove, type Move, type Position } from '../shogi/position'

interface Thinking {
  positionAt(ply: number): Position | null
  moveAt(ply: number): Move | null
  evaluationAt(ply: number): Evaluation | null
}

/** The move that is expected `after` the moves of a line that were really played. */
function nextOf(game: Thinking, ply: number, after: number): Move | null {
  const start = ply > 0 ? game.positionAt(ply) : null
  const evaluation = start && game.evaluationAt(ply)
  if (!start || !evaluation) return null
  const steps = followLine(start, evaluation.line.slice(0, after + 1))
  for (let i = 0; i < after; ++i) {
    const [expected, made] = [steps[i]?.move, game.moveAt(ply + 1 + i)]
    if (!expected || !made || !sameMove(expected, made)) return null
  }
  return steps[after]?.move ?? null
}

/** Of the player who moved last, and of the one before, if the reply was the one that they had expected. */
export function expectedMoves(game: Thinking, ply: number): Arrow[] {
  const arrows = [0, 1].flatMap((back): Arrow[] => {
    const by = game.moveAt(ply - back)?.side
    const next = nextOf(game, ply - back, back)
    return by && next ? [{ from: next.from, to: next.to, by }] : []
  })
  const [first, second] = arrows
  const both =
    first && second && same(first.to, second.to) && (first.from === second.from || same(first.from, second.from))
  return both
    ? [
        { ...first, beside: -1 },
        { ...second, beside: 1 },
      ]
    : arrows
}
