import { describe, expect, it } from 'vitest'
import { arrowPath } from '../board/geometry'
import { parseEvaluation } from '../shogi/comment'
import { parseMove, parseSfen, play, type Position } from '../shogi/position'
import { expectedMoves } from './expected'

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'

function thinking(moves: string[], comments: Record<number, string>) {
  const positions: (Position | null)[] = [parseSfen(START)]
  for (const move of moves) positions.push(play(positions.at(-1)!, parseMove(move)!))
  return {
    positionAt: (ply: number) => positions[ply] ?? null,
    moveAt: (ply: number) => parseMove(moves[ply - 1] ?? ''),
    evaluationAt: (ply: number) => parseEvaluation(comments[ply] ?? ''),
  }
}

describe('expectedMoves', () => {
  const moves = ['+7776FU', '-3334FU', '+2726FU']
  it('are of both players while the game goes as they thought', () => {
    const game = thinking(moves, { 1: '* 10 -3334FU +2726FU', 2: '* 5 +6766FU' })
    expect(expectedMoves(game, 2)).toEqual([
      { from: { file: 6, rank: 7 }, to: { file: 6, rank: 6 }, by: 'w' },
      { from: { file: 2, rank: 7 }, to: { file: 2, rank: 6 }, by: 'b' },
    ])
    expect(expectedMoves(game, 1).map(({ by }) => by)).toEqual(['b'])
    expect(expectedMoves(game, 0)).toEqual([])
  })
  it('are not of a line that the game has left', () => {
    const game = thinking(moves, { 1: '* 10 -8384FU +2726FU', 2: '* 5 -8384FU' })
    expect(expectedMoves(game, 2)).toEqual([])
  })
  it('lie beside each other where both expect the same', () => {
    const game = thinking(moves, { 1: '* 10 -3334FU +2726FU', 2: '* 5 2g2f' })
    const arrows = expectedMoves(game, 2)
    expect(arrows.map(({ beside }) => beside)).toEqual([-1, 1])
    expect(arrowPath(arrows[0]!, false)).not.toBe(arrowPath(arrows[1]!, false))
    expect(arrowPath(arrows[0]!, false)).not.toBe(arrowPath(arrows[0]!, true))
  })
  it('are drawn as rings where they are drops', () => {
    expect(arrowPath({ from: null, to: { file: 5, rank: 5 }, by: 'b' }, false)).toContain('a47,47')
  })
})
