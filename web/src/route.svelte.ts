// Which page is shown: a function of the path and the query. Links are ordinary ones; those of our own pages do not
// load anew.
import type { Wanted } from './live/connection.svelte'
import { linkFiles, linkOf, ownAddress, SITE } from './site'

export const LISTS = ['tournaments', 'rooms', 'games', 'players', 'rounds', 'buoys'] as const
export const CONSOLE = '/console'
export const PLAY = '/play'
export type ListName = (typeof LISTS)[number]
/** Pages whose query says what they show; those that are no list are where a list leads. */
const QUERIED = [...LISTS, 'crosstable'] as const
type QueriedName = (typeof QUERIED)[number]

const PLAIN = ['api', 'share'] as const
type PlainName = (typeof PLAIN)[number]

export type Page =
  | { readonly name: 'wall' }
  | { readonly name: 'game'; readonly id: number; readonly ply: number | null }
  /** A board alone: within the page of somebody else, or over the picture of a stream. */
  | { readonly name: 'embed' | 'overlay'; readonly id: number; readonly ply: number | null }
  /** What a server keeps; `query` (without its mark) says what of it. */
  | { readonly name: QueriedName; readonly query: string }
  /** The API in words; and what puts games into other pages and over pictures of streams. */
  | { readonly name: PlainName }
  /** One line of what happens in an event, likewise. */
  | { readonly name: 'ticker'; readonly id: string }
  /** For whoever runs the server. */
  | { readonly name: 'console'; readonly query: string }
  /** For whoever plays here: `query` may say what game. */
  | { readonly name: 'play'; readonly query: string }
  | { readonly name: 'player'; readonly id: string }
  /** What is played in a room, by its name. */
  | { readonly name: 'room'; readonly id: string }
  /** An event of the server, by its name. */
  | { readonly name: 'tournament'; readonly id: string }
  | { readonly name: 'missing' }

/** Pages of the archive. */
const ONES = ['player', 'room', 'tournament'] as const
export type KeptPage = Extract<Page, { name: QueriedName | PlainName | (typeof ONES)[number] }>
export const isKept = (page: Page): page is KeptPage =>
  [...ONES, ...QUERIED, ...PLAIN].some((name) => name === page.name)

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** `query`: as an address has it, with its mark or without. */
export function pageOf(path: string, query = ''): Page {
  if (path === '/') return { name: 'wall' }
  const game = /^\/(game|embed|overlay)\/(\d{1,15})(?:\/(\d{1,5}))?$/.exec(path)
  if (game) {
    const [, name, id, ply] = game
    return { name: name as 'game', id: Number(id), ply: ply === undefined ? null : Number(ply) }
  }
  if (path === CONSOLE) return { name: 'console', query: query.replace(/^\?/, '') }
  if (path === PLAY) return { name: 'play', query: query.replace(/^\?/, '') }
  const queried = QUERIED.find((name) => path === `/${name}`)
  if (queried) return { name: queried, query: query.replace(/^\?/, '') }
  const plain = PLAIN.find((name) => path === `/${name}`)
  if (plain) return { name: plain }
  const room = /^\/room\/([a-z][a-z0-9_-]{0,31})$/.exec(path)?.[1]
  if (room !== undefined) return { name: 'room', id: room }
  const event = /^\/(tournament|ticker)\/([A-Za-z0-9_@.-]{1,32})$/.exec(path)
  if (event) return { name: event[1] as 'tournament', id: event[2] ?? '' }
  const player = decoded(/^\/player\/([^/]{1,400})$/.exec(path)?.[1] ?? '')
  return player ? { name: 'player', id: player } : { name: 'missing' }
}

/** Of which games a page shows moves as they are played. */
export function wantedOn(page: Page): Wanted {
  switch (page.name) {
    case 'game':
    case 'embed':
    case 'overlay':
      return page.id
    case 'wall':
    case 'rooms':
    case 'room':
    case 'tournament':
    case 'ticker':
    case 'share':
      return 'all'
    default:
      return 'none'
  }
}

export const gamePath = (id: number, ply: number | null = null): string =>
  ply === null ? `/game/${id}` : `/game/${id}/${ply}`
export const playerPath = (id: string): string => `/player/${encodeURIComponent(id)}`
export const roomPath = (name: string): string => `/room/${name}`
export const tournamentPath = (name: string): string => `/tournament/${name}`
export const consolePath = (query: string): string => `${CONSOLE}?${query}`
export const pagePath = (name: QueriedName, query = ''): string => `/${name}${query && `?${query}`}`

class Route {
  #address = $state('/')
  page = $derived.by(() => {
    const [path = '/', query = ''] = this.#address.split(/\?(.*)/s)
    return pageOf(path, query)
  })

  start(): void {
    const read = () => (this.#address = SITE ? ownAddress() : location.pathname + location.search)
    read()
    addEventListener('popstate', read)
    if (SITE) linkFiles()
    else document.addEventListener('click', (event) => this.#follow(event))
  }

  go(address: string): void {
    if (address === this.#address) return
    if (SITE) return location.assign(linkOf(address) ?? '')
    history.pushState(null, '', address)
    this.#address = address
    scrollTo(0, 0)
  }

  /** Another place of the same page: nothing to come back to. */
  replace(address: string): void {
    if (address === this.#address) return
    history.replaceState(null, '', SITE ? linkOf(address) : address)
    this.#address = address
  }

  #follow(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    const link = (event.target as Element | null)?.closest('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (pageOf(link.pathname).name === 'missing') return
    event.preventDefault()
    this.go(link.pathname + link.search)
    // Who does not see the new page is told of it.
    document.querySelector('main')?.focus({ preventScroll: true })
  }
}

export const route = new Route()
