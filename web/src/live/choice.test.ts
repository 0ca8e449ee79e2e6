import { describe, expect, it } from 'vitest'
import { arrange, boardCount, eventOf, isOneOf, keepPlaces, ranked } from './choice'

describe('boardCount', () => {
  it('is what was chosen', () => {
    expect(boardCount('9', 1, 300, 300)).toBe(9)
    expect(boardCount('1', 40, 3_000, 2_000)).toBe(1)
  })
  it('grows with games and with the screen, up to twelve', () => {
    expect([0, 1, 2, 3, 5, 12, 50].map((games) => boardCount('automatic', games, 1_412, 800))).toEqual([
      1, 1, 2, 3, 5, 12, 12,
    ])
    expect(boardCount('automatic', 50, 374, 700)).toBe(2)
    expect(boardCount('automatic', 50, 200, 200)).toBe(1)
    expect(boardCount('automatic', 50, 996, 660)).toBe(6)
  })
})

describe('arrange', () => {
  it('takes the columns that make boards largest', () => {
    const columns = (count: number, width: number, height: number) => arrange(count, width, height).columns
    expect([1, 2, 4, 9].map((count) => columns(count, 1_412, 800))).toEqual([1, 2, 2, 5])
    expect([1, 2, 3].map((count) => columns(count, 374, 700))).toEqual([1, 1, 1])
  })
  it('has a place for each board, and fills the window better than a square would', () => {
    for (let count = 1; count <= 12; ++count) {
      const { columns, rows, side } = arrange(count, 1_412, 800)
      expect(columns * rows).toBeGreaterThanOrEqual(count)
      expect(side * columns).toBeLessThan(1_412)
      expect(side * rows).toBeLessThan(800)
    }
    expect(arrange(12, 1_412, 800).side).toBeGreaterThan(200)
  })
})

describe('a wall of some games', () => {
  it('knows events and the players of the viewer', () => {
    expect(eventOf('denryu-6-600-10F')).toBe('denryu-6')
    expect(eventOf('cup')).toBe('cup')
    const seats = { b: { name: 'Suisho' }, w: { name: 'dlshogi' } } as Parameters<typeof isOneOf>[1]['seats']
    expect(isOneOf('x, DLshogi', { seats })).toBe(true)
    expect(isOneOf('sui', { seats })).toBe(false)
    expect(isOneOf('', { seats })).toBe(false)
  })
})

describe('ranked', () => {
  const game = (id: number, state: 'agreeing' | 'running' | 'ended', plies = 0, room = '') => ({
    id,
    state,
    lingers: false,
    tens: Math.floor(plies / 10),
    room,
    seats: { b: seat(null), w: seat(null) },
    openness: -1,
    haste: 0,
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
  it('shows a result that is still looked at before older ones', () => {
    const games = [game(1, 'running'), { ...game(2, 'ended', 90), lingers: true }, game(3, 'ended', 3)]
    expect(ranked(games, new Set()).map(({ id }) => id)).toEqual([1, 2, 3])
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
  it('shows the closest games, those in most haste, and those of the viewer first where that is asked for', () => {
    const open = (id: number, openness: number, haste: number, name = 'a') => ({
      ...game(id, 'running'),
      openness,
      haste,
      seats: { b: { ...seat(null), name }, w: seat(null) },
    })
    const games = [
      open(1, 3, -4),
      open(2, 9, -9),
      open(3, -1, -1),
      { ...open(4, 10, 0, 'me'), state: 'ended' as const },
    ]
    const ids = (...how: ['close' | 'haste' | 'mine', string?]) => ranked(games, new Set(), ...how).map(({ id }) => id)
    expect(ids('close')).toEqual([2, 1, 3, 4])
    expect(ids('haste')).toEqual([3, 1, 2, 4])
    expect(ids('mine', 'Me')).toEqual([4, 3, 2, 1])
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
