import { describe, expect, it } from 'vitest'
import { gamePath, pageOf } from './route.svelte'

describe('pageOf', () => {
  it('knows its pages by their paths', () => {
    expect(pageOf('/')).toEqual({ name: 'wall' })
    expect(pageOf('/game/12')).toEqual({ name: 'game', id: 12, ply: null })
    expect(pageOf('/game/12/0')).toEqual({ name: 'game', id: 12, ply: 0 })
    expect(pageOf('/embed/7')).toEqual({ name: 'embed', id: 7 })
    expect(pageOf('/overlay/7')).toEqual({ name: 'overlay', id: 7 })
    expect(pageOf(gamePath(3, 4))).toEqual({ name: 'game', id: 3, ply: 4 })
  })
  it('knows no others', () => {
    for (const path of [
      '/game',
      '/game/',
      '/game/x',
      '/game/1/x',
      '/game/1/2/3',
      '/embed/',
      '/embed/1/2',
      '/games',
      '//',
    ]) {
      expect(pageOf(path), path).toEqual({ name: 'missing' })
    }
  })
})
