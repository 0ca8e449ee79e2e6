import { describe, expect, it } from 'vitest'
import { lookOf, lookQuery } from './look'

describe('the look of a board alone', () => {
  it('is the same after the way through an address', () => {
    for (const query of ['', '?theme=dark&lang=ja&board=only&flip=1&transparent=1&commentary=1&ply=12', '?ply=0'])
      expect(lookQuery(lookOf(query)), query).toBe(query)
  })
  it('takes nothing else', () => {
    expect(lookQuery(lookOf('?theme=red&lang=fr&board=7&flip=yes&transparent=&commentary=2&ply=-1&x=y'))).toBe('')
  })
})
