// The seat of this page, with its line to the server: a WebSocket that is made anew when it breaks. It stays while
// other pages are shown, so that looking at something else loses no game.
import { PLAY, route } from '../route.svelte'
import { resultFor, wordOf } from './ends'
import { foundNow } from './found'
import { keep, takeUp } from './kept'
import { EMPTY, next, waitBefore_ms, type Input, type Seat } from './seat'
import { LOG_OUT, Reader, type Wish } from './wire'

const KEY = 'fuhyo-seat'
/** Proxies end connections that say nothing. */
const ALIVE_MS = 30_000
/** The server answers an empty line at once: whoever hears nothing for so long after one has lost his line. */
const ANSWER_MS = 8_000
/** A game that is there is told of at once; whoever hears nothing for so long has none to come back to. */
const SILENT_MS = 4_000

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

class SeatLine {
  now = $state.raw<Seat>(EMPTY)
  /** Whether the line is there. */
  open = $state(false)
  /** Whether the server has let us in by it. */
  loggedIn = $state(false)
  /** When the next try begins, on our clock; null: none is waited for. */
  retryAt = $state<number | null>(null)
  #path = ''
  /** When something has come. */
  #heard = 0
  #socket: WebSocket | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #silent: ReturnType<typeof setTimeout> | undefined
  // Two pages of one player would take the seat from each other for ever: the newer one has it.
  readonly #pages = new BroadcastChannel(KEY)

  /** `path`: where the server lets players in. What was under way before the page was loaded goes on. */
  start(path: string): void {
    if (this.#path) return
    this.#path = path
    setInterval(() => this.#probe(), ALIVE_MS)
    // A device that slept may have lost its line without a word.
    document.addEventListener('visibilitychange', () => document.hidden || this.#probe())
    this.#pages.onmessage = ({ data }: MessageEvent<unknown>) => {
      const { phase, wish } = this.now
      if (phase === 'form' || phase === 'over' || data !== wish?.name) return
      this.#hangUp()
      this.tell({ kind: 'taken' })
    }
    const seat = takeUp(stored())
    if (!seat) return
    this.now = seat
    this.#dial()
  }

  tell(input: Input): void {
    const before = this.now
    const { seat, lines } = next(before, input)
    this.now = seat
    for (const line of lines) this.#say(line)
    this.#store()
    // Whoever looks at something else while he waits is wanted here.
    if (seat.phase === 'agreeing' && before.phase === 'waiting') route.go(PLAY)
    if (input.kind === 'leave') this.#hangUp()
    else if (seat.phase === 'connecting' && (before.phase !== 'connecting' || input.kind === 'lost')) this.#dial()
  }

  ask(wish: Wish): void {
    this.#hangUp()
    this.tell({ kind: 'ask', wish })
  }

  /** At once, whenever the next try would be. */
  retry(): void {
    if (this.retryAt !== null) this.#connect()
  }

  #store(): void {
    const kept = keep(this.now)
    try {
      if (kept) sessionStorage.setItem(KEY, kept)
      else sessionStorage.removeItem(KEY)
    } catch {
      // Then a reload loses the way back.
    }
  }

  #say(line: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line)
  }

  #probe(): void {
    const [socket, at] = [this.#socket, Date.now()]
    this.#say('')
    setTimeout(() => {
      if (this.open && this.#socket === socket && this.#heard < at) this.#lose()
    }, ANSWER_MS)
  }

  #lose(): void {
    this.#hangUp()
    this.tell({ kind: 'lost' })
  }

  #hangUp(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#silent)
    this.retryAt = null
    const socket = this.#socket
    this.#socket = null
    this.open = false
    this.loggedIn = false
    socket?.close()
  }

  #dial(): void {
    this.#hangUp()
    const wait = waitBefore_ms(this.now.tries)
    if (wait === 0) return void this.#connect()
    this.retryAt = Date.now() + wait
    this.#retry = setTimeout(() => void this.#connect(), wait)
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#retry)
    this.retryAt = null
    if (await this.#isOver()) return
    if (this.now.phase !== 'connecting' || this.#socket) return
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${this.#path}`)
    socket.binaryType = 'arraybuffer'
    const reader = new Reader()
    const decoder = new TextDecoder()
    const mine = () => this.#socket === socket
    this.#socket = socket
    socket.addEventListener('open', () => {
      if (!mine()) return
      this.open = true
      this.#pages.postMessage(this.now.wish?.name)
      this.tell({ kind: 'opened' })
    })
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.#heard = Date.now()
      const text = typeof data === 'string' ? data : decoder.decode(data)
      for (const said of reader.take(text)) {
        if (!mine()) return
        this.tell({ kind: 'said', said, at_ms: Date.now() })
        if (said.kind === 'login') this.#answered(said.ok)
        else clearTimeout(this.#silent)
      }
    })
    socket.addEventListener('close', () => {
      if (mine()) this.#lose()
    })
  }

  #answered(ok: boolean): void {
    this.loggedIn = ok
    if (!ok) return this.#socket?.close()
    const { phase, game } = this.now
    if (phase !== 'connecting' || !game || game.token) return
    this.#silent = setTimeout(() => {
      this.#say(LOG_OUT)
      this.#hangUp()
      this.tell({ kind: 'ended', result: null, why: '' })
    }, SILENT_MS)
  }

  /** Whether the game that is come back to has ended meanwhile: a login would then ask for another one. */
  async #isOver(): Promise<boolean> {
    const { game } = this.now
    const row = game && (await foundNow(game))
    if (!row || this.now.game?.id !== game.id) return false
    this.tell({ kind: 'ended', result: resultFor(row.outcome, game.side === 'b'), why: wordOf(row.kind) })
    return true
  }
}

export const seat = new SeatLine()
