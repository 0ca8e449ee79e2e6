import { describe, expect, it } from 'vitest'
import { spoken } from './aloud'

describe('spoken', () => {
  const all = (byoyomi_s: number, language: 'ja' | 'en') =>
    Array.from({ length: byoyomi_s + 1 }, (_, gone) => spoken(byoyomi_s, byoyomi_s - gone, language)).filter(Boolean)
  it('tells in Japanese how much has gone', () => {
    expect(all(30, 'ja')).toEqual(['10秒', '20秒', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(all(10, 'ja')).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  })
  it('tells in English how much is left', () => {
    expect(all(30, 'en')).toEqual(['20 seconds', '10', '9', '8', '7', '6', '5', '4', '3', '2', '1'])
  })
})
