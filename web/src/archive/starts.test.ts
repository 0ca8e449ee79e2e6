import { expect, it } from 'vitest'
import type { Buoy } from './api'
import { titleOfStart } from './starts'

const [ONE, OTHER, LAST] = ['4k4/9/9/9/9/9/9/9/4K4 b R', '4k4/9/9/9/9/9/9/9/4K4 w R', '4k4/9/9/9/9/9/9/9/4K4 b -']
const listed = {
  sets: [
    { name: 'first', positions: [{ title: '', sfen: `${ONE} 1` }] },
    { name: 'next', positions: [{ title: 'Yagura', sfen: `${ONE} 25` }] },
  ],
  buoys: [
    { name: 'buoy_lost-900-0', title: 'lost', sfen: null },
    { name: 'buoy_mine-900-0', title: 'Mine', sfen: `${OTHER} 1` },
    { name: 'buoy_bare-900-0', title: '', sfen: `${LAST} 1` },
  ] as Buoy[],
}

it('titles a start by its set or its buoy, whatever the number of its move', () => {
  expect(titleOfStart(listed, 'test-900-0', `${ONE} 1`)).toBe('Yagura')
  expect(titleOfStart(listed, 'test-900-0', `${OTHER} 7`)).toBe('Mine')
  expect(titleOfStart(listed, 'test-900-0', `${LAST} 1`)).toBeNull()
})

it('titles a game of a buoy by its name: with moves before it the first position is another', () => {
  expect(titleOfStart(listed, 'buoy_mine-900-0', null)).toBe('Mine')
  expect(titleOfStart(listed, 'buoy_bare-900-0', null)).toBeNull()
  expect(titleOfStart(listed, 'buoy_gone-900-0', null)).toBeNull()
})
