import { describe, expect, it } from 'vitest'
import table from '../../../server/core/admin/commands.json'
import { actsOn, barOf, effectOf, isAct, TABS, tablesOf, tabsOf, valueWord, VERBS, verbNamed } from './verbs'

const LANGUAGES = ['en', 'ja'] as const
const isTable = (name: string) => VERBS.some((verb) => verb.verb === name && !isAct(verb))

describe('the commands of the console', () => {
  it('stand somewhere, each of them', () => {
    expect(VERBS.length).toBeGreaterThan(40)
    for (const verb of VERBS) {
      expect(TABS, verb.verb).toContain(verb.tab)
      const places = [...(verb.bar ? [verb.bar] : []), ...(verb.rows ?? []).map((place) => place.table)]
      expect(places.length > 0 || !isAct(verb), verb.verb).toBe(true)
      expect(
        places.filter((place) => !isTable(place)),
        verb.verb,
      ).toEqual([])
    }
  })

  it('are filled from rows as they have fields', () => {
    for (const verb of VERBS) {
      const names = verb.fields.map(({ name }) => name)
      for (const place of verb.rows ?? []) {
        const asked = VERBS.find((one) => one.verb === place.table)!.fields.map(({ name }) => `asked.${name}`)
        expect(names, verb.verb).toEqual(expect.arrayContaining(Object.keys(place.fill)))
        const columns = Object.values(place.fill)
        expect([...asked, ...Object.keys(table.columns)], verb.verb).toEqual(expect.arrayContaining(columns))
      }
    }
  })

  it('look for states that the server tells', () => {
    const states = new Map(
      Object.values(table.answers).flatMap(({ of, words }) =>
        of.map((column) => [column, Object.keys(words)] as const),
      ),
    )
    const looked = VERBS.flatMap((verb) =>
      (verb.rows ?? []).flatMap(({ table, column, is = [], not = [] }) =>
        states.has(`${table}.${column}`) ? [...is, ...not].map((state) => [`${table}.${column}`, state] as const) : [],
      ),
    )
    expect(looked).toContainEqual(['games.state', 'awaits a verdict'])
    expect(looked.filter(([column, state]) => !states.get(column)!.includes(state))).toEqual([])
    expect(valueWord('games', 'state', 'awaits a verdict', 'ja')).toBe('裁定待ち')
    expect(valueWord('tournaments', 'phase', 'announced', 'en')).toBe('not begun')
    expect(valueWord('games', 'room', 'paused', 'ja')).toBe('paused')
  })

  it('have their words in both languages', () => {
    for (const one of VERBS.flatMap((verb) => [verb, ...verb.fields])) {
      for (const language of LANGUAGES) expect(one[language].label, JSON.stringify(one)).toBeTruthy()
    }
    for (const words of Object.values(table.columns)) expect(Object.keys(words)).toEqual(['en', 'ja'])
  })

  it('say in both languages what they will do', () => {
    for (const verb of VERBS.filter(isAct)) {
      const fields = verb.fields.map(({ name }) => name)
      for (const language of LANGUAGES) {
        const effect = verb[language].effect ?? ''
        expect(effect.length, verb.verb).toBeGreaterThan(3)
        const told = [...effect.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
        expect(fields, verb.verb).toEqual(expect.arrayContaining(told))
      }
    }
    const values = { game: ' 12 ', verdict: 'void' }
    expect(effectOf(verbNamed('adjudicate'), values, 'ja')).toContain('対局 12 は今すぐ終わり、結果は「無効')
    expect(effectOf(verbNamed('kick'), {}, 'en')).toBe('… is disconnected. A game under way is lost.')
  })
})

describe('what a role sees', () => {
  it('is what it may do', () => {
    expect(tabsOf('player')).toEqual(['own'])
    expect(tabsOf('host')).toContain('accounts')
    expect(barOf('counters', 'host')).toEqual([])
    expect(barOf('counters', 'admin').map(({ verb }) => verb)).toEqual(['reload', 'drain'])
    expect(tablesOf('server', 'host').map(({ verb }) => verb)).toEqual(['counters', 'store', 'delays', 'help'])
    expect(actsOn('accounts', { name: 'alice' }, 'host').map(({ verb }) => verb.verb)).toEqual(['account'])
  })

  it('stands beside the rows that it fits, filled from them', () => {
    const acts = (state: string) =>
      actsOn('games', { game: '12', state, moves: '40' }, 'host').map(({ verb }) => verb.verb)
    expect(acts('running')).toEqual(['pause', 'adjudicate', 'restart'])
    expect(acts('paused')).toEqual(['resume', 'adjudicate', 'restart'])
    expect(acts('agreeing')).toEqual([])
    const restart = actsOn('games', { game: '12', state: 'paused', moves: '40' }, 'host')[2]
    expect(restart?.values).toEqual({ game: '12', move: '40' })
    expect(actsOn('account', { secret: 't3', 'asked.name': 'alice' }, 'admin')[0]?.values).toEqual({
      name: 'alice',
      secret: 't3',
    })
    expect(actsOn('positions', { set: 'tsec', position: '1' }, 'host')).toEqual([])
  })

  it('knows each by its name', () => {
    expect(verbNamed('drain').dangerous).toBe(true)
  })
})
