import { describe, expect, it } from 'vitest'
import { positionKey, queryOf, questionOf, rareFields, searchOf, START } from './search'

describe('a search', () => {
  it('is the same after the way through an address', () => {
    const queries = [
      '',
      'player=gps*&opponent=bona&outcome=draw',
      'player=a%2Bb&color=black&won=yes',
      'player=a&won=no',
      'event=floodgate-*&end=time+up&from=2026-01-02&to=2026-11-22&min_plies=10&max_plies=300&min_rate=2500',
      'room=demo&outcome=white',
      'player=a&opening=yagura',
      `position=${new URLSearchParams({ p: START }).toString().slice(2)}`,
    ]
    for (const query of queries) expect(queryOf(searchOf(query)), query).toBe(query)
  })
  it('takes only what can be asked', () => {
    const search = searchOf('outcome=maybe&color=red&from=yesterday&min_plies=-3&min_rate=2e9&won=perhaps&x=y')
    expect(Object.values(search).every((value) => value === '')).toBe(true)
    expect(queryOf({ minPlies: ' 012 ', maxPlies: 'many', player: '  ' })).toBe('min_plies=12')
  })
  it('asks of a player only with a player', () => {
    expect(queryOf({ color: 'black', result: 'won' })).toBe('')
    expect(queryOf({ player: 'a', color: 'black', result: 'lost' })).toBe('player=a&color=black&won=no')
  })
  it('asks for the days of the viewer', () => {
    const [first, last] = [new Date(2026, 10, 22).getTime(), new Date(2026, 11, 1).getTime()]
    expect(questionOf('player=a&from=2026-11-22&to=2026-11-30')).toBe(
      `player=a&ended_from_ms=${first}&ended_before_ms=${last}`,
    )
    expect(questionOf('player=a%2Bb')).toBe('player=a%2Bb')
  })
  it('knows what a closed form hides', () => {
    expect(rareFields(searchOf('player=a&opponent=b&won=yes'))).toBe(0)
    expect(rareFields(searchOf('player=a&end=toryo&to=2026-01-01'))).toBe(2)
  })
})

describe('positionKey', () => {
  it('leaves out the number and what comes before a position', () => {
    expect(positionKey(`${START} 17`)).toBe(START)
    expect(positionKey(` position sfen ${START} 1`)).toBe(START)
    expect(positionKey('startpos')).toBe(START)
    expect(positionKey('position startpos')).toBe(START)
    expect(positionKey('nonsense')).toBe('nonsense')
  })
})
