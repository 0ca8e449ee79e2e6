// Events of the server as pages show them: what the API says (docs/openapi.json), what comes next, and the cells of
// tables. Pure.
import type { Api } from '../api'
import type { Language } from '../i18n/words'
import type { Outcome } from '../live/messages'
import { queryOf } from './search'

export type Title = Api['RoomTitle']
export type EventsPage = Api['TournamentList']
export type EventRow = Api['TournamentRow']
export type EventPage = Api['Tournament']
export type Phase = EventPage['phase']
export type Format = Api['TournamentFormat']
export type DivisionRow = Api['DivisionRow']
export type Division = Api['TournamentDivision']
export type Entrant = Api['Entrant']
export type EventRound = Api['TournamentRound']
export type EventGame = Api['TournamentGame']
export type EventTable = Api['TournamentTable']
export type TableRow = Api['TournamentTableRow']
export type Turn = Api['TournamentTurn']
export type Mark = Api['TournamentMark']
export type How = Mark['how']

/** In the reader's language where the host has said it, else in the other one, else by its name. */
export function titled(title: { ja: string | null; en: string | null }, name: string, language: Language): string {
  const other = language === 'ja' ? 'en' : 'ja'
  return title[language] || title[other] || name
}

/** What a page counts down to: the next round that has not begun. Null: nothing is known of one. */
export function nextStart(division: DivisionRow, now_ms: number): { round: number; at_ms: number } | null {
  const { round, round_at_ms, next_at_ms } = division
  if (round > 0 && round_at_ms !== null && round_at_ms > now_ms) return { round, at_ms: round_at_ms }
  return next_at_ms === null ? null : { round: round + 1, at_ms: next_at_ms }
}

/** Of several divisions the one whose next round begins first. */
export function firstStart(divisions: readonly DivisionRow[], now_ms: number) {
  const starts = divisions.flatMap((division) => nextStart(division, now_ms) ?? [])
  return starts.sort((one, other) => one.at_ms - other.at_ms)[0] ?? null
}

/** Points of up to three digits after the point, as hosts write them: "2.5", "0.4". */
export const figureText = (value: number): string => String(Math.round(value * 1000) / 1000)

/** Schedules are looked at by opponents, the others by rounds. */
export const usualView = (format: Format): 'cross' | 'rounds' =>
  format === 'round-robin' || format === 'gauntlet' || format === 'match' ? 'cross' : 'rounds'

/** The games of a row against an opponent that count, in the order of rounds; walkovers as games by forfeit. */
export const meetingOf = (row: TableRow, opponent: number): Mark[] =>
  row.rounds.flatMap((turn) => (turn.opponent === opponent && !turn.annulled ? (turn.games ?? []) : []))

/** The rounds that gave a row points without an opponent. */
export const aloneOf = (row: TableRow) =>
  row.rounds.flatMap(({ kind, points }) => ((kind === 'bye' || kind === 'absent') && points !== 0 ? [kind] : []))

/** What is shown of games: what another attempt was played instead of is not. */
export const shownMarks = (marks: readonly Mark[]): Mark[] => marks.filter(({ repeated }) => !repeated)

const SIGNS: Readonly<Record<Mark['result'], string>> = { win: '○', loss: '●', draw: '△', none: '–', pending: '…' }

/** "☗○": the colour, and how it went. */
export const markText = ({ colour, result, how }: Mark): string => {
  const seat = colour === 'black' ? '☗' : '☖'
  if (how === 'forfeit' && result !== 'pending') return result === 'win' ? '□' : '■'
  return `${seat}${SIGNS[result]}`
}

/** Points of games that are over, as wins, losses and draws. */
export function tallyOf(marks: readonly Mark[]): { wins: number; losses: number; draws: number } {
  const count = (result: Mark['result']) => marks.filter((mark) => mark.result === result).length
  return { wins: count('win'), losses: count('loss'), draws: count('draw') }
}

/** Games by the ids of their records, as far as the server's node knows them. */
export function idsOf(divisions: readonly Division[]): Map<string, number> {
  const ids = new Map<string, number>()
  for (const { timetable } of divisions) {
    for (const { games } of timetable) {
      for (const { record, id } of games) if (record !== null && id !== null) ids.set(record, id)
    }
  }
  return ids
}

/** Where the games of these two in the event are found. */
export const gamesQuery = (event: string, player: string, opponent = ''): string =>
  queryOf({ event: `${event}-*`, player, opponent })

/** What goes by in a ticker: the games of the newest rounds, and who leads. */
export function tickerOf(event: EventPage, language: Language) {
  const names = new Map(event.entrants.map(({ player, title }) => [player, titled(title, player, language)]))
  const nameOf = (player: string) => names.get(player) ?? player
  const none = language === 'ja' ? '無' : '0–0'
  const signs: Readonly<Record<Outcome, string>> = { black: '○●', white: '●○', draw: '△△', none }
  const divisions = event.stages[event.stage - 1]?.divisions ?? []
  const rounds = divisions.flatMap(({ timetable }) =>
    timetable.slice(-1).map(({ number, games }) => ({
      round: number,
      games: games.map(({ black, white, outcome, id }) => ({
        black: nameOf(black),
        white: nameOf(white),
        mark: outcome ? signs[outcome] : '–',
        id,
      })),
    })),
  )
  const leaders = divisions.flatMap(({ table }) =>
    (table?.rows ?? []).slice(0, 5).map(({ rank, player, points }) => ({ rank, name: nameOf(player), points })),
  )
  const items = rounds.reduce((sum, { games }) => sum + games.length, leaders.length)
  return { title: titled(event.title, event.name, language), rounds, leaders, items }
}

/** The address of a table as a file. */
export function tablePath(event: string, stage: string, division: string, extension: string, language: Language) {
  const query = new URLSearchParams({ division: `${stage}/${division}`, lang: language })
  return `/api/v1/tournaments/${event}/tables.${extension}?${query}`
}

/** Whether a live game is one of the event. */
export const isOf = (event: string, gameName: string): boolean => {
  const time = gameName.startsWith(`${event}-`) ? gameName.slice(event.length + 1) : ''
  return /^\d+-\d+F?$/.test(time)
}
