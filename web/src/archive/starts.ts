// Titles of the positions from which games start. Pure.
import type { BuoysPage } from './api'

/** Without the number of the move. */
const placed = (sfen: string): string => sfen.split(' ', 3).join(' ')

/** As a set or a buoy calls it; null where neither has it, or says nothing of it. */
export function titleOfStart({ sets, buoys }: Pick<BuoysPage, 'sets' | 'buoys'>, sfen: string): string | null {
  const all = [...sets.flatMap(({ positions }) => positions), ...buoys]
  return all.find((one) => one.title && one.sfen !== null && placed(one.sfen) === placed(sfen))?.title ?? null
}
