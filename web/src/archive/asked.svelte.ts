// Questions to the archive as pages show them: being asked, answered, or failed. What was answered a moment ago is
// shown at once, so that going back does not blink.
import { untrack } from 'svelte'
import { line } from '../live/line.svelte'
import { ask, AskError, type Failure } from './api'

const FRESH_MS = 60_000
/** Answers that are kept, the newest ones. */
const MAX_KEPT = 40

const kept = new Map<string, { at: number; answer: unknown }>()

function keep(path: string, answer: unknown): void {
  kept.delete(path)
  kept.set(path, { at: Date.now(), answer })
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break
    kept.delete(oldest)
  }
}

function freshly<Answer>(path: string): Answer | null {
  const found = kept.get(path)
  return found && Date.now() - found.at < FRESH_MS ? (found.answer as Answer) : null
}

/** One question at a time. Made while a component is set up; `path` is read again whenever it changes. */
export class Asked<Answer> {
  /** Of the newest question; while that is on its way, of the one before it. */
  answer = $state.raw<Answer | null>(null)
  failure = $state<Failure | null>(null)
  why = $state('')
  asking = $state(false)
  #again = $state(0)
  #path: () => string | null

  /** Null: nothing is to be asked. */
  constructor(path: () => string | null, wait_ms = 0) {
    this.#path = path
    $effect(() => {
      void line.back
      if (untrack(() => this.failure) === 'away') this.again()
    })
    $effect(() => {
      void this.#again
      const wanted = path()
      if (wanted === null) return
      const known = freshly<Answer>(wanted)
      if (known) return this.#take(known)
      const stop = new AbortController()
      this.asking = true
      const timer = setTimeout(() => void this.#ask(wanted, stop.signal), wait_ms)
      return () => {
        clearTimeout(timer)
        stop.abort()
      }
    })
  }

  /** `anew`: even where an answer is known. */
  again(anew = false): void {
    untrack(() => {
      const wanted = anew ? this.#path() : null
      if (wanted !== null) kept.delete(wanted)
      this.#again += 1
    })
  }

  #take(answer: Answer): void {
    this.answer = answer
    this.failure = null
    this.asking = false
  }

  async #ask(path: string, signal: AbortSignal): Promise<void> {
    try {
      const answer = await ask<Answer>(path, signal)
      keep(path, answer)
      if (!signal.aborted) this.#take(answer)
    } catch (error) {
      if (signal.aborted) return
      this.answer = null
      this.failure = error instanceof AskError ? error.failure : 'away'
      this.why = error instanceof AskError ? error.message : ''
      this.asking = false
    }
  }
}

// How far lists had grown, by the answers that they began with.
const grown = new WeakMap<object, { items: readonly unknown[]; next: Next }>()

type Next = number | string | null

/** A list that grows by pages: each answer says where the next one begins, which is asked for by `key`. */
export class Growing<Answer extends object, Item> {
  items = $state.raw<readonly Item[]>([])
  next = $state<Next>(null)
  more = $state<'idle' | 'asking' | 'failed'>('idle')
  readonly first: Asked<Answer>
  #path: () => string | null
  #split: (answer: Answer) => { items: readonly Item[]; next: Next }
  #key: string
  #stop = new AbortController()

  constructor(
    path: () => string | null,
    split: (answer: Answer) => { items: readonly Item[]; next: Next },
    key = 'before',
  ) {
    this.#path = path
    this.#key = key
    this.#split = split
    this.first = new Asked(path)
    $effect(() => {
      this.#stop.abort()
      this.#stop = new AbortController()
      const answer = this.first.answer
      const known = answer && (grown.get(answer) as ReturnType<typeof split> | undefined)
      const { items, next } = known ?? (answer ? split(answer) : { items: [], next: null })
      this.items = items
      this.next = next
      this.more = 'idle'
    })
  }

  async grow(): Promise<void> {
    const path = this.#path()
    const signal = this.#stop.signal
    if (path === null || this.next === null || this.more === 'asking' || this.first.asking) return
    this.more = 'asking'
    try {
      const behind = new URLSearchParams({ [this.#key]: String(this.next) })
      const answer = await ask<Answer>(`${path}${path.includes('?') ? '&' : '?'}${behind}`, signal)
      if (signal.aborted) return
      const { items, next } = this.#split(answer)
      this.items = [...this.items, ...items]
      this.next = next
      this.more = 'idle'
      if (this.first.answer) grown.set(this.first.answer, { items: this.items, next })
    } catch {
      if (!signal.aborted) this.more = 'failed'
    }
  }
}
