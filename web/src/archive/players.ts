// Which players are listed: what the page's address says, and what the archive is asked. Pure.

export const SORTS = ['rate', 'games', 'recent', 'name'] as const
export type Sort = (typeof SORTS)[number]
export const PLAYERS_A_PAGE = 100

export interface PlayersSearch {
  readonly name: string
  readonly sort: Sort
  readonly offset: number
}

export function playersSearch(query: string): PlayersSearch {
  const found = new URLSearchParams(query)
  const offset = found.get('offset') ?? ''
  return {
    name: (found.get('name') ?? '').trim(),
    sort: SORTS.find((sort) => sort === found.get('sort')) ?? 'rate',
    offset: /^\d{1,7}$/.test(offset) ? Number(offset) : 0,
  }
}

/** `whole`: with what is meant where nothing is said, too. */
export function playersQuery({ name, sort, offset }: PlayersSearch, whole = false): string {
  const query = new URLSearchParams()
  if (name.trim()) query.set('name', name.trim())
  if (whole || sort !== 'rate') query.set('sort', sort)
  if (whole) query.set('limit', String(PLAYERS_A_PAGE))
  if (offset > 0) query.set('offset', String(offset))
  return query.toString()
}
