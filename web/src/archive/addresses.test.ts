import { describe, expect, it } from 'vitest'
import { reachableAddress } from './addresses'

describe('reachableAddress', () => {
  it('is the host of the page where the server listens on every address', () => {
    expect(reachableAddress(['0.0.0.0:4081'], 'shogi.example')).toBe('shogi.example:4081')
    expect(reachableAddress(['[::]:4081'], '[2001:db8::7]')).toBe('[2001:db8::7]:4081')
  })
  it('is an address as the server has it', () => {
    expect(reachableAddress(['192.0.2.7:4081'], 'shogi.example')).toBe('192.0.2.7:4081')
    expect(reachableAddress(['127.0.0.1:4181', '[::1]:4181'], 'localhost')).toBe('127.0.0.1:4181')
  })
  it('is none that only the machine of the server reaches', () => {
    expect(reachableAddress(['127.0.0.1:4081', '[::1]:4081'], 'shogi.example')).toBeNull()
    expect(reachableAddress(['127.0.0.1:4081', '192.0.2.7:4082'], 'shogi.example')).toBe('192.0.2.7:4082')
    expect(reachableAddress([], 'localhost')).toBeNull()
  })
})
