import { render } from 'svelte/server'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { DOCS, LANGUAGES } from '../i18n/words'
import { WELCOME_WORDS } from '../i18n/welcome'

vi.stubGlobal('navigator', { languages: ['en'] })
afterAll(() => void vi.unstubAllGlobals())
const { default: Welcome } = await import('./Welcome.svelte')
const { settings } = await import('../settings.svelte')

const shown = (empty: boolean) => render(Welcome, { props: { empty } }).body
const all = (body: string, pattern: RegExp) => [...body.matchAll(pattern)].map(([, found]) => found)

describe('the page of a server where nobody plays', () => {
  it.each(LANGUAGES)('says what it is in two sentences, and offers three ways (%s)', (language) => {
    settings.language = language
    const words = WELCOME_WORDS[language]
    const body = shown(true)
    expect(words.what.match(/[.。]( |$|(?=[^ ]))/g)).toHaveLength(2)
    expect(body).toContain(words.what)
    expect(all(body, /<h2[^>]*>(.*?)<\/h2>/g)).toEqual([words.watch.heading, words.play.heading, words.host.heading])
    expect(all(body, /href="(.*?)"/g)).toEqual([
      '/games',
      '/players',
      '/tournaments',
      '/rooms',
      '/console',
      DOCS[language],
    ])
  })
  it('tells a player how to join and a host how to show something', () => {
    const body = shown(true).replace(/<[^>]*>/g, '')
    expect(body).toContain('fuhyo join --server HOST:PORT --name NAME --game try-300-10F')
    expect(body).toContain('fuhyo serve --builtin demo')
  })
  it('says that the boards above are a demonstration, where there are any', () => {
    settings.language = 'en'
    expect(shown(true)).not.toContain('demonstration:')
    expect(shown(false)).toContain(WELCOME_WORDS.en.shown)
    expect(shown(false)).not.toContain('fuhyo serve --builtin demo')
  })
})
