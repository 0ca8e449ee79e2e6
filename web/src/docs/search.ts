// The search through the documents: every word stands in a section or its headings. A word of Latin letters is found
// where a word begins, any other anywhere, as Japanese has no spaces. Pure.
import type { Language } from '../i18n/words'

/** Anchor, heading, text; of the part before the first heading the first two are empty. */
export type IndexedSection = readonly [anchor: string, heading: string, text: string]
export type IndexedPage = readonly [address: string, language: Language, title: string, sections: IndexedSection[]]

export interface Hit {
  address: string
  title: string
  heading: string
  /** What is around the first word of the text: every second part is a found word. */
  excerpt: readonly string[]
}

const MOST_HITS = 30
const AROUND = 60 // characters on each side

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
const patternOf = (word: string): string => {
  const text = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return /^[a-z0-9]/.test(word) ? `(?<![a-z0-9])${text}` : text
}

function excerptOf(text: string, words: readonly string[]): string[] {
  const any = new RegExp(`(${words.map(patternOf).join('|')})`, 'i')
  const at = Math.max(0, text.search(any) - AROUND)
  const to = Math.min(text.length, at + 3 * AROUND)
  return `${at ? '…' : ''}${text.slice(at, to)}${to < text.length ? '…' : ''}`.split(new RegExp(any, 'gi'))
}

/** Best first; those of the reader's language before others that are as good. */
export function found(pages: readonly IndexedPage[], query: string, language: Language): Hit[] {
  const words = folded(query).split(/\s+/).filter(Boolean)
  if (!words.length) return []
  const patterns = words.map((word) => new RegExp(patternOf(word), 'u'))
  const hits: { hit: Hit; weight: number }[] = []
  for (const [page, of, title, sections] of pages) {
    for (const [anchor, heading, text] of sections) {
      const places = [folded(heading || title), folded(title), folded(text)]
      // The rarer the place the more it says.
      const weights = patterns.map((one) =>
        [8, 3, 1].reduce((sum, w, i) => sum + (one.test(places[i] ?? '') ? w : 0), 0),
      )
      if (weights.some((weight) => !weight)) continue
      const weight = weights.reduce((sum, one) => sum + one) + (of === language ? 2 : 0)
      const address = anchor ? `${page}#${anchor}` : page
      hits.push({ hit: { address, title, heading, excerpt: excerptOf(text, words) }, weight })
    }
  }
  return hits
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_HITS)
    .map(({ hit }) => hit)
}
