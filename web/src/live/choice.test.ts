import { describe, expect, it } from 'vitest'
import { boardCount, keepPlaces, ranked } from './choice'

describe('boardCount', () => {
  it('is what was chosen', () => {
    expect(boardCount('9', 1, 300)).toBe(9)
    expect(boardCount('1', 40, 3_000)).toBe(1)
  })
  it('grows with games and with the screen', () => {
    expect([1, 2, 3, 4, 5, 50].map((games) => boardCount('automatic', games, 2_000))).toEqual([1, 2, 4, 4, 9, 9])
    expect([390, 800, 1_200, 2_000].map((width) => boardCount('automatic', 50, width))).toEqual([1, 2, 4, 9])
    expect(boardCount('automatic', 0, 2_000)).toBe(1)
  })
})

describe('ranked', () => {
  const game = (id: number, state: 'agreeing' | 'running' | 'ended', plies = 0, room = '') => ({
    id,
    state,
    tens: Math.floor(plies / 10),
    room,
    seats: { b: seat(null), w: seat(null) },
  })
  const seat = (rate: number | null) => ({ name: 'a', id: null, builtin: false, rate })
  it('shows what is pinned first, then what runs, longest first', () => {
    const games = [
      game(1, 'ended', 200),
      game(2, 'running', 12, 'demo'),
      game(3, 'running', 5),
      game(4, 'running', 31),
      game(5, 'agreeing'),
      game(6, 'running', 34),
      game(7, 'ended', 3),
    ]
    expect(ranked(games, new Set([7])).map(({ id }) => id)).toEqual([7, 6, 4, 3, 2, 5, 1])
  })
  it('shows the highest rated players first where that is asked for', () => {
    const rated = (id: number, black: number | null, white: number | null, state: 'running' | 'ended' = 'running') => ({
      ...game(id, state, 10 * id),
      seats: { b: seat(black), w: seat(white) },
    })
    const games = [
      rated(1, 2_000, 2_100),
      rated(2, 3_900, null),
      rated(3, 4_200, 4_000, 'ended'),
      rated(4, null, null),
      rated(5, 2_400, 2_300),
    ]
    expect(ranked(games, new Set([4]), 'rating').map(({ id }) => id)).toEqual([4, 5, 1, 2, 3])
    expect(ranked(games, new Set()).map(({ id }) => id)).toEqual([5, 4, 2, 1, 3])
  })
  it('does not change with a single move', () => {
    const before = ranked([game(1, 'running', 21), game(2, 'running', 22)], new Set())
    const after = ranked([game(1, 'running', 29), game(2, 'running', 22)], new Set())
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  })
})

describe('keepPlaces', () => {
  const list = (...ids: number[]) => ids.map((id) => ({ id }))
  const places = (before: number[], wanted: number[]) =>
    keepPlaces(list(...before), list(...wanted)).map(({ id }) => id)
  it('lets nobody change places who stays', () => {
    expect(places([1, 2, 3, 4], [4, 3, 2, 1])).toEqual([1, 2, 3, 4])
    expect(places([1, 2, 3, 4], [5, 4, 2, 1])).toEqual([1, 2, 5, 4])
  })
  it('fills what is free in the order that is wanted', () => {
    expect(places([], [3, 1, 2])).toEqual([3, 1, 2])
    expect(places([1, 2, 3, 4], [9, 4])).toEqual([9, 4])
    expect(places([1, 2], [7, 2, 8, 1])).toEqual([1, 2, 7, 8])
  })
  it('takes the newest of what it is given', () => {
    const [old, fresh] = [
      { id: 1, plies: 3 },
      { id: 1, plies: 4 },
    ]
    expect(keepPlaces([old], [fresh])[0]).toBe(fresh)
  })
})
