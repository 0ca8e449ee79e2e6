// Who is logged in with this browser, and what he asks of the server.
import type { Api } from '../api'
import { operator } from '../operator.svelte'

export type Session = Api['Session']
export type OwnSession = Api['Sessions']['sessions'][number]
export type Result = Api['CommandResult']
/** Which rows are wanted. */
export type Rows = Omit<Api['Command'], 'command' | 'reason'>

/** wrong: name, password or code; code: one is wanted; wait: too many were wrong; place: not from here; out: log in
 * again; confirm: the password is wanted again; away: no answer, or the server is busy; refused: it says why. */
export type Failure = 'wrong' | 'code' | 'wait' | 'place' | 'out' | 'confirm' | 'away' | 'refused'
export interface Refusal {
  why: Failure
  text: string
  wait_s: number
}
export type Answer = { done: true; result: Result } | { done: false; refusal: Refusal }

interface Reply {
  status: number
  told: Record<string, unknown>
  wait_s: number
}

const AWAY: Reply = { status: 0, told: {}, wait_s: 0 }

async function send(method: string, path: string, body: unknown, csrf: string): Promise<Reply> {
  const headers: Record<string, string> = {}
  if (method !== 'GET') headers['Content-Type'] = 'application/json'
  if (csrf) headers['X-Fuhyo-CSRF'] = csrf
  try {
    const text = method === 'GET' ? null : JSON.stringify(body)
    const response = await fetch(`/api/v1/${path}`, { method, headers, body: text })
    const told = (await response.json().catch(() => null)) as Record<string, unknown> | null
    return { status: response.status, told: told ?? {}, wait_s: Number(response.headers.get('Retry-After')) || 0 }
  } catch {
    return AWAY
  }
}

/** `asksWho`: a 401 is about the password that was sent. */
function refusalOf({ status, told, wait_s }: Reply, asksWho: boolean): Refusal {
  const text = typeof told.error === 'string' ? told.error : ''
  const say = (why: Failure): Refusal => ({ why, text, wait_s })
  if (told.confirm === true) return say('confirm')
  if (told.needs_code === true) return say('code')
  if (status === 401) return say(asksWho && told.logged_out !== true ? 'wrong' : 'out')
  if (status === 429) return say('wait')
  if (status === 403 && asksWho) return say('place')
  if (status === 0 || status >= 500) return say('away')
  return say('refused')
}

export class Login {
  /** none: the server has no web login. */
  state = $state<'asking' | 'none' | 'out' | 'in' | 'away'>('asking')
  who = $state.raw<Session | null>(null)

  async look(): Promise<void> {
    const reply = await send('GET', 'session', null, '')
    if (reply.status === 200) {
      this.who = reply.told as unknown as Session
      this.state = 'in'
      operator.remember(Date.now() + this.who.ends_s * 1000)
    } else if (reply.status === 401) this.#leave('out')
    else if (reply.status === 404) this.#leave('none')
    else if (this.state !== 'in') this.state = 'away'
  }

  #leave(state: 'out' | 'none'): void {
    this.who = null
    this.state = state
    operator.remember(0)
  }

  /** Null: done. */
  async #change(method: string, path: string, body: unknown, asksWho = false): Promise<Refusal | null> {
    const reply = await send(method, path, body, this.who?.csrf ?? '')
    if (reply.status === 204) return null
    const refusal = refusalOf(reply, asksWho)
    if (refusal.why === 'out') this.#leave('out')
    return refusal
  }

  async logIn(name: string, password: string, code: string): Promise<Refusal | null> {
    const refusal = await this.#change('POST', 'session', { name, password, ...(code && { code }) }, true)
    if (!refusal) await this.look()
    return refusal
  }

  async logOut(everywhere = false): Promise<Refusal | null> {
    const refusal = await this.#change('DELETE', everywhere ? 'sessions' : 'session', {})
    if (!refusal) this.#leave('out')
    return refusal
  }

  async confirm(password: string, code: string): Promise<Refusal | null> {
    const refusal = await this.#change('POST', 'session/confirm', { password, ...(code && { code }) }, true)
    if (!refusal) await this.look()
    return refusal
  }

  /** Done: every session of the name has ended, this one too. */
  async choosePassword(password: string): Promise<Refusal | null> {
    const refusal = await this.#change('PUT', 'session/password', { password })
    if (!refusal) this.#leave('out')
    return refusal
  }

  async sessions(): Promise<OwnSession[]> {
    const reply = await send('GET', 'sessions', null, '')
    if (reply.status === 401) this.#leave('out')
    return reply.status === 200 ? (reply.told.sessions as OwnSession[]) : []
  }

  async command(line: string, reason = '', rows?: Rows): Promise<Answer> {
    const body = { command: line, ...(reason && { reason }), ...rows }
    const reply = await send('POST', 'admin', body, this.who?.csrf ?? '')
    if (reply.status === 200) return { done: true, result: reply.told as unknown as Result }
    const refusal = refusalOf(reply, false)
    if (refusal.why === 'out') this.#leave('out')
    return { done: false, refusal }
  }
}

const AWAKE_MS = 5 * 60_000
let moved_ms = Date.now()
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const) {
  addEventListener(kind, () => (moved_ms = Date.now()), { passive: true })
}
/** Somebody is there: tables that refresh themselves keep nobody logged in who has left. */
export const isAwake = (): boolean => document.visibilityState === 'visible' && Date.now() - moved_ms < AWAKE_MS
