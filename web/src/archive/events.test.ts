import { describe, expect, it } from 'vitest'
import { EVENT_WORDS } from '../i18n/events'
import {
  aloneOf,
  figureText,
  firstStart,
  gamesQuery,
  idsOf,
  isOf,
  markText,
  meetingOf,
  nextStart,
  shownMarks,
  tablePath,
  tallyOf,
  titled,
  usualView,
  type Division,
  type DivisionRow,
  type Mark,
  type TableRow,
} from './events'

const division = (part: Partial<DivisionRow>): DivisionRow => ({
  name: 'A',
  title: { ja: null, en: null },
  format: 'swiss',
  members: 4,
  round: 0,
  rounds: 3,
  final: false,
  round_at_ms: null,
  next_at_ms: null,
  ...part,
})
const mark = (part: Partial<Mark>): Mark => ({
  game: 1,
  attempt: 1,
  colour: 'black',
  result: 'win',
  how: 'play',
  points: 1,
  repeated: false,
  plies: 80,
  record: '',
  ...part,
})

describe('what a page counts down to', () => {
  it('is the round that is told and has not begun', () => {
    expect(nextStart(division({ round: 2, round_at_ms: 500 }), 499)).toEqual({ round: 2, at_ms: 500 })
    expect(nextStart(division({ round: 2, round_at_ms: 500 }), 500)).toBeNull()
  })
  it('or else the one after it, as far as it is known', () => {
    expect(nextStart(division({ round: 2, round_at_ms: 500, next_at_ms: 900 }), 600)).toEqual({ round: 3, at_ms: 900 })
    expect(nextStart(division({ next_at_ms: 900 }), 950)).toEqual({ round: 1, at_ms: 900 })
  })
  it('is the first of several divisions', () => {
    const two = [division({ next_at_ms: 900 }), division({ round: 1, round_at_ms: 800 }), division({})]
    expect(firstStart(two, 100)).toEqual({ round: 1, at_ms: 800 })
    expect(firstStart([division({})], 100)).toBeNull()
  })
})

describe('the cells of tables', () => {
  it('say colour and result, and what was not played', () => {
    expect(markText(mark({}))).toBe('☗○')
    expect(markText(mark({ colour: 'white', result: 'loss' }))).toBe('☖●')
    expect(markText(mark({ result: 'draw' }))).toBe('☗△')
    expect(markText(mark({ result: 'pending' }))).toBe('☗…')
    expect(markText(mark({ result: 'win', how: 'forfeit' }))).toBe('□')
    expect(markText(mark({ result: 'loss', how: 'forfeit' }))).toBe('■')
    expect(markText(mark({ result: 'none', how: 'void' }))).toBe('☗–')
  })
  it('hold the games of two in the order of rounds, both colours of them, without those played again', () => {
    const row = {
      rounds: [
        { kind: 'game', opponent: 1, games: [mark({ record: 'a', repeated: true }), mark({ record: 'b' })] },
        { kind: 'bye' },
        { kind: 'game', opponent: 2, games: [mark({ record: 'c' })] },
        { kind: 'game', opponent: 1, games: [mark({ record: 'd', colour: 'white' })] },
        { kind: 'walkover', opponent: 1, games: [mark({ record: 'e', how: 'forfeit' })] },
        { kind: 'game', opponent: 1, annulled: true, games: [mark({ record: 'f' })] },
      ],
    } as unknown as TableRow
    expect(shownMarks(meetingOf(row, 1)).map(({ record }) => record)).toEqual(['b', 'd', 'e'])
    expect(meetingOf(row, 3)).toEqual([])
  })
  it('know the points without an opponent', () => {
    const row = {
      rounds: [
        { kind: 'bye', points: 1 },
        { kind: 'absent', points: 0 },
        { kind: 'absent', points: 0.5 },
        { kind: 'rest', points: 0 },
        { kind: 'walkover', points: 1 },
      ],
    } as unknown as TableRow
    expect(aloneOf(row)).toEqual(['bye', 'absent'])
  })
  it('count what is over', () => {
    const marks = [mark({}), mark({ result: 'draw' }), mark({ result: 'pending' }), mark({ result: 'none' })]
    expect(tallyOf(marks)).toEqual({ wins: 1, losses: 0, draws: 1 })
  })
  it('have points as hosts write them', () => {
    expect([0, 0.4, 2.5, 0.1 + 0.2, 17.125].map(figureText)).toEqual(['0', '0.4', '2.5', '0.3', '17.125'])
  })
  it('are by opponents where there is a schedule', () => {
    expect(usualView('round-robin')).toBe('cross')
    expect(usualView('swiss')).toBe('rounds')
    expect(usualView('knock-out')).toBe('rounds')
  })
})

describe('where things of an event are', () => {
  it('knows games by their records', () => {
    const games = [
      { record: 'a', id: 7 },
      { record: 'b', id: null },
      { record: null, id: 8 },
    ]
    expect([...idsOf([{ timetable: [{ games }] }] as unknown as Division[])]).toEqual([['a', 7]])
  })
  it('makes searches and files', () => {
    expect(gamesQuery('cup', 'ann', 'bob')).toBe('player=ann&opponent=bob&event=cup-*')
    expect(tablePath('cup', 'day1', 'A', 'csv', 'ja')).toBe(
      '/api/v1/tournaments/cup/tables.csv?division=day1%2FA&lang=ja',
    )
  })
  it('tells its games from those of events whose names begin the same', () => {
    expect(isOf('cup', 'cup-900-5F')).toBe(true)
    expect(isOf('cup', 'cup-900-0')).toBe(true)
    expect(isOf('cup', 'cup-b-900-0')).toBe(false)
    expect(isOf('cup', 'cups-900-0')).toBe(false)
  })
  it('is called in the language of the reader, or else as there is', () => {
    expect(titled({ ja: '杯', en: 'Cup' }, 'cup', 'ja')).toBe('杯')
    expect(titled({ ja: '杯', en: null }, 'cup', 'en')).toBe('杯')
    expect(titled({ ja: null, en: null }, 'cup', 'en')).toBe('cup')
  })
})

describe('the words', () => {
  it('name every tie-break of the server, in both languages', () => {
    const all =
      'points direct sonneborn-berger buchholz median beaten wins wins-as-white longest-run faults fewest-moves ' +
      'lot seed reached'
    for (const words of Object.values(EVENT_WORDS)) {
      expect(Object.keys(words.tieBreaks).sort()).toEqual(all.split(' ').sort())
    }
  })
})
