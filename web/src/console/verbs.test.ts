import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CONSOLE_WORDS } from '../i18n/console'
import { actsOn, barOf, fieldsOf, isAct, tablesOf, tabsOf, VERBS, verbNamed, type Verb } from './verbs'

/** The server's own list: {"pause", "GAME [WHY]", "english", "japanese", "example", host, true, false, true}. */
function verbsOfServer() {
  const source = readFileSync(new URL('../../../server/core/admin/verbs.cpp', import.meta.url), 'utf8')
  const list = source.slice(source.indexOf('kVerbs[] = {'), source.indexOf('std::string_view to_string'))
  const text = '\\s*"((?:[^"\\\\]|\\\\.)*)",'
  const entry = new RegExp(
    `\\{${text}${text}${text}${text}${text}\\s*(\\w+),\\s*(\\w+),\\s*\\w+(?:,\\s*(\\w+))?\\}`,
    'g',
  )
  return [...list.matchAll(entry)].map((found) => ({
    verb: found[1],
    synopsis: found[2],
    least: found[6],
    acts: found[7] === 'true',
    dangerous: found[8] === 'true',
  }))
}

function synopsisOf(verb: Verb): string {
  const words = fieldsOf(verb).map(({ says }) => says)
  const why = { may: '[WHY]', must: 'WHY', none: '' }[verb.why ?? 'none']
  return [...words, why].filter(Boolean).join(' ')
}

describe('the commands of the console', () => {
  it('are those of the server, with their arguments, roles and dangers', () => {
    const server = verbsOfServer()
    expect(server.length).toBeGreaterThan(40)
    const own = (VERBS as readonly Verb[])
      .filter(({ bare }) => !bare)
      .map((verb) => ({
        verb: verb.verb,
        synopsis: synopsisOf(verb),
        least: verb.least ?? 'host',
        acts: verb.acts === true,
        dangerous: verb.dangerous === true,
      }))
    const byName = (one: { verb?: string }, other: { verb?: string }) => (one.verb! < other.verb! ? -1 : 1)
    expect(own.sort(byName)).toEqual(server.sort(byName))
  })

  it('stand somewhere, each of them', () => {
    for (const verb of VERBS as readonly Verb[]) {
      if (!isAct(verb)) continue
      expect(verb.bar ?? verb.rows?.[0]?.table, verb.verb).toBeDefined()
      for (const place of verb.rows ?? []) {
        for (const field of Object.keys(place.fill)) {
          expect(
            fieldsOf(verb).map(({ name }) => name),
            verb.verb,
          ).toContain(field)
        }
      }
    }
  })

  it('say in both languages what they will do', () => {
    for (const words of Object.values(CONSOLE_WORDS)) {
      for (const effect of Object.values(words.effects)) expect(effect((name) => `<${name}>`).length).toBeGreaterThan(3)
      expect(words.effects.pause((name) => `<${name}>`)).toContain('<game>')
    }
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
