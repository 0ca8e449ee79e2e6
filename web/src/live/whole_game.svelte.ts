// A game by its number: of the stream of events if that tells of it, or else of the archive; with what was said of its
// moves, which the stream leaves out because it is long.
import { untrack } from 'svelte'
import { LiveGame, type Games } from './games.svelte'
import { line } from './line.svelte'
import type { WholeGame } from './messages'
import { get, SITE } from '../site'

export type Found = 'loading' | 'shown' | 'missing' | 'away'

/** Made while a component is set up. */
export class OpenedGame {
  #games: () => Games
  #id: () => number
  #archived = $state.raw<LiveGame | null>(null)
  #failure = $state<'missing' | 'away' | null>(null)
  #again = $state(0)
  /** The game that an engine of the server may be asked about, if it is one of these. */
  #analysed = $state.raw<number | null>(null)

  constructor(games: () => Games, id: () => number) {
    this.#games = games
    this.#id = id
    // Once more after its end, for what was held back until then; and where the stream drops it.
    $effect(() => {
      const [wanted, followed] = [this.#id(), this.#games().get(this.#id())]
      void followed?.end
      void this.#again
      void line.back
      const stop = new AbortController()
      untrack(() => void this.#fetch(wanted, stop.signal))
      return () => stop.abort()
    })
  }

  get game(): LiveGame | null {
    const archived = this.#archived?.id === this.#id() ? this.#archived : null
    return this.#games().get(this.#id()) ?? archived
  }

  /** Whether an engine of the server may be asked about it. */
  get analysed(): boolean {
    return this.#analysed === this.#id()
  }

  get found(): Found {
    if (this.game) return 'shown'
    // The stream may be about to tell of it.
    return this.#failure && (SITE || this.#games().known || this.#failure === 'away') ? this.#failure : 'loading'
  }

  again(): void {
    this.#again += 1
  }

  async #fetch(id: number, signal: AbortSignal): Promise<void> {
    this.#failure = null
    try {
      const response = await get(`/api/v1/games/${id}`, { signal })
      if (signal.aborted) return
      if (!response.ok) {
        this.#failure = response.status === 404 ? 'missing' : 'away'
        return
      }
      const { game, analysis, opening } = (await response.json()) as WholeGame
      if (signal.aborted) return
      this.#analysed = analysis ? id : null
      this.#take(game, opening ?? null)
    } catch {
      if (!signal.aborted) this.#failure = 'away'
    }
  }

  #take(whole: WholeGame['game'], opening: string | null): void {
    const game = this.#games().get(whole.id) ?? new LiveGame(whole)
    game.addComments(whole.comments)
    game.opening = opening
    if (game !== this.#games().get(whole.id)) this.#archived = game
  }
}
