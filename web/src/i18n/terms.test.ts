// The glossary holds: what it forbids appears nowhere, in pages, in the server, and in the Japanese README.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const forbidden = readFileSync(join(ROOT, 'web/src/i18n/TERMS.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [^|-]/.test(line))
  .slice(1)
  .flatMap((line) => (line.split('|')[3] ?? '').split(',').map((word) => word.trim()))
  .filter(Boolean)

function files(folder: string, kind: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => kind.test(name))
    .map((name) => join(folder, name))
}

describe('the glossary', () => {
  it('forbids something', () => {
    expect(forbidden).toContain('勝ち点')
    expect(forbidden.length).toBeGreaterThan(10)
  })
  it('is what pages and server say', () => {
    const said = [
      ...files('web/src', /\.(ts|svelte)$/),
      ...files('server', /\.(cpp|h|json)$/),
      'README.ja.md',
      ...files('docs', /\.ja\.md$/),
    ]
    const found = said.flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      return file.endsWith('terms.test.ts')
        ? []
        : forbidden.filter((word) => text.includes(word)).map((word) => [file, word])
    })
    expect(found).toEqual([])
  })
})
