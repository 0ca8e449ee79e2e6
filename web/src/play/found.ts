// The page of a game that has just ended, which the archive knows a moment later.
import { ask, type GamesPage } from '../archive/api'
import type { Outcome } from '../live/messages'
import type { Game } from './seat'

export interface Found {
  readonly id: number
  readonly kind: string
  readonly outcome: Outcome
}

/** A line that is not there may say nothing for minutes. */
const ANSWER_MS = 5_000
/** So late after one another the archive is asked. */
const ASK_MS = [300, 1_500, 5_000, 15_000]

/** Null: it is not there, or the server is away. */
export async function foundNow({ id, names, side }: Game): Promise<Found | null> {
  const query = new URLSearchParams({ player: names[side], limit: '5' })
  const page = await ask<GamesPage>(`games?${query}`, AbortSignal.timeout(ANSWER_MS)).catch(() => null)
  return page?.games.find(({ csa_id }) => csa_id === id) ?? null
}

/** Asks until it is there, some times; the answer stops it. */
export function findGame(game: Game, found: (row: Found) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const look = (at: number) => {
    const wait = ASK_MS[at]
    if (wait === undefined) return
    timer = setTimeout(async () => {
      const row = await foundNow(game)
      if (stopped) return
      if (row) found(row)
      else look(at + 1)
    }, wait)
  }
  look(0)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
