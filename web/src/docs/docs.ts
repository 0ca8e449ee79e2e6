// What a script adds to a page of the documents: the scheme that its reader has chosen on the other pages, and search.
import './docs.css'
import { DOCS_WORDS } from './contents'
import { found, type Hit, type IndexedPage } from './search'

const language = document.documentElement.lang === 'ja' ? 'ja' : 'en'
const words = DOCS_WORDS[language]

try {
  const chosen = JSON.parse(localStorage.getItem('fuhyo') ?? '{}')?.theme
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // As the system has it.
}

function line(hit: Hit): HTMLElement {
  const link = document.createElement('a')
  link.href = hit.address
  const heading = document.createElement('strong')
  heading.textContent = hit.heading ? `${hit.title} › ${hit.heading}` : hit.title
  const excerpt = document.createElement('span')
  excerpt.append(
    ...hit.excerpt.map((part, at) => {
      if (at % 2 === 0) return part
      const mark = document.createElement('mark')
      mark.textContent = part
      return mark
    }),
  )
  link.append(heading, excerpt)
  const item = document.createElement('li')
  item.append(link)
  return item
}

function searchBy(place: HTMLElement): void {
  const field = place.querySelector('input')!
  const box = place.querySelector<HTMLElement>('.found')!
  const status = box.querySelector('p')!
  const list = box.querySelector('ol')!
  let index: Promise<IndexedPage[]> | null = null
  const loaded = () =>
    (index ??= fetch(place.dataset.index ?? '').then((answer) => {
      if (!answer.ok) throw new Error(answer.statusText)
      return answer.json()
    }))

  async function show(): Promise<void> {
    const query = field.value
    try {
      const hits = found(await loaded(), query, language)
      if (query !== field.value) return
      status.textContent = words.found(hits.length)
      list.replaceChildren(...hits.map(line))
    } catch {
      index = null
      status.textContent = words.failed
      list.replaceChildren()
    }
    box.hidden = !query.trim()
  }
  function onKey(event: KeyboardEvent): void {
    const links = [...list.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') box.hidden = true
    else if (event.key === 'Enter' && at < 0 && !event.isComposing) links[0]?.click()
    else if (step && links.length) (links[at + step] ?? field).focus()
    else return
    event.preventDefault()
  }
  field.addEventListener('focus', () => void loaded().catch(() => (index = null)), { once: true })
  field.addEventListener('input', () => void show())
  place.addEventListener('keydown', onKey)
  // A hit on this very page loads nothing.
  list.addEventListener('click', () => (box.hidden = true))
  addEventListener('click', (event) => {
    if (!place.contains(event.target as Node)) box.hidden = true
  })
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === field) return
    event.preventDefault()
    field.focus()
  })
  place.hidden = false
}

/** The address of a heading, to be copied. */
function addressed(heading: HTMLElement): void {
  const link = document.createElement('a')
  link.className = 'anchor'
  link.href = `#${heading.id}`
  link.textContent = '#'
  link.tabIndex = -1
  link.ariaHidden = 'true'
  heading.append(' ', link)
}

function begin(): void {
  for (const heading of document.querySelectorAll<HTMLElement>('article :is(h2, h3, h4)')) addressed(heading)
  const place = document.querySelector('search')
  if (place) searchBy(place)
  const contents = document.getElementById('contents')!
  contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  // A link to a heading of this page leaves the contents open above it.
  contents.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a') && contents.matches(':popover-open')) contents.hidePopover()
  })
}
begin()
