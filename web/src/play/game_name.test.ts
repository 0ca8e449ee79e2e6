import { describe, expect, it } from 'vitest'
import {
  enginesBeyondLevels,
  fits,
  gameNameText,
  isPlayerName,
  minutesOf,
  parseGameName,
  servesLevels,
} from './game_name'

describe('game names', () => {
  it('are read and written', () => {
    for (const name of ['level5-600-30', 'a-b-300-10F', 'x-0-0', 'club.1-900-0'])
      expect(gameNameText(parseGameName(name)!), name).toBe(name)
    expect(parseGameName('level5-600-30')).toEqual({ identifier: 'level5', total_s: 600, each_s: 30, fischer: false })
    for (const bad of [
      '',
      'x',
      'x-1',
      '-1-1',
      'x-1-1G',
      'x y-1-1',
      'x-1234567-1',
      'x-900-060',
      `${'x'.repeat(33)}-1-1`,
    ])
      expect(parseGameName(bad), bad).toBeNull()
  })
  it('have names of players beside them', () => {
    expect(['a', 'a_b@c-d.e', 'x'.repeat(32)].every(isPlayerName)).toBe(true)
    expect(['', 'a b', '将棋', 'x'.repeat(33), 'a,b'].some(isPlayerName)).toBe(false)
  })
  it('fit patterns', () => {
    expect(fits('level*-*', 'level5-600-30')).toBe(true)
    expect(fits('a.b-*', 'axb-1-1')).toBe(false)
    expect(fits('club-*', 'club-600-30')).toBe(true)
    expect(fits('club-*', 'a-club-600-30')).toBe(false)
  })
  it('are what engines offer', () => {
    const engines = [
      { name: 'Fuhyo', games: ['level*-*'] },
      { name: 'Oni', games: ['club-*', 'floodgate-300-10F'] },
      { name: 'Any', games: ['*'] },
      { name: 'One', games: ['blitz-60-5'] },
      { name: 'Word', games: ['fun_*-*-*'] },
      { name: 'Group', games: ['floodgate-*'] },
    ]
    expect(servesLevels(engines)).toBe(true)
    expect(servesLevels(engines.slice(1))).toBe(false)
    expect(enginesBeyondLevels(engines)).toEqual([
      { name: 'Oni', identifier: 'club', game: null },
      { name: 'Any', identifier: 'game', game: null },
      { name: 'One', identifier: 'blitz', game: 'blitz-60-5' },
      { name: 'Word', identifier: 'fun_game', game: null },
    ])
  })
})

describe('minutesOf', () => {
  it('is short, and the same time read back', () => {
    expect(minutesOf(600)).toBe(10)
    expect(minutesOf(10)).toBe(0.17)
    for (let total_s = 0; total_s <= 3600; ++total_s) expect(Math.round(60 * minutesOf(total_s))).toBe(total_s)
  })
})
