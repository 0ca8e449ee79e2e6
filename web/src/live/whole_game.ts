// What the stream of events leaves out because it is long: every comment of a game.
import type { LiveGame } from './games.svelte'
import type { WholeGame } from './messages'

/** Adds them to the game. Where they cannot be had the game goes without: the stream tells if the server is away. */
export async function fetchComments(game: LiveGame, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(`/api/v1/games/${game.id}`, { signal })
    if (!response.ok) return
    const whole = (await response.json()) as WholeGame
    if (!signal.aborted) game.addComments(whole.game.comments)
  } catch {
    // Aborted, or the line is broken.
  }
}
