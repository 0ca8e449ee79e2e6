import { expect, it } from 'vitest'
import type { Buoy } from './api'
import { titleOfStart } from './starts'

const [ONE, OTHER, LAST] = ['4k4/9/9/9/9/9/9/9/4K4 b R', '4k4/9/9/9/9/9/9/9/4K4 w R', '4k4/9/9/9/9/9/9/9/4K4 b -']

it('titles a start by its set or its buoy, whatever the number of its move', () => {
  const sets = [
    { name: 'first', positions: [{ title: '', sfen: `${ONE} 1` }] },
    { name: 'next', positions: [{ title: 'Yagura', sfen: `${ONE} 25` }] },
  ]
  const buoys = [
    { title: 'lost', sfen: null },
    { title: 'Mine', sfen: `${OTHER} 1` },
  ] as Buoy[]
  expect(titleOfStart({ sets, buoys }, `${ONE} 1`)).toBe('Yagura')
  expect(titleOfStart({ sets, buoys }, `${OTHER} 7`)).toBe('Mine')
  expect(titleOfStart({ sets, buoys }, `${LAST} 1`)).toBeNull()
})
