import { describe, expect, it } from 'vitest'
import { gamePath, pagePath, pageOf, playerPath, roomPath, tournamentPath, wantedOn } from './route.svelte'

describe('pageOf', () => {
  it('knows its pages by their paths', () => {
    expect(pageOf('/')).toEqual({ name: 'wall' })
    expect(pageOf('/game/12')).toEqual({ name: 'game', id: 12, ply: null })
    expect(pageOf('/game/12/0')).toEqual({ name: 'game', id: 12, ply: 0 })
    expect(pageOf('/embed/7')).toEqual({ name: 'embed', id: 7, ply: null })
    expect(pageOf('/embed/7/12')).toEqual({ name: 'embed', id: 7, ply: 12 })
    expect(pageOf('/overlay/7')).toEqual({ name: 'overlay', id: 7, ply: null })
    expect(pageOf('/console')).toEqual({ name: 'console', query: '' })
    expect(pageOf('/console', '?tab=audit')).toEqual({ name: 'console', query: 'tab=audit' })
    expect(pageOf('/play', '?game=a-300-10')).toEqual({ name: 'play', query: 'game=a-300-10' })
    expect(pageOf('/play/')).toEqual({ name: 'missing' })
    expect(pageOf(gamePath(3, 4))).toEqual({ name: 'game', id: 3, ply: 4 })
  })
  it('keeps the query of lists, and of them alone', () => {
    expect(pageOf('/games', '?player=a%2Bb')).toEqual({ name: 'games', query: 'player=a%2Bb' })
    expect(pageOf('/players', '')).toEqual({ name: 'players', query: '' })
    expect(pageOf('/rounds', 'group=x')).toEqual({ name: 'rounds', query: 'group=x' })
    expect(pageOf('/', '?utm=1')).toEqual({ name: 'wall' })
    expect(pageOf('/crosstable', 'event=x')).toEqual({ name: 'crosstable', query: 'event=x' })
    expect(pagePath('buoys')).toBe('/buoys')
    expect(pagePath('games', 'end=toryo')).toBe('/games?end=toryo')
  })
  it('takes any name of a player, as text', () => {
    for (const id of ['gps_normal+e293220e', 'a/b%2F c?d#e', '歩+1', '<b>']) {
      expect(pageOf(new URL(playerPath(id), 'http://x/').pathname), id).toEqual({ name: 'player', id })
    }
  })
  it('follows the games that it shows, and no others', () => {
    for (const path of ['/game/12', '/game/12/3', '/embed/12', '/overlay/12']) expect(wantedOn(pageOf(path))).toBe(12)
    for (const path of ['/', '/rooms', '/room/club', '/tournament/cup', '/ticker/cup', '/share'])
      expect(wantedOn(pageOf(path)), path).toBe('all')
    for (const path of ['/games', '/player/a', '/players', '/rounds', '/tournaments', '/play', '/console', '/nowhere'])
      expect(wantedOn(pageOf(path)), path).toBe('none')
  })
  it('knows rooms by their names', () => {
    expect(pageOf('/rooms')).toEqual({ name: 'rooms', query: '' })
    expect(pageOf(roomPath('class_a-2'))).toEqual({ name: 'room', id: 'class_a-2' })
    for (const path of ['/room', '/room/', '/room/A', '/room/2', '/room/a/b', `/room/${'a'.repeat(33)}`])
      expect(pageOf(path), path).toEqual({ name: 'missing' })
  })
  it('knows events by their names', () => {
    expect(pageOf('/tournaments')).toEqual({ name: 'tournaments', query: '' })
    for (const id of ['Denryu_2026-B', 'cup.2@club', 'a'.repeat(32)])
      expect(pageOf(tournamentPath(id))).toEqual({ name: 'tournament', id })
    for (const path of ['/tournament', '/tournament/', '/tournament/a+b', `/tournament/${'a'.repeat(33)}`])
      expect(pageOf(path), path).toEqual({ name: 'missing' })
  })
  it('knows what is for other pages, and about the API', () => {
    expect(pageOf('/ticker/cup')).toEqual({ name: 'ticker', id: 'cup' })
    expect(pageOf('/share')).toEqual({ name: 'share' })
    expect(pageOf('/api')).toEqual({ name: 'api' })
    expect(pageOf('/share/7')).toEqual({ name: 'missing' })
  })
  it('knows no others', () => {
    for (const path of [
      '/game',
      '/game/',
      '/game/x',
      '/game/1/x',
      '/game/1/2/3',
      '/embed/',
      '/embed/1/2/3',
      '/games/1',
      '/games.rss',
      '/player',
      '/player/',
      '/player/a/b',
      '/player/%E0%A4',
      '/api/v1/games/7.csa',
      '//',
    ]) {
      expect(pageOf(path), path).toEqual({ name: 'missing' })
    }
  })
})
