// The pages as a folder of files (`fuhyo store site`), for any static host and for file://, where nothing can be
// fetched: every page is a file, and what the API says is in scripts. The build of such pages is a mode of Vite
// (vite.config.ts); server/app/store/site.cpp writes the files and names them as this does.
import type { Api } from './api'

/** Whether these are such pages. */
export const SITE = import.meta.env.MODE === 'site'

const split = (address: string) => (/^([^?]*)\??(.*)$/s.exec(address) ?? []).slice(1) as [path: string, query: string]
/** From this page to the folder of all: "" or "../". */
const root = () => document.documentElement.dataset.root ?? ''

/** The file of an address of ours, from the folder of all files on; null: there is none. */
export function fileOf(address: string): string | null {
  const [path, query] = split(address)
  if (path === '/') return 'index.html'
  const game = /^\/game\/(\d+)(?:\/(\d+))?$/.exec(path)
  if (game) return `game/${game[1]}.html${game[2] ? `#${game[2]}` : ''}`
  if (/^\/(games|crosstable|tournament\/[^/]+)$/.test(path)) return `${path.slice(1)}.html${query && `?${query}`}`
  if (/^\/api\/v1\/(games|crosstable)\.[a-z]+$/.test(path)) return path.slice(1)
  const answer = /^\/(api\/v1\/.+)(\.[a-z0-9]+)$/.exec(path)
  if (!answer) return null
  const asked = [...new URLSearchParams(query).values()].map((value) => `-${value.replaceAll('/', '-')}`)
  return answer[1] + asked.join('') + answer[2]
}

/** The address of this page as a server has it. The file says which page it is, its fragment after how many moves. */
export function ownAddress(): string {
  const ply = /^#\d{1,5}$/.test(location.hash) ? `/${location.hash.slice(1)}` : ''
  return (document.documentElement.dataset.path ?? '/') + ply + location.search
}

/** What a link to an address of ours is from here. */
export const linkOf = (address: string): string | null => {
  const file = fileOf(address)
  return file === null ? null : root() + file
}

/** Links of ours lead to files from now on; those to what is not kept lead nowhere. */
export function linkFiles(): void {
  const turn = () => {
    for (const link of document.querySelectorAll('a[href^="/"]')) {
      const there = linkOf(link.getAttribute('href') ?? '')
      if (there === null) link.removeAttribute('href')
      else link.setAttribute('href', there)
    }
  }
  new MutationObserver(turn).observe(document.body, { subtree: true, childList: true, attributeFilter: ['href'] })
  turn()
}

/** The games of a list that `player` of the query has played, against its `opponent`; both are ids or names. */
export function ofPlayers(list: Api['GameList'], query: string): Api['GameList'] {
  const asked = new URLSearchParams(query)
  const isOne = ({ id, name }: Api['ArchivedSeat'], key: 'player' | 'opponent') =>
    [null, id, name].includes(asked.get(key))
  const games = list.games.filter(
    ({ black, white }) =>
      (isOne(black, 'player') && isOne(white, 'opponent')) || (isOne(white, 'player') && isOne(black, 'opponent')),
  )
  return { ...list, games }
}

const answers: Record<string, unknown> = SITE ? ((globalThis as { fuhyo?: typeof answers }).fuhyo ??= {}) : {}

async function fromFile(address: string): Promise<Response> {
  const [path, query] = split(address)
  if (!(path in answers)) {
    const script = document.createElement('script')
    script.src = `${root()}${path.slice(1)}.js`
    await new Promise((done) => {
      script.onload = script.onerror = done
      document.head.append(script)
    })
  }
  const answer = answers[path]
  if (answer === undefined) return new Response('{}', { status: 404 })
  const isList = path === '/api/v1/games'
  return new Response(JSON.stringify(isList ? ofPlayers(answer as Api['GameList'], query) : answer))
}

/** What the API says at this address. */
export const get: typeof fetch = SITE ? (address) => fromFile(address as string) : (address, how) => fetch(address, how)
