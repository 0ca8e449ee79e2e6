// One stream of events for the whole page. The browser comes back by itself after a broken line, with the number of the
// last event it saw; after a refusal it does not, and this does.
import { Games } from './games.svelte'
import { MESSAGE_NAMES, type MessageName, type Messages } from './messages'

/** stale: the line is there, but nothing has come for so long that it may not be. */
export type Connection = 'connecting' | 'live' | 'stale' | 'reconnecting'

/** The server says something at least every 15 s. */
const STALE_MS = 25_000
const RETRY_MS = 3_000

export class Feed {
  readonly games = new Games()
  connection = $state<Connection>('connecting')
  #heard = 0
  #source: EventSource | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #watch: ReturnType<typeof setInterval> | undefined

  constructor(private readonly address: string) {}

  /** Follows until stop(). */
  start(): void {
    this.#connect()
    // A page that is left but kept by the browser must not keep its line: a browser has six for a server.
    addEventListener('pagehide', () => this.#hangUp())
    addEventListener('pageshow', (event) => {
      if (event.persisted) this.#connect()
    })
    this.#watch = setInterval(() => {
      if (this.connection === 'live' && Date.now() - this.#heard > STALE_MS) this.connection = 'stale'
    }, 1_000)
  }

  stop(): void {
    clearInterval(this.#watch)
    this.#hangUp()
  }

  #hangUp(): void {
    clearTimeout(this.#retry)
    this.#source?.close()
  }

  #hear(): void {
    this.#heard = Date.now()
    this.connection = 'live'
  }

  #connect(): void {
    const source = new EventSource(this.address)
    this.#source = source
    source.addEventListener('open', () => this.#hear())
    source.addEventListener('error', () => {
      this.connection = 'reconnecting'
      if (source.readyState === EventSource.CLOSED) this.#retry = setTimeout(() => this.#connect(), RETRY_MS)
    })
    for (const name of MESSAGE_NAMES) {
      source.addEventListener(name, (event) => {
        this.#hear()
        this.#take(name, event as MessageEvent<string>)
      })
    }
  }

  #take<Name extends MessageName>(name: Name, event: MessageEvent<string>): void {
    this.games.take(name, JSON.parse(event.data) as Messages[Name])
  }
}
