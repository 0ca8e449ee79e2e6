// What is searched for among games: as a form has it, and as the query of an address, which is the archive's own. Pure.
import { parseSfen, toSfen } from '../shogi/position'

/** Empty: not asked for. */
export interface Search {
  player: string
  opponent: string
  color: '' | 'black' | 'white'
  event: string
  room: string
  /** Of the game, or (won, lost) of `player`. */
  result: '' | 'black' | 'white' | 'draw' | 'none' | 'won' | 'lost'
  end: string
  from: string
  to: string
  minPlies: string
  maxPlies: string
  minRate: string
  opening: string
  position: string
}

export const RESULTS = ['black', 'white', 'draw', 'none', 'won', 'lost'] as const
export const COLORS = ['black', 'white'] as const

const oneOf = <T extends string>(values: readonly T[], value: string): T | '' =>
  values.find((one) => one === value) ?? ''
const number = (text: string): string => (/^\d{1,5}$/.test(text.trim()) ? String(Number(text)) : '')
const day = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : '')

/** A position without its move number; what is no position stays as it is, for the server to refuse. */
export function positionKey(sfen: string): string {
  const trimmed = sfen.trim().replace(/^(position\s+)?sfen\s+/, '')
  if (trimmed === 'startpos' || trimmed === 'position startpos') return START
  const position = parseSfen(trimmed)
  return position ? toSfen(position, 1).replace(/ 1$/, '') : trimmed
}
export const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -'

export function searchOf(query: string): Search {
  const found = new URLSearchParams(query)
  const text = (key: string) => (found.get(key) ?? '').trim()
  const won = { yes: 'won', no: 'lost' }[text('won')] ?? ''
  return {
    player: text('player'),
    opponent: text('opponent'),
    color: oneOf(COLORS, text('color')),
    event: text('event'),
    room: text('room'),
    result: oneOf(RESULTS, won || text('outcome')),
    end: text('end'),
    from: day(text('from')),
    to: day(text('to')),
    minPlies: number(text('min_plies')),
    maxPlies: number(text('max_plies')),
    minRate: number(text('min_rate')),
    opening: text('opening'),
    position: text('position'),
  }
}

/** The same search always makes the same query. */
export function queryOf(search: Partial<Search>): string {
  const player = search.player?.trim() ?? ''
  const ofPlayer = search.result === 'won' || search.result === 'lost'
  const result = ofPlayer ? '' : (search.result ?? '')
  const fields: [string, string | undefined][] = [
    ['player', player],
    ['opponent', search.opponent],
    ['color', player && search.color],
    ['event', search.event],
    ['room', search.room],
    ['outcome', result],
    ['won', player && ofPlayer ? (search.result === 'won' ? 'yes' : 'no') : ''],
    ['end', search.end],
    ['from', day(search.from ?? '')],
    ['to', day(search.to ?? '')],
    ['min_plies', number(search.minPlies ?? '')],
    ['max_plies', number(search.maxPlies ?? '')],
    ['min_rate', number(search.minRate ?? '')],
    ['opening', search.opening],
    ['position', search.position?.trim() && positionKey(search.position)],
  ]
  const query = new URLSearchParams()
  for (const [key, value] of fields) if (value?.trim()) query.set(key, value.trim())
  return query.toString()
}

/** The first moment of a day where the viewer is, or of one behind it. */
function midnight(text: string, behind: number): number {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date + behind).getTime()
}

/** As the server is asked it: days of the viewer, on which a game ended, are moments there. */
export function questionOf(query: string): string {
  const fields = new URLSearchParams(query)
  const [from, to] = [fields.get('from'), fields.get('to')]
  if (from) fields.set('ended_from_ms', String(midnight(from, 0)))
  if (to) fields.set('ended_before_ms', String(midnight(to, 1)))
  fields.delete('from')
  fields.delete('to')
  return fields.toString()
}

/** How many of the rarer fields are filled in: those that a closed form hides. */
export const rareFields = (search: Search): number =>
  [
    search.color,
    search.event,
    search.room,
    search.end,
    search.from,
    search.to,
    search.minPlies,
    search.maxPlies,
    search.minRate,
    search.opening,
    search.position,
  ].filter(Boolean).length
