// Which games the wall shows, and how many. Pure.
import type { Order } from '../settings.svelte'
import type { LiveGame } from './games.svelte'

/** The most boards, and the least side of one that is shown without being asked for. */
export const MOST_BOARDS = 12
const LEAST_SIDE = 200
/** Between cards, within them around the board, and of their headings. */
export const GAP = 10
const EDGE = 14
const HEADING = 30

/** The side of a board that has so much room: what the styles of BoardView.svelte come to. */
export function sideIn(width: number, height: number): number {
  const bars = 2 * Math.min(34, Math.max(20, 0.065 * Math.min(width, height)))
  if (width >= 1.55 * height) return Math.min(height, (width - 15) / 1.48, width - 180)
  if (width >= 0.95 * height) return Math.min((width - 15) / 1.22, height - bars - 6)
  return Math.min(width - 9, (height - bars - 12) / 1.2)
}

/** In how many columns so many boards are largest within a window. */
export function arrange(count: number, width: number, height: number): { columns: number; rows: number; side: number } {
  const ways = Array.from({ length: Math.max(1, count) }, (_, i) => {
    const [columns, rows] = [i + 1, Math.ceil(Math.max(1, count) / (i + 1))]
    const room = (all: number, parts: number) => (all - GAP * (parts - 1)) / parts - EDGE
    return { columns, rows, side: sideIn(room(width, columns), room(height, rows) - HEADING) }
  })
  return ways.reduce((best, way) => (way.side > best.side ? way : best))
}

/** How many boards: what the viewer chose, or so many as there are games and room. */
export function boardCount(chosen: string, games: number, width: number, height: number): number {
  if (chosen !== 'automatic') return Number(chosen)
  for (let count = Math.min(games, MOST_BOARDS); count > 1; --count) {
    if (arrange(count, width, height).side >= LEAST_SIDE) return count
  }
  return 1
}

/** The event that a game is of, by its name: what stands before its time. */
export const eventOf = (name: string): string => name.replace(/-\d+-\d+F?$/, '')

/** Whether one of these plays; `names`: as somebody wrote them, with commas between. */
export function isOneOf(names: string, { seats }: Pick<LiveGame, 'seats'>): boolean {
  const wanted = names.toLowerCase().split(/[\s,、]+/)
  return [seats.b.name, seats.w.name].some((name) => wanted.includes(name.toLowerCase()))
}

/** Of the players that the server brings along while nobody else plays. */
export const isDemonstration = ({ room }: Pick<LiveGame, 'room'>): boolean => room === 'demo'

type Choosable = Pick<LiveGame, 'id' | 'room' | 'state' | 'lingers' | 'tens' | 'seats' | 'openness' | 'haste'>

/** Of both players; who has none counts nothing, so that two who are known come before one. */
const rates = ({ seats }: Choosable): number => (seats.b.rate ?? 0) + (seats.w.rate ?? 0)

/** What else may be asked for; `mine`: names of players. */
const wishes: Readonly<Record<Order, (game: Choosable, mine: string) => number>> = {
  automatic: () => 0,
  mine: (game, mine) => (isOneOf(mine, game) ? 1 : 0),
  rating: rates,
  close: ({ openness }) => openness,
  haste: ({ haste }) => haste,
}

/**
 * The order in which games are shown: pinned ones; those of the viewer's players, where these are asked for; then
 * running before ended, and of the ended ones those whose result is still looked at; where it is asked for, higher
 * rated players, closer games or less time before others; games of players before demonstrations; longer before shorter
 * by tens of moves, so that boards do not change places with every move; newer before older.
 */
export function ranked<Game extends Choosable>(
  games: Iterable<Game>,
  pinned: ReadonlySet<number>,
  order: Order = 'automatic',
  mine = '',
): Game[] {
  const states = { running: 2, agreeing: 1, ended: 0 }
  const keys = (game: Game) => [
    pinned.has(game.id) ? 1 : 0,
    order === 'mine' ? wishes.mine(game, mine) : 0,
    game.lingers ? 0.5 : states[game.state],
    game.state === 'ended' && order !== 'rating' ? 0 : wishes[order](game, mine),
    isDemonstration(game) ? 0 : 1,
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
