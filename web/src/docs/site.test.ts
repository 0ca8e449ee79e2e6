// The site as it is built of the repository's documents.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { DOCS } from '../i18n/words'
import type { IndexedPage } from './search'
import { addressOf, documentsIn, MOST_OF_A_PICTURE, siteOf } from './site'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PARTS = { script: '/assets/docs-1.js', style: '/assets/docs-2.css' }
const INDEX = 'assets/documents-3.json'

const files = new Map(siteOf(ROOT, PARTS, () => INDEX).map(({ name, bytes }) => [`/${name}`, bytes]))
const pages = new Map(
  [...files].flatMap(([name, bytes]) => (name.endsWith('.html') ? [[name.replace(/\.html$/, ''), String(bytes)]] : [])),
)
const read = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map((match) => read(match[1] ?? ''))
const idsOf = (html: string) => all(html, /\sid="([^"]*)"/g)
const linksOf = (html: string) => all(html, /\s(?:href|src|data-index)="([^"]*)"/g)

/** Whether an address that a page has leads somewhere. */
function leads(from: string, address: string): boolean {
  if (/^https?:\/\/[^/]+\.[^/]+/.test(address)) return true
  const [path = '', anchor] = address.split('#')
  const page = pages.get(path || from)
  if (page !== undefined) return anchor === undefined || idsOf(page).includes(decodeURIComponent(anchor))
  const is_there = files.has(path) || Object.values(PARTS).includes(path) || existsSync(`${ROOT}web/public${path}`)
  return is_there || path === '/' || path === '/openapi.json'
}

describe('the documents', () => {
  it('are all of docs, each once', () => {
    const shown = documentsIn(ROOT)
    const written = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    )
    expect(written.length).toBeGreaterThan(20)
    expect(written.map((name) => `docs/${name}`).filter((path) => !shown.includes(path))).toEqual([])
    expect(new Set(shown.map(addressOf)).size).toBe(shown.length)
    expect(pages.size).toBe(shown.length)
    expect(Object.values(DOCS).filter((address) => !pages.has(address))).toEqual([])
  })
  it('have no dead link', () => {
    const dead = [...pages].flatMap(([from, html]) =>
      linksOf(html).flatMap((address) => (leads(from, address) ? [] : [`${from}: ${address}`])),
    )
    expect(dead).toEqual([])
    expect(leads('/docs', '/docs/nothing')).toBe(false)
    expect(leads('/docs', '#nothing')).toBe(false)
    expect(leads('/docs', '/docs/tournaments#nothing')).toBe(false)
    expect(leads('/docs', 'tournaments.md')).toBe(false)
  })
  it('have each anchor once', () => {
    for (const [address, html] of pages) expect(new Set(idsOf(html)).size, address).toBe(idsOf(html).length)
  })
  it('hold to the content policy', () => {
    for (const [address, html] of pages) {
      expect(html.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''), address).not.toMatch(
        /<style|\sstyle="|<[^>]*\son\w+=|javascript:/,
      )
      expect(all(html, /<script([^>]*)>/g), address).toEqual([` type="module" blocking="render" src="${PARTS.script}"`])
    }
  })
  it('stand in the contents, and follow each other', () => {
    for (const language of ['en', 'ja'] as const) {
      const row: string[] = []
      for (let at: string | undefined = DOCS[language]; at && row.length <= pages.size;) {
        const html: string = pages.get(at) ?? ''
        expect(all(html, /href="([^"]*)"(?: lang="\w+")? aria-current="page"/g)).toEqual([at])
        row.push(at)
        const next: string | undefined = all(html, /rel="next" href="([^"]*)"/g)[0]
        // The first document without a Japanese version goes on in English.
        if (next) expect(all(pages.get(next) ?? '', /rel="prev" href="([^"]*)"/g).length).toBe(1)
        at = next
      }
      expect(row.length).toBe(documentsIn(ROOT).filter((path) => !path.endsWith('.ja.md')).length)
    }
  })
  it('lead to the other language, and back', () => {
    const other = (html: string) => all(html, /rel="alternate" href="([^"]*)"/g)[0]
    const twins = [...pages].filter(([, html]) => other(html))
    expect(twins.map(([address]) => address)).toContain(DOCS.ja)
    for (const [address, html] of twins) expect(other(pages.get(other(html) ?? '') ?? '')).toBe(address)
    for (const [address, html] of pages) {
      expect(html, address).toContain(`<html lang="${address.endsWith('.ja') ? 'ja' : 'en'}">`)
    }
  })
  it('have their pictures, but no large one', () => {
    for (const [name, bytes] of files) {
      if (/\.(png|webp|svg)$/.test(name)) expect(bytes.length, name).toBeLessThanOrEqual(MOST_OF_A_PICTURE)
    }
  })
  it('are found by what stands in them', () => {
    const index = JSON.parse(String(files.get(`/${INDEX}`))) as IndexedPage[]
    expect(index.map(([address]) => address).sort()).toEqual([...pages.keys()].sort())
    for (const [address, , , sections] of index) {
      for (const [anchor] of sections) expect(leads(address, anchor && `#${anchor}`), `${address}#${anchor}`).toBe(true)
    }
  })
})
