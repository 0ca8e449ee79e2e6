// Who brings together those that wait under a game name. Pure.
import type { Room } from '../archive/api'
import { isOf } from '../archive/events'
import { fits } from './game_name'

/** lobby: whoever asks for the same game; round: the server, each time a round begins; event, host: the host. */
export type Pairing = 'lobby' | 'round' | 'event' | 'host'

export const isRound = (game: string): boolean => game.startsWith('floodgate-')

/** As the server compares claims: without a star first, then by what is not one. */
const detail = (games: string): number => (games.includes('*') ? 0 : 1_000) + games.replaceAll('*', '').length

/** `rooms`, `events`: all that there are. */
export function pairingOf(
  game: string,
  rooms: readonly Pick<Room, 'name' | 'games' | 'pairing'>[],
  events: readonly { name: string }[],
): Pairing {
  const claims = rooms.filter(
    ({ name, games }) => name !== 'main' && fits(games, game) && (isRound(games) || !isRound(game)),
  )
  const [room] = claims.sort((a, b) => detail(b.games) - detail(a.games))
  if (room?.pairing === 'host') return 'host'
  if (!room && events.some(({ name }) => isOf(name, game))) return 'event'
  return isRound(game) ? 'round' : 'lobby'
}
