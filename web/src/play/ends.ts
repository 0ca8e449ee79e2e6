// How games end: the protocol's words, and those that the archive and all pages have for them. Pure.
import type { GameEnd, Outcome } from '../live/messages'
import type { Game } from './seat'
import type { Result } from './wire'

const KINDS: Readonly<Record<string, string>> = {
  RESIGN: 'toryo',
  TIME_UP: 'time up',
  JISHOGI: 'kachi',
  ILLEGAL_MOVE: 'illegal move',
  SENNICHITE: 'sennichite',
  OUTE_SENNICHITE: 'oute_sennichite',
  MAX_MOVES: 'max_moves',
  CHUDAN: 'chudan',
}
const WORDS = new Map(Object.entries(KINDS).map(([word, kind]) => [kind, word]))

/** The protocol's word; what it has none for stays what it is. */
export const wordOf = (kind: string): string => WORDS.get(kind) ?? kind

function outcomeOf(result: Result | null, black: boolean): Outcome {
  if (result === 'win' || result === 'lose') return (result === 'win') === black ? 'black' : 'white'
  return result === 'draw' || result === 'censored' ? 'draw' : 'none'
}

export const resultFor = (outcome: Outcome, black: boolean): Result =>
  outcome === 'draw' ? 'draw' : outcome === 'none' ? 'chudan' : (outcome === 'black') === black ? 'win' : 'lose'

/** As pages tell of it. `why`: the protocol's word, or the archive's. */
export const endOf = ({ side, moves }: Game, result: Result | null, why: string): GameEnd => ({
  kind: KINDS[why] ?? why,
  outcome: outcomeOf(result, side === 'b'),
  line: '',
  plies: moves.length,
  reason: '',
  at_ms: 0,
})
