// Players against each other: what a table of them shows, and where its cells lead. Pure.
import type { Api } from '../api'
import { queryOf, type Search } from './search'

export type CrossPlayer = Api['CrossPlayer']
export type CrossAnswer = Api['CrossTable']
/** [row, column, wins, losses, draws]: places among the players, the better one's first, whose results they are. */
export type CrossCell = CrossAnswer['cells'][number]

/** Standings that are no sums of games: what is said of each row, and what the columns are. */
export interface Standings {
  how: string
  places: readonly string[]
  points: readonly string[]
  /** Their names, where they are no players. */
  columns?: readonly string[]
  figures: readonly { head: string; title: string; texts: readonly string[] }[]
}

export interface Meeting {
  wins: number
  losses: number
  draws: number
}

/** How each player did against each other one; null: they have not met. */
export function meetings(size: number, cells: readonly CrossCell[]): (Meeting | null)[][] {
  const table = Array.from({ length: size }, () => new Array<Meeting | null>(size).fill(null))
  for (const [row, column, wins, losses, draws] of cells) {
    table[row]![column] = { wins, losses, draws }
    table[column]![row] = { wins: losses, losses: wins, draws }
  }
  return table
}

export const gamesOf = ({ wins, losses, draws }: Meeting): number => wins + losses + draws

/** A draw is half a point. */
export const pointsOf = ({ wins, draws }: Meeting): number => wins + draws / 2

/** "2½". */
export function pointsText(points: number): string {
  const whole = Math.floor(points)
  return whole === points ? String(points) : `${whole || ''}½`
}

/** "2-1-0": won, lost, drawn. */
export const recordText = ({ wins, losses, draws }: Meeting): string => `${wins}-${losses}-${draws}`

/** From -3, everything lost, to 3, everything won; 0: as many points each. */
export function toneOf(meeting: Meeting): number {
  const lead = (meeting.wins - meeting.losses) / gamesOf(meeting)
  return Math.sign(lead) * Math.ceil(Math.abs(lead) * 3)
}

/** What a search says that a table of all its players can say too. */
export const crossQuery = (search: Partial<Search>): string =>
  queryOf({
    ...search,
    color: '',
    result: search.result === 'won' || search.result === 'lost' ? '' : (search.result ?? ''),
  })

/** How a search names exactly this player. */
export const wordOf = ({ id, name }: Pick<CrossPlayer, 'id' | 'name'>): string => id ?? `${name}+`

/** The games of these two among those of a search. */
export const meetingQuery = (search: Partial<Search>, player: CrossPlayer, opponent: CrossPlayer): string =>
  queryOf({ ...search, player: wordOf(player), opponent: wordOf(opponent), color: '' })

export interface Place {
  row: number
  column: number
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The cell of two who have met that a key leads to from another one; null: there is none that way. */
export function placeAfter(key: string, from: Place, table: readonly (readonly (Meeting | null)[])[]): Place | null {
  const filled = ({ row, column }: Place) => Boolean(table[row]?.[column])
  const inRow = table[from.row]?.flatMap((met, column) => (met ? [column] : [])) ?? []
  if (key === 'Home') return { row: from.row, column: inRow[0] ?? from.column }
  if (key === 'End') return { row: from.row, column: inRow.at(-1) ?? from.column }
  const step = STEPS[key]
  if (!step) return null
  const at = { ...from }
  do {
    at.row += step[0]
    at.column += step[1]
  } while (at.row in table && at.column in table && !filled(at))
  return filled(at) ? at : null
}
