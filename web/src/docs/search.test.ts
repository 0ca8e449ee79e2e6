import { describe, expect, it } from 'vitest'
import { found, type IndexedPage } from './search'

const PAGES: readonly IndexedPage[] = [
  [
    '/docs/rooms',
    'en',
    'Rooms',
    [
      ['', '', 'A room has a clock.'],
      ['delay', 'Spectator delay', 'Seconds or moves (a.b).'],
    ],
  ],
  ['/docs/import', 'en', 'Moving in', [['', '', 'The port of a former server; rooms come along.']]],
  [
    '/docs/cup.ja',
    'ja',
    '大会',
    [
      ['', '', '大会の形式は、勝ち抜き戦とCSA形式の総当たりです。'],
      ['rooms', '部屋', 'rooms'],
    ],
  ],
]
const addresses = (query: string, language: 'en' | 'ja' = 'en') =>
  found(PAGES, query, language).map(({ address }) => address)

describe('the search', () => {
  it('finds words where they begin, in any case and width', () => {
    expect(addresses('PORT')).toEqual(['/docs/import'])
    expect(addresses('ｐｏｒ')).toEqual(['/docs/import'])
    expect(addresses('ort')).toEqual([])
  })
  it('finds Japanese anywhere, and Latin words within it', () => {
    expect(addresses('総当たり')).toEqual(['/docs/cup.ja'])
    expect(addresses('csa 抜き')).toEqual(['/docs/cup.ja'])
  })
  it('wants every word, in the section or its headings', () => {
    expect(addresses('rooms seconds')).toEqual(['/docs/rooms#delay'])
    expect(addresses('rooms nowhere')).toEqual([])
    expect(addresses('  ')).toEqual([])
  })
  it('has titles before text, and the language of the reader before the other', () => {
    expect(addresses('rooms')).toEqual(['/docs/rooms', '/docs/rooms#delay', '/docs/import', '/docs/cup.ja#rooms'])
    expect(addresses('rooms', 'ja')).toEqual(['/docs/rooms', '/docs/rooms#delay', '/docs/cup.ja#rooms', '/docs/import'])
  })
  it('takes every character as itself', () => {
    expect(addresses('a.b')).toEqual(['/docs/rooms#delay'])
    for (const query of ['a,b', '()', '[', '\\', '.*', '+-/|{}$^?']) expect(addresses(query), query).toEqual([])
  })
  it('shows what is around the first word', () => {
    const text = `${'x '.repeat(100)}here is a Word, and another word ${'y '.repeat(200)}`
    const [hit] = found([['/a', 'en', 'T', [['b', 'H', text]]]], 'word', 'en')
    expect(hit).toMatchObject({ address: '/a#b', title: 'T', heading: 'H' })
    expect(hit?.excerpt.filter((_, at) => at % 2)).toEqual(['Word', 'word'])
    expect(hit?.excerpt[0]).toMatch(/^…x .*here is a $/)
    expect(hit?.excerpt.join('').length).toBeLessThan(200)
    expect(found([['/a', 'en', 'Word', [['', '', 'x']]]], 'word', 'en')[0]?.excerpt).toEqual(['x'])
  })
  it('shows thirty at most', () => {
    const many: IndexedPage[] = [
      ['/a', 'en', 'T', Array.from({ length: 50 }, (_, at) => [`${at}`, 'H', 'word'] as const)],
    ]
    expect(found(many, 'word', 'en').length).toBe(30)
  })
})
