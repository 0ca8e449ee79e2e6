import { describe, expect, it } from 'vitest'
import { playersQuery, playersSearch } from './players'

describe('a search for players', () => {
  it('is the same after the way through an address', () => {
    for (const query of ['', 'name=gps', 'sort=games&offset=200', 'name=a%2B%26&sort=name']) {
      expect(playersQuery(playersSearch(query)), query).toBe(query)
    }
  })
  it('takes only what can be asked', () => {
    expect(playersSearch('sort=age&offset=-1&name=++')).toEqual({ name: '', sort: 'rate', offset: 0 })
  })
  it('asks the archive for all of it', () => {
    expect(playersQuery(playersSearch('name=x'), true)).toBe('name=x&sort=rate&limit=100')
  })
})
