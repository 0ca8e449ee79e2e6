import { describe, expect, it } from 'vitest'
import { parseMove, parseSfen, play, type Position } from '../shogi/position'
import { follow, type Drawn } from './drawn'

const start = parseSfen('4k4/9/9/4p4/4P4/9/9/9/4K4 b G 1')!
const after = (position: Position, move: string) => play(position, parseMove(move)!)!
const idAt = (list: readonly Drawn[], index: number) => list.find((drawn) => drawn.index === index)?.id

describe('follow', () => {
  const first = follow([], start.squares)
  it('knows every piece once', () => {
    expect(first.map(({ index }) => index)).toEqual([4, 31, 40, 76])
    expect(new Set(first.map(({ id }) => id)).size).toBe(4)
  })
  it('keeps who moves, where he is in the list, and everybody else untouched', () => {
    const moved = after(start, '+5958OU')
    const second = follow(first, moved.squares)
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id))
    expect(idAt(second, 67)).toBe(idAt(first, 76))
    expect(second[0]).toBe(first[0])
  })
  it('lets go of what is taken, and keeps what takes, promoted or not', () => {
    const taken = follow(first, after(start, '+5554TO').squares)
    expect(taken.map(({ index }) => index)).toEqual([4, 31, 76])
    expect(idAt(taken, 31)).toBe(idAt(first, 40))
  })
  it('gives a drop a number that nobody has', () => {
    const dropped = follow(first, after(start, '+0022KI').squares)
    expect(new Set(dropped.map(({ id }) => id)).size).toBe(5)
    expect(follow(dropped, start.squares).map(({ id }) => id)).toEqual(first.map(({ id }) => id))
  })
})
