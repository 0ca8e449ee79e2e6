import { describe, expect, it } from 'vitest'
import { Games } from './games.svelte'
import type { WholeGame } from './messages'
import { isBehind } from './whole_game.svelte'

const MOVES = ['+7776FU,T1', '-3334FU,T1', '+2726FU,T1']
const whole = (plies: number, end: object | null = null) =>
  ({
    id: 1,
    moves: MOVES.slice(0, plies),
    end,
    last_comments: [null, null],
    remaining_s: [9, 9],
    comments: [],
  }) as unknown as WholeGame['game']
const END = { winner: null }
/** As the stream tells of it from so many moves on, until there are more. */
function followed(told: number, plies = told, end: object | null = null) {
  const games = new Games()
  games.replace([whole(told)])
  for (let ply = told + 1; ply <= plies; ++ply)
    games.take('moved', { id: 1, ply, move: MOVES[ply - 1]!, remaining_s: 1, sfen: '', at_ms: 0, comment: '* 7' })
  const game = games.get(1)!
  game.end = end as typeof game.end
  return game
}

describe('a game of the archive is asked for', () => {
  it('once where the stream then tells of no more than it', () => {
    expect(isBehind(whole(2), undefined, false)).toBe(false)
    expect(isBehind(whole(2), followed(2), true)).toBe(false)
    expect(isBehind(whole(3, END), followed(3, 3, END), true)).toBe(false)
    expect(isBehind(whole(3, END), undefined, true)).toBe(false)
  })
  it('once where the stream goes on from what was answered, with comments', () => {
    expect(isBehind(whole(2), followed(2, 3), true)).toBe(false)
    expect(isBehind(whole(2), followed(1, 3), true)).toBe(false)
  })
  it('again where moves came between the answer and the stream', () => {
    expect(isBehind(whole(1), followed(2), true)).toBe(true)
  })
  it('again when it has ended, for what was held back', () => {
    expect(isBehind(whole(3), followed(3, 3, END), true)).toBe(true)
  })
  it('again where it ended before the stream came, or the stream has dropped it', () => {
    expect(isBehind(whole(3), undefined, true)).toBe(true)
  })
})

describe('what the archive knows of a game', () => {
  it('is learned by the game that the stream tells of', () => {
    const [archived, game] = [followed(2), followed(2)]
    archived.addComments([[1, '* 30']])
    archived.opening = 'Yagura'
    game.learn(archived)
    expect([game.commentAt(1), game.opening]).toEqual(['* 30', 'Yagura'])
  })
})
