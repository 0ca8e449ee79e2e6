import { describe, expect, it } from 'vitest'
import { pairingOf } from './pairing'

describe('who pairs the players of a game name', () => {
  const rooms = [
    { name: 'main', games: '*', pairing: 'lobby' },
    { name: 'club', games: 'club-*', pairing: 'lobby' },
    { name: 'finals', games: 'club-final-*', pairing: 'host' },
    { name: 'table', games: 'club-final-600-0', pairing: 'lobby' },
    { name: 'all', games: 'floodgate-900-*', pairing: 'host' },
  ] as const
  const events = [{ name: 'cup' }, { name: 'club' }]
  const pairs = (game: string) => pairingOf(game, rooms, events)

  it('is whoever asks for the same, if nobody claims it', () => {
    expect(pairs('friends-600-30')).toBe('lobby')
    expect(pairs('cups-600-30')).toBe('lobby')
  })
  it('is the host of its room, the most precise one that claims it', () => {
    expect(pairs('club-600-30')).toBe('lobby')
    expect(pairs('club-final-600-30')).toBe('host')
    expect(pairs('club-final-600-0')).toBe('lobby')
  })
  it('is an event in the main room, and a round of its group', () => {
    expect(pairs('cup-600-30')).toBe('event')
    expect(pairs('floodgate-600-10')).toBe('round')
    expect(pairs('floodgate-900-10')).toBe('host')
  })
  it('is not a room with a star for all where groups are meant', () => {
    expect(pairingOf('floodgate-600-10', [{ name: 'any', games: '*-600-10', pairing: 'host' }], [])).toBe('round')
  })
})
