// The documents as pages under /docs: which files they are, when the pages are built. They are read without a script;
// docs.ts adds the search.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { DOCS, type Language } from '../i18n/words'
import { CHAPTERS, DOCS_WORDS } from './contents'
import { htmlOf, sectionsOf, type Section, type Target } from './markdown'
import type { IndexedPage } from './search'

/** Larger ones are left out: they would be most of the program's documents. */
export const MOST_OF_A_PICTURE = 100_000

interface Document {
  path: string
  address: string
  language: Language
  /** In the other language. */
  twin: string | null
  title: string
  sections: readonly Section[]
  html: string
}
/** What the bundler made of docs.ts: their addresses. */
export interface Parts {
  script: string
  style: string
}
export interface SiteFile {
  /** From the root of the pages. */
  name: string
  bytes: string | Uint8Array
}

const JAPANESE = /\.ja\.md$/
const languageOf = (path: string): Language => (JAPANESE.test(path) ? 'ja' : 'en')
const twinOf = (path: string): string =>
  languageOf(path) === 'ja' ? path.replace(JAPANESE, '.md') : path.replace(/\.md$/, '.ja.md')

/** "docs/operations/rooms.md" is at /docs/operations/rooms, README.md at /docs. */
export const addressOf = (path: string): string =>
  path === 'README.md' ? '/docs' : `/docs/${path.replace(/^docs\//, '').replace(/\.md$/, '')}`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** All that are shown, in their order, each with its Japanese version behind it. */
export function documentsIn(root: string): string[] {
  const listed = CHAPTERS.flatMap(({ documents }) => documents)
  return listed.flatMap((path) => [path, twinOf(path)].filter((one) => one === path || existsSync(`${root}/${one}`)))
}

/** Reads the documents, and finds the pictures that they show: path to address. */
function read(root: string, pictures: Map<string, string>): Document[] {
  const paths = documentsIn(root)
  const sources = new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]))
  const outlines = new Map([...sources].map(([path, source]) => [path, sectionsOf(source)]))
  return [...outlines].map(([path, sections]) => {
    const inRoot = (href: string) => posix.join(posix.dirname(path), decodeURI(href))
    const target = (href: string): Target => {
      if (/^(https?:|mailto:|#)/.test(href)) return { address: href }
      const [file = '', anchor] = href.split('#')
      const there = inRoot(file)
      if (there === 'docs/openapi.json') return { address: '/openapi.json' }
      const outline = outlines.get(there)
      if (!outline) return { path: there }
      const section = outline.find((one) => one.anchor === anchor) ?? outline[0]
      return { address: addressOf(there) + (anchor ? `#${anchor}` : ''), title: section.text }
    }
    const picture = (href: string): string | null => {
      const file = inRoot(href)
      if (statSync(`${root}/${file}`).size > MOST_OF_A_PICTURE) return null
      pictures.set(file, `/docs/${file.replace(/^docs\//, '')}`)
      return pictures.get(file) ?? null
    }
    const twin = sources.has(twinOf(path)) ? twinOf(path) : null
    const html = htmlOf(sources.get(path) ?? '', target, picture)
    return {
      path,
      address: addressOf(path),
      language: languageOf(path),
      twin,
      title: sections[0].text,
      sections,
      html,
    }
  })
}

/** The documents of a chapter, as a reader of this language gets them. */
function inLanguage(documents: readonly string[], language: Language, all: ReadonlyMap<string, Document>): Document[] {
  return documents.flatMap(
    (path) => all.get(languageOf(path) === language ? path : twinOf(path)) ?? all.get(path) ?? [],
  )
}

function contentsOf(page: Document, all: ReadonlyMap<string, Document>): string {
  const { language } = page
  const link = (to: Document) =>
    `<a href="${to.address}"${to.language === language ? '' : ` lang="${to.language}"`}` +
    `${to === page ? ' aria-current="page"' : ''}>${escaped(to.title)}</a>`
  const parts = page.sections
    .filter(({ depth }) => depth === 2)
    .map(({ anchor, text }) => `<li><a href="#${escaped(anchor)}">${escaped(text)}</a></li>`)
  const inside = parts.length ? `<ul aria-label="${DOCS_WORDS[language].here}">${parts.join('')}</ul>` : ''
  return CHAPTERS.map(({ title, documents }) => {
    const items = inLanguage(documents, language, all).map((to) => `<li>${link(to)}${to === page ? inside : ''}</li>`)
    return `<h2>${title[language]}</h2>\n<ul>${items.join('\n')}</ul>`
  }).join('\n')
}

function besideOf(page: Document, all: ReadonlyMap<string, Document>): string {
  const words = DOCS_WORDS[page.language]
  const row = CHAPTERS.flatMap(({ documents }) => inLanguage(documents, page.language, all))
  const at = row.indexOf(page)
  const link = (to: Document | undefined, rel: 'prev' | 'next', word: string) =>
    to ? `<a rel="${rel}" href="${to.address}"><small>${word}</small> ${escaped(to.title)}</a>` : ''
  return link(row[at - 1], 'prev', words.previous) + link(row[at + 1], 'next', words.next)
}

function pageOf(page: Document, all: ReadonlyMap<string, Document>, parts: Parts, index: string): string {
  const words = DOCS_WORDS[page.language]
  const twin = page.twin ? all.get(page.twin) : undefined
  const other = twin && `href="${twin.address}" hreflang="${twin.language}"`
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Fuhyō</title>
<meta name="theme-color" content="#f4f1ea" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${other ? `<link rel="alternate" ${other}>\n` : ''}<link rel="stylesheet" href="${parts.style}">
<script type="module" blocking="render" src="${parts.script}"></script>
</head>
<body>
<a class="skip" href="#text">${words.skip}</a>
<header>
<a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28">Fuhyō</a>
<a class="home" href="${DOCS[page.language]}">${words.documentation}</a>
<button type="button" popovertarget="contents">${words.contents}</button>
<search hidden data-index="${index}">
<input type="search" aria-label="${words.search}" placeholder="${words.search}" autocomplete="off" spellcheck="false">
<div class="found" hidden><p role="status"></p><ol></ol></div>
</search>
${other ? `<a class="other" ${other} lang="${twin.language}">${words.other}</a>\n` : ''}</header>
<div class="page">
<nav id="contents" popover aria-label="${words.contents}">
${contentsOf(page, all)}
</nav>
<main id="text">
<article>
${page.html}</article>
<nav class="beside" aria-label="${words.previous} / ${words.next}">${besideOf(page, all)}</nav>
</main>
</div>
</body>
</html>
`
}

function indexOf(documents: readonly Document[]): IndexedPage[] {
  return documents.map(({ address, language, title, sections }) => [
    address,
    language,
    title,
    sections.map(({ anchor, text, body }, at) => (at ? [anchor, text, body] : ['', '', body])),
  ])
}

/** `root`: of the repository. `nameOf` gives the index its name by its bytes. */
export function siteOf(root: string, parts: Parts, nameOf: (bytes: string) => string): SiteFile[] {
  const pictures = new Map<string, string>()
  const documents = read(root, pictures)
  const all = new Map(documents.map((one) => [one.path, one]))
  const index = JSON.stringify(indexOf(documents))
  const name = nameOf(index)
  return [
    { name, bytes: index },
    ...documents.map((page) => ({
      name: `${page.address.slice(1)}.html`,
      bytes: pageOf(page, all, parts, `/${name}`),
    })),
    ...[...pictures].map(([file, address]) => ({ name: address.slice(1), bytes: readFileSync(`${root}/${file}`) })),
  ]
}
