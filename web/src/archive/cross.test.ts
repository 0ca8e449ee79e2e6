import { describe, expect, it } from 'vitest'
import {
  crossQuery,
  meetingQuery,
  meetings,
  placeAfter,
  pointsText,
  recordText,
  toneOf,
  type CrossPlayer,
} from './cross'

const player = (name: string, id: string | null): CrossPlayer => ({
  id,
  name,
  games: 0,
  wins: 0,
  losses: 0,
  draws: 0,
  points: 0,
})

describe('a cross table', () => {
  it('has each meeting from both sides', () => {
    const table = meetings(3, [
      [0, 1, 2, 1, 3],
      [1, 2, 0, 4, 0],
    ])
    expect(table[0]).toEqual([null, { wins: 2, losses: 1, draws: 3 }, null])
    expect(table[1]).toEqual([{ wins: 1, losses: 2, draws: 3 }, null, { wins: 0, losses: 4, draws: 0 }])
    expect(table[2]![1]).toEqual({ wins: 4, losses: 0, draws: 0 })
  })
  it('writes points and results', () => {
    expect([0, 0.5, 1, 10.5].map(pointsText)).toEqual(['0', '½', '1', '10½'])
    expect(recordText({ wins: 2, losses: 0, draws: 1 })).toBe('2-0-1')
  })
  it('is as deep as the lead is, and says it the same for both', () => {
    const tone = (wins: number, losses: number, draws: number) => [
      toneOf({ wins, losses, draws }),
      toneOf({ wins: losses, losses: wins, draws }),
    ]
    expect(tone(1, 0, 0)).toEqual([3, -3])
    expect(tone(99, 1, 0)).toEqual([3, -3])
    expect(tone(3, 1, 0)).toEqual([2, -2])
    expect(tone(51, 49, 0)).toEqual([1, -1])
    expect(tone(1, 0, 9)).toEqual([1, -1])
    expect(Math.abs(toneOf({ wins: 1, losses: 1, draws: 0 }))).toBe(0)
    expect(Math.abs(toneOf({ wins: 0, losses: 0, draws: 2 }))).toBe(0)
  })
  it('asks of the games that a search finds, whoever looks at them', () => {
    expect(crossQuery({ player: 'a', color: 'black', result: 'won', event: 'final-*' })).toBe('player=a&event=final-*')
    expect(crossQuery({ player: 'a', opponent: 'b', result: 'draw', room: 'demo' })).toBe(
      'player=a&opponent=b&room=demo&outcome=draw',
    )
  })
  it('leads to the games of two', () => {
    expect(meetingQuery({ player: 'x*', event: 'final-*' }, player('a', 'a+1'), player('b', null))).toBe(
      'player=a%2B1&opponent=b%2B&event=final-*',
    )
  })
})

describe('keys', () => {
  //  . x x     who has met whom
  //  x . .
  //  x . .
  const table = meetings(3, [
    [0, 1, 1, 0, 0],
    [0, 2, 1, 0, 0],
  ])
  it('go from one meeting to the next', () => {
    expect(placeAfter('ArrowRight', { row: 0, column: 1 }, table)).toEqual({ row: 0, column: 2 })
    expect(placeAfter('ArrowUp', { row: 2, column: 0 }, table)).toEqual({ row: 1, column: 0 })
    expect(placeAfter('End', { row: 0, column: 1 }, table)).toEqual({ row: 0, column: 2 })
    expect(placeAfter('Home', { row: 0, column: 2 }, table)).toEqual({ row: 0, column: 1 })
  })
  it('stop at the edge', () => {
    expect(placeAfter('ArrowRight', { row: 0, column: 2 }, table)).toBeNull()
    expect(placeAfter('ArrowDown', { row: 0, column: 1 }, table)).toBeNull()
    expect(placeAfter('ArrowUp', { row: 1, column: 0 }, table)).toBeNull()
    expect(placeAfter('a', { row: 1, column: 0 }, table)).toBeNull()
  })
  it('pass over who has not met', () => {
    const apart = meetings(4, [
      [0, 1, 1, 0, 0],
      [0, 3, 1, 0, 0],
    ])
    expect(placeAfter('ArrowRight', { row: 0, column: 1 }, apart)).toEqual({ row: 0, column: 3 })
  })
})
