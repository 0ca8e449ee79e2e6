import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { said } from './said'

const FOLDER = new URL('../../../server/core/admin/', import.meta.url)
const sources = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.cpp'))
  .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))

const isJapanese = (text: string) => /[ぁ-んァ-ヶ一-龠]/.test(text)

describe('what the server says', () => {
  it('is in both languages where an act is done', () => {
    const done = sources.flatMap((source) =>
      [...source.matchAll(/admin_done\(\s*(?:fmt::format\(|with_doubts\(fmt::format\()?\s*"([^"]+)"/g)].map(
        ([, text = '']) => text,
      ),
    )
    expect(done.length).toBeGreaterThan(20)
    const missing = done.filter((text) => /[a-z]{3}/.test(text) && !isJapanese(said(text.replaceAll('{}', '3'), 'ja')))
    expect(missing).toEqual([])
  })
  it('is in both languages where things are counted', () => {
    const words = sources.flatMap((source) =>
      [...source.matchAll(/counted\([^;]*?"([a-z ]+)"\)/g)].map(([, word = '']) => word),
    )
    expect(words).toContain('game')
    const missing = words.filter(
      (word) => said(`7 ${word}s`, 'ja').includes(word) || said(`1 ${word}`, 'ja').includes(word),
    )
    expect(missing).toEqual([])
  })
  it('has its names and figures', () => {
    expect(said('7 games', 'ja')).toBe('7局')
    expect(said('1 game', 'ja')).toBe('1局')
    expect(said('7 games', 'en')).toBe('7 games')
    expect(said('game 12 is adjudicated: Black wins', 'ja')).toBe('対局 12 を裁定しました: 先手の勝ち')
    expect(said('something new', 'ja')).toBe('something new')
  })
})
