// A question that is asked until there is all of an answer, as a component shows it. What a lost line broke off is
// asked again when that is back.
import { untrack } from 'svelte'
import { line } from '../live/line.svelte'
import { askUntilDone, type Told } from './asking'

const NOTHING = { answer: null, done: false, busy: false, trouble: null } as const
/** Whole answers that are kept, the newest ones. */
const MAX_KEPT = 200
const kept = new Map<string, unknown>()

/** Made while a component is set up; `path` is read again whenever it changes. Null: nothing is asked. */
export class Polled<Answer> {
  told = $state.raw<Told<Answer>>(NOTHING)
  #again = $state(0)

  constructor(path: () => string | null, wait_ms = 0) {
    $effect(() => {
      void line.back
      if (untrack(() => this.told.trouble) === 'away') this.again()
    })
    $effect(() => {
      void this.#again
      const wanted = path()
      this.told = NOTHING
      if (wanted === null) return
      const known = kept.get(wanted) as Answer | undefined
      if (known !== undefined) {
        this.told = { answer: known, done: true, busy: false, trouble: null }
        return
      }
      const stop = new AbortController()
      const timer = setTimeout(
        () => void askUntilDone<Answer>(wanted, (told) => this.#take(wanted, told), stop.signal),
        wait_ms,
      )
      return () => {
        clearTimeout(timer)
        stop.abort()
      }
    })
  }

  again(): void {
    untrack(() => (this.#again += 1))
  }

  #take(path: string, told: Told<Answer>): void {
    this.told = told
    if (!told.done || told.answer === null) return
    kept.set(path, told.answer)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
  }
}
