import { describe, expect, it } from 'vitest'
import { legalMoves } from '../shogi/legal'
import { parseMove, parseSfen } from '../shogi/position'
import { movesTo, pickedAt, squareUnder, targetsOf } from './hold'

describe('a piece that is held', () => {
  const position = parseSfen('4k4/9/9/4S4/9/9/9/9/4K4 b P 1')!
  const moves = legalMoves(position)
  it('is of the own side', () => {
    expect(pickedAt(position, 'b', { file: 5, rank: 4 })).toEqual({ from: { file: 5, rank: 4 } })
    expect(pickedAt(position, 'w', { file: 5, rank: 4 })).toBeNull()
    expect(pickedAt(position, 'b', { file: 1, rank: 1 })).toBeNull()
    expect(pickedAt(position, 'b', 'P')).toEqual({ kind: 'P' })
    expect(pickedAt(position, 'b', 'G')).toBeNull()
    expect(pickedAt(position, 'b', null)).toBeNull()
  })
  it('has targets, each once, and both ways where it may promote', () => {
    const silver = { from: { file: 5, rank: 4 } }
    expect(targetsOf(moves, silver)).toHaveLength(5)
    expect(movesTo(moves, silver, { file: 5, rank: 3 }).map(({ promoted }) => promoted)).toEqual([true, false])
    expect(movesTo(moves, silver, { file: 9, rank: 9 })).toEqual([])
    expect(movesTo(moves, { kind: 'P' }, { file: 9, rank: 9 })).toEqual([parseMove('+0099FU')])
  })
  it('is over a square of the board, whichever way that is turned', () => {
    const box = { left: 100, top: 50, width: 968 }
    expect(squareUnder(box, 100 + 12 + 1, 50 + 40 + 1, false)).toEqual({ file: 9, rank: 1 })
    expect(squareUnder(box, 100 + 12 + 899, 50 + 40 + 899, false)).toEqual({ file: 1, rank: 9 })
    expect(squareUnder(box, 100 + 12 + 1, 50 + 40 + 1, true)).toEqual({ file: 1, rank: 9 })
    expect(squareUnder({ ...box, width: 484 }, 100 + 6 + 26, 50 + 20 + 26, false)).toEqual({ file: 9, rank: 1 })
    expect(squareUnder(box, 100 + 11, 200, false)).toBeNull()
    expect(squareUnder(box, 100 + 12 + 901, 200, false)).toBeNull()
    expect(squareUnder(box, 200, 50 + 39, false)).toBeNull()
  })
})
