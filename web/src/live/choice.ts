// Which games the wall shows, and how many. Pure.
import type { Order } from '../settings.svelte'
import type { LiveGame } from './games.svelte'

/** How many boards fit: what the viewer chose, or so many as there are games, up to what the width holds. */
export function boardCount(chosen: string, games: number, width_px: number): number {
  if (chosen !== 'automatic') return Number(chosen)
  const most = width_px < 640 ? 1 : width_px < 1_000 ? 2 : width_px < 1_500 ? 4 : 9
  return [1, 2, 4, 9].find((count) => count >= Math.min(games, most)) ?? 9
}

type Choosable = Pick<LiveGame, 'id' | 'room' | 'state' | 'tens' | 'seats'>

/** Of both players; who has none counts nothing, so that two who are known come before one. */
const rates = ({ seats }: Choosable): number => (seats.b.rate ?? 0) + (seats.w.rate ?? 0)

/**
 * The order in which games are shown: pinned ones; then running before ended; where it is asked for, higher rated
 * players before others; games of players before demonstrations; longer before shorter by tens of moves, so that boards
 * do not change places with every move; newer before older.
 */
export function ranked<Game extends Choosable>(
  games: Iterable<Game>,
  pinned: ReadonlySet<number>,
  order: Order = 'automatic',
): Game[] {
  const states = { running: 2, agreeing: 1, ended: 0 }
  const keys = (game: Game) => [
    pinned.has(game.id) ? 1 : 0,
    states[game.state],
    order === 'rating' ? rates(game) : 0,
    game.room === 'demo' ? 0 : 1,
    game.state === 'running' ? game.tens : 0,
    game.id,
  ]
  const keyed = [...games].map((game) => ({ game, keys: keys(game) }))
  keyed.sort((a, b) => {
    const at = a.keys.findIndex((key, i) => key !== b.keys[i])
    return at < 0 ? 0 : (b.keys[at] ?? 0) - (a.keys[at] ?? 0)
  })
  return keyed.map(({ game }) => game)
}

/** What is shown instead of `before`, each where it has been as long as it is shown: newcomers fill what gets free. */
export function keepPlaces<Game extends { readonly id: number }>(
  before: readonly Game[],
  wanted: readonly Game[],
): Game[] {
  const at = new Map(before.map(({ id }, i) => [id, i]))
  const places: (Game | undefined)[] = wanted.map(() => undefined)
  const others = wanted.filter((game) => {
    const place = at.get(game.id) ?? places.length
    if (place < places.length) places[place] = game
    return place >= places.length
  })
  return places.flatMap((game) => game ?? others.shift() ?? [])
}
