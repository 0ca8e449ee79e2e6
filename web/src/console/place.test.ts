import { describe, expect, it } from 'vitest'
import { patternOf, wantedIn, withWanted } from './place'
import { verbNamed } from './verbs'

const games = verbNamed('games')

describe('what the address says of a list', () => {
  it('is nothing before it was asked for', () => {
    expect(wantedIn('tab=games&game.offset=100', games)).toBeNull()
    expect(wantedIn('', verbNamed('help'))).toBeNull()
  })
  it('is its fields, its search and its page', () => {
    const wanted = { values: { room: 'club' }, search: 'ali & bob', offset: 200 }
    const query = withWanted('tab=games', games, wanted)
    expect(query).toBe('tab=games&games.room=club&games.search=ali+%26+bob&games.offset=200')
    expect(wantedIn(query, games)).toEqual(wanted)
  })
  it('leaves that of other lists as it is', () => {
    const query = 'tab=events&tournament.event=cup&tournaments.search=c'
    expect(withWanted(query, verbNamed('tournaments'), { values: {}, search: '', offset: 0 })).toBe(
      'tab=events&tournament.event=cup',
    )
  })
  it('tells of a list that was asked for with nothing', () => {
    const query = withWanted('', verbNamed('results'), { values: { gameNames: '' }, search: '', offset: 0 })
    expect(wantedIn(query, verbNamed('results'))?.values).toEqual({ gameNames: '' })
  })
  it('holds no text of many lines', () => {
    const check = verbNamed('tournament-check')
    expect(withWanted('', check, { values: { language: 'ja', eventText: 'a\nb' }, search: '', offset: 0 })).toBe(
      'tournament-check.language=ja',
    )
  })
  it('is read whatever somebody writes there', () => {
    expect(wantedIn('games.offset=-1&games.offset=x', games)?.offset).toBe(0)
    expect(wantedIn('games.offset=1e9', games)?.offset).toBe(0)
  })
})

describe('what is searched for among names', () => {
  it('is a pattern of one word', () => {
    expect(patternOf('ali')).toBe('*ali*')
    expect(patternOf('a b')).toBe('*a*b*')
    expect(patternOf('')).toBe('')
  })
})
