// A game by its number: of the stream of events if that tells of it, or else of the archive; with what was said of its
// moves, which the stream leaves out because it is long.
import { untrack } from 'svelte'
import { LiveGame, type Games } from './games.svelte'
import { line } from './line.svelte'
import type { WholeGame } from './messages'
import { get, SITE } from '../site'

export type Found = 'loading' | 'shown' | 'missing' | 'away'

type Answer = WholeGame['game']

/**
 * Whether the archive's answer lacks something by now: what was said of the moves with which the stream began to tell
 * of the game, what its end shows, or the end itself, of which a stream that has come does not tell (any more).
 */
export function isBehind(answer: Answer, followed: LiveGame | undefined, known: boolean): boolean {
  if (!followed) return known && answer.end === null
  return answer.moves.length < followed.toldPlies || (followed.end !== null && answer.end === null)
}

/** Made while a component is set up. */
export class OpenedGame {
  #games: () => Games
  #id: () => number
  #answer = $state.raw<Answer | null>(null)
  #archived = $state.raw<LiveGame | null>(null)
  #failure = $state<'missing' | 'away' | null>(null)
  #again = $state(0)
  /** The game that an engine of the server may be asked about, if it is one of these. */
  #analysed = $state.raw<number | null>(null)
  /** Once true it stays so until something else is known: one question for each time. */
  readonly #behind = $derived.by(() => {
    const [followed, known] = [this.#games().get(this.#id()), this.#games().known]
    if (this.#answer?.id === this.#id()) return isBehind(this.#answer, followed, known)
    return followed !== undefined && untrack(() => this.#failure) !== null
  })

  constructor(games: () => Games, id: () => number) {
    this.#games = games
    this.#id = id
    $effect(() => {
      void line.back
      if (untrack(() => this.#failure) === 'away') this.again()
    })
    $effect(() => {
      if (this.#behind) this.again()
    })
    $effect(() => {
      void this.#again
      const wanted = this.#id()
      const stop = new AbortController()
      untrack(() => void this.#fetch(wanted, stop.signal))
      return () => stop.abort()
    })
    $effect(() => {
      const [followed, archived] = [this.#games().get(this.#id()), this.#archived]
      if (followed && followed.id === archived?.id) untrack(() => followed.learn(archived))
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
    untrack(() => (this.#again += 1))
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
      const { game, analysis, opening, commentary } = (await response.json()) as WholeGame
      if (signal.aborted) return
      this.#analysed = analysis ? id : null
      this.#take(game, opening ?? null, commentary ?? [])
    } catch {
      if (!signal.aborted) this.#failure = 'away'
    }
  }

  #take(answer: Answer, opening: string | null, commentary: NonNullable<WholeGame['commentary']>): void {
    const game = new LiveGame(answer)
    game.addComments(answer.comments)
    game.addTold(commentary.map(([ply, ja, en]) => [ply, { ja, en }]))
    game.opening = opening
    this.#archived = game
    this.#answer = answer
  }
}
