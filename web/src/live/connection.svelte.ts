// One stream of events for the whole page. The browser comes back by itself after a broken line, with the number of the
// last event it saw; after a refusal it does not, and this does.
import { Games } from './games.svelte'
import { line } from './line.svelte'
import { MESSAGE_NAMES, type MessageName, type Messages } from './messages'

/** stale: the line is there, but nothing has come for so long that it may not be. */
export type Connection = 'connecting' | 'live' | 'stale' | 'reconnecting'

/** So many messages wait for frames at most: a frame out of sight may get none. */
const MOST_WAITING = 1_000
/** What comes at once is spread over so many frames, a tenth of a second. */
const FRAMES = 6
/** The server says something at least every 15 s. */
const STALE_MS = 25_000
const RETRY_MS = 3_000
/** A page that nobody has seen for so long gives its line back: a browser has six for a server, and the next page that
 *  is opened needs two. */
const UNSEEN_MS = 10_000

/** A game that is left for the wall is often come back to: less is asked for when it is clear that less is wanted. */
const NARROW_MS = 10_000

/** Whose events: of every game, of one, or of none (the line then says only whether the server is there). */
export type Wanted = 'all' | 'none' | number

const addressOf = (wanted: Wanted): string =>
  `/api/v1/events${wanted === 'all' ? '' : `?games=${wanted === 'none' ? 0 : wanted}`}` // no game has the number 0

export class Feed {
  readonly games = new Games()
  connection = $state<Connection>('connecting')
  #heard = 0
  #source: EventSource | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined
  #unseen: ReturnType<typeof setTimeout> | undefined
  #narrow: ReturnType<typeof setTimeout> | undefined
  #asked: Wanted | undefined
  #waiting: (() => void)[] = []
  #frame = 0

  /** `isHeard`: whether the page does something for somebody who does not see it. */
  constructor(
    private wanted: Wanted,
    private readonly isHeard: () => boolean,
  ) {}

  /** From now on. More comes at once, less by and by. */
  follow(wanted: Wanted): void {
    this.wanted = wanted
    clearTimeout(this.#narrow)
    if (this.#source === null || wanted === this.#asked) return
    if (this.#asked !== 'all' && wanted !== 'none') {
      this.games.known = false
      this.#connect()
    } else this.#narrow = setTimeout(() => this.#connect(), NARROW_MS)
  }

  /** Follows until stop(). */
  start(): void {
    this.#connect()
    // A page that is left but kept by the browser must not keep its line either.
    addEventListener('pagehide', () => this.#hangUp())
    addEventListener('pageshow', (event) => {
      if (event.persisted) this.#connect()
    })
    document.addEventListener('visibilitychange', () => this.#look())
    this.#watch = setInterval(() => {
      if (this.connection === 'live' && Date.now() - this.#heard > STALE_MS) this.#lose('stale')
    }, 1_000)
  }

  stop(): void {
    clearInterval(this.#watch)
    this.#hangUp()
  }

  #look(): void {
    clearTimeout(this.#unseen)
    if (!document.hidden && this.#source === null) this.#connect()
    if (!document.hidden) return
    this.#unseen = setTimeout(() => {
      if (this.isHeard()) return this.#look()
      this.#lose('connecting')
      this.#hangUp()
    }, UNSEEN_MS)
  }

  #hangUp(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#unseen)
    clearTimeout(this.#narrow)
    this.#source?.close()
    this.#source = null
  }

  #hear(): void {
    this.#heard = Date.now()
    if (this.connection !== 'live') line.back += 1
    this.connection = 'live'
    this.games.setHeard(true)
  }

  #lose(to: Connection): void {
    this.connection = to
    this.games.setHeard(false)
  }

  #connect(): void {
    this.#hangUp()
    const source = new EventSource(addressOf(this.wanted))
    this.#asked = this.wanted
    this.#source = source
    source.addEventListener('open', () => this.#hear())
    source.addEventListener('error', () => {
      this.#lose('reconnecting')
      if (source.readyState === EventSource.CLOSED) this.#retry = setTimeout(() => this.#connect(), RETRY_MS)
    })
    for (const name of MESSAGE_NAMES) {
      source.addEventListener(name, (event) => {
        this.#hear()
        this.#take(name, event as MessageEvent<string>)
      })
    }
  }

  // What comes at once, such as moves on nine boards, is drawn by and by. A page that nobody sees gets no frames.
  #take<Name extends MessageName>(name: Name, event: MessageEvent<string>): void {
    const { data } = event
    this.#waiting.push(() => this.games.take(name, JSON.parse(data) as Messages[Name]))
    if (document.hidden || this.#waiting.length > MOST_WAITING) this.#takeNext(this.#waiting.length)
    this.#askForFrame()
  }

  #askForFrame(): void {
    if (this.#waiting.length === 0 || this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.#takeNext(Math.ceil(this.#waiting.length / FRAMES))
      this.#askForFrame()
    })
  }

  #takeNext(count: number): void {
    for (const take of this.#waiting.splice(0, count)) take()
  }
}
