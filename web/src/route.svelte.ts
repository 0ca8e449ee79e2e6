// Which page is shown: a function of the path. Links are ordinary ones; those of our own pages do not load anew.

export type Page =
  | { readonly name: 'wall' }
  | { readonly name: 'game'; readonly id: number; readonly ply: number | null }
  /** A board alone: within the page of somebody else, or over the picture of a stream. */
  | { readonly name: 'embed' | 'overlay'; readonly id: number }
  | { readonly name: 'missing' }

export function pageOf(path: string): Page {
  if (path === '/') return { name: 'wall' }
  const game = /^\/game\/(\d{1,15})(?:\/(\d{1,5}))?$/.exec(path)
  if (game) return { name: 'game', id: Number(game[1]), ply: game[2] === undefined ? null : Number(game[2]) }
  const alone = /^\/(embed|overlay)\/(\d{1,15})$/.exec(path)
  if (alone) return { name: alone[1] === 'embed' ? 'embed' : 'overlay', id: Number(alone[2]) }
  return { name: 'missing' }
}

export const gamePath = (id: number, ply: number | null = null): string =>
  ply === null ? `/game/${id}` : `/game/${id}/${ply}`

class Route {
  #path = $state('/')
  page = $derived(pageOf(this.#path))

  get path(): string {
    return this.#path
  }

  start(): void {
    this.#path = location.pathname
    addEventListener('popstate', () => (this.#path = location.pathname))
    document.addEventListener('click', (event) => this.#follow(event))
  }

  go(path: string): void {
    if (path === this.#path) return
    history.pushState(null, '', path)
    this.#path = path
    scrollTo(0, 0)
  }

  /** Another place of the same page: nothing to come back to. */
  replace(path: string): void {
    if (path === this.#path) return
    history.replaceState(null, '', path)
    this.#path = path
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
    this.go(link.pathname)
  }
}

export const route = new Route()
