// What the server says to a player, and he to it: the CSA protocol, in CSA mode (server/csa/PROTOCOL.md).
// Lines in, things said out. Pure but for Reader, which keeps what is not complete yet.
import { CSA, parseMove, type Move, type Side } from '../shogi/position'
import { standingOf, summaryOf, type Standing, type Summary } from './summary'

export type Result = 'win' | 'lose' | 'draw' | 'censored' | 'chudan'

export type Said =
  | { readonly kind: 'login'; readonly ok: boolean }
  | { readonly kind: 'summary'; readonly summary: Summary }
  | { readonly kind: 'standing'; readonly standing: Standing }
  | { readonly kind: 'start'; readonly id: string }
  | { readonly kind: 'rejected'; readonly by: string }
  | { readonly kind: 'moved'; readonly move: Move }
  /** %TORYO, %KACHI: somebody has said so. */
  | { readonly kind: 'special'; readonly word: string }
  /** Why the game ends: RESIGN, TIME_UP, SENNICHITE, ... */
  | { readonly kind: 'why'; readonly word: string }
  | { readonly kind: 'result'; readonly result: Result }
  /** For people: an error, a word of the host. */
  | { readonly kind: 'told'; readonly text: string }

const RESULTS: Readonly<Record<string, Result>> = {
  '#WIN': 'win',
  '#LOSE': 'lose',
  '#DRAW': 'draw',
  '#CENSORED': 'censored',
  '#CHUDAN': 'chudan',
}

/** A line that stands alone; null for what a player need not know. */
function saidBy(line: string): Said | null {
  const result = RESULTS[line]
  if (result) return { kind: 'result', result }
  if (line.startsWith('#') && !line.startsWith('##')) return { kind: 'why', word: line.slice(1) }
  if (line.startsWith('%')) return { kind: 'special', word: line.split(',', 1)[0] ?? '' }
  if (line.startsWith('LOGIN:')) return { kind: 'login', ok: line.endsWith(' OK') }
  if (line.startsWith('START:')) return { kind: 'start', id: line.slice(6) }
  const by = /^REJECT:\S+ by (.*)$/.exec(line)?.[1]
  if (by !== undefined) return { kind: 'rejected', by }
  const told = /^##\[(?:ERROR|ADMIN)\] (.*)$/.exec(line)?.[1]
  if (told !== undefined) return { kind: 'told', text: told }
  const move = parseMove(line)
  return move && { kind: 'moved', move }
}

/** So many lines a block may have: the moves of the longest game, and more. */
const MAX_BLOCK = 5_000

/** Puts lines and blocks together, of one connection. */
export class Reader {
  #rest = ''
  #block: { name: string; lines: string[] } | null = null

  /** `text`: lines with their ends, as they come. */
  take(text: string): Said[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#line(line.replace(/\r$/, '')) ?? [])
  }

  #line(line: string): Said | null {
    const open = this.#block
    if (!open) {
      const name = /^BEGIN (Game_Summary|Reconnect_State)$/.exec(line)?.[1]
      if (name) this.#block = { name, lines: [] }
      return name ? null : saidBy(line)
    }
    if (line !== `END ${open.name}`) {
      if (open.lines.length < MAX_BLOCK) open.lines.push(line)
      return null
    }
    this.#block = null
    if (open.name === 'Game_Summary') {
      const summary = summaryOf(open.lines)
      return summary && { kind: 'summary', summary }
    }
    const standing = standingOf(open.lines)
    return standing && { kind: 'standing', standing }
  }
}

// ---- what a player says ----

/** What somebody asks for. */
export interface Wish {
  readonly name: string
  /** The whole game name. */
  readonly game: string
  /** Null: either. */
  readonly side: Side | null
  readonly secret: string
}

/** `back`: the game that is come back to, by its token. */
export function loginLine({ name, game, side, secret }: Wish, back: { id: string; token: string } | null): string {
  const colour = side === null ? '' : side === 'b' ? '-B' : '-W'
  return `LOGIN ${name} ${game}${colour},${secret}${back ? ` reconnect:${back.id}+${back.token}` : ''}`
}

const NAMES = new Map(Object.entries(CSA).map(([name, [kind, promoted]]) => [`${kind}${promoted}`, name]))

/** "+7776FU" */
export function moveLine({ side, from, to, kind, promoted }: Move): string {
  const square = (one: Move['from']) => (one ? `${one.file}${one.rank}` : '00')
  return `${side === 'b' ? '+' : '-'}${square(from)}${square(to)}${NAMES.get(`${kind}${promoted}`) ?? ''}`
}

export const AGREE = 'AGREE'
export const REJECT = 'REJECT'
export const RESIGN = '%TORYO'
export const DECLARE = '%KACHI'
export const LOG_OUT = 'LOGOUT'
