import { describe, expect, it } from 'vitest'
import { fileOf, ofPlayers } from './site'

describe('a folder of files', () => {
  it('has a file for every page that it keeps, and the move of a game in the fragment', () => {
    expect(fileOf('/')).toBe('index.html')
    expect(fileOf('/game/7')).toBe('game/7.html')
    expect(fileOf('/game/7/12')).toBe('game/7.html#12')
    expect(fileOf('/tournament/cup.1')).toBe('tournament/cup.1.html')
    expect(fileOf('/games?player=ann%2Bx')).toBe('games.html?player=ann%2Bx')
  })

  it('has no file for what only a server can do', () => {
    for (const address of ['/play', '/console', '/player/ann', '/room/main', '/embed/7', '/docs/rooms', '/games.rss'])
      expect(fileOf(address), address).toBeNull()
  })

  it('names downloads by what was asked, unless all games were', () => {
    expect(fileOf('/api/v1/games/7.kif')).toBe('api/v1/games/7.kif')
    expect(fileOf('/api/v1/games.zip?event=cup-*')).toBe('api/v1/games.zip')
    expect(fileOf('/api/v1/tournaments/a.b/tables.csv?division=s1%2FA&lang=ja')).toBe(
      'api/v1/tournaments/a.b/tables-s1-A-ja.csv',
    )
  })

  it('finds the games of a player, and of two, by id or name', () => {
    const seat = (name: string) => ({ name, id: `${name}+1`, builtin: false, rate: null })
    const game = (black: string, white: string) => ({ black: seat(black), white: seat(white) })
    const list = { v: 1, next: null, games: [game('ann', 'bob'), game('bob', 'cid'), game('cid', 'ann')] }
    const found = (query: string) =>
      ofPlayers(list as unknown as Parameters<typeof ofPlayers>[0], query).games.map(
        ({ black, white }) => `${black.name}-${white.name}`,
      )
    expect(found('')).toHaveLength(3)
    expect(found('player=ann')).toEqual(['ann-bob', 'cid-ann'])
    expect(found('player=bob%2B1&opponent=ann')).toEqual(['ann-bob'])
    expect(found('player=dan')).toEqual([])
  })
})
