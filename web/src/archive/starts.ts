// Titles of the positions from which games start. Pure.
import type { BuoysPage } from './api'

/** Without the number of the move. */
const placed = (sfen: string): string => sfen.split(' ', 3).join(' ')

/** What the buoy `name` is called, or the position `sfen` in a set or by a buoy; null where none has it, or says
 *  nothing of it. A buoy that begins with moves is known by its name alone: the game's first position is not its. */
export function titleOfStart(
  { sets, buoys }: Pick<BuoysPage, 'sets' | 'buoys'>,
  name: string,
  sfen: string | null,
): string | null {
  const named = buoys.find((buoy) => buoy.name === name && buoy.title)
  if (named || sfen === null) return named?.title ?? null
  const all = [...sets.flatMap(({ positions }) => positions), ...buoys]
  return all.find((one) => one.title && one.sfen !== null && placed(one.sfen) === placed(sfen))?.title ?? null
}
