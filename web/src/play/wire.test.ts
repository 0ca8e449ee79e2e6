import { describe, expect, it } from 'vitest'
import { checkedKing, parseMove, pieceAt, toSfen } from '../shogi/position'
import { conversation, heardBy, textOf } from './conversations'
import type { Summary } from './summary'
import { loginLine, moveLine, Reader, type Said } from './wire'

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
const read = (lines: readonly string[]): Said[] => new Reader().take(textOf(lines))
const summaryIn = (said: readonly Said[]): Summary => {
  const found = said.find((one) => one.kind === 'summary')
  if (!found) throw new Error('no summary')
  return found.summary
}
const kinds = (said: readonly Said[]) => said.map(({ kind }) => kind)
const seconds = (total_s: number, byoyomi_s: number, increment_s: number, stopwatch_s = 0) => ({
  total_s,
  byoyomi_s,
  increment_s,
  least_s: 0,
  stopwatch_s,
})

describe('Reader', () => {
  const trips = heardBy('A', conversation('csa_mode', 'a trip each'))
  it('reads a game in CSA mode', () => {
    const said = read(trips)
    expect(kinds(said)).toEqual(['login', 'summary', 'start', 'moved', 'special', 'why', 'result'])
    const summary = summaryIn(said)
    expect(summary).toMatchObject({
      id: 'ev+cm0-300-10F+kuro+shiro+<stamp>',
      names: { b: 'kuro', w: 'shiro' },
      side: 'b',
      times: { b: seconds(300, 0, 10), w: seconds(300, 0, 10) },
      toMove: 'b',
      moves: [],
      maxMoves: 256,
      declaration: '27',
      token: null,
    })
    expect(toSfen(summary.start, 1)).toBe(START)
    expect(said[0]).toEqual({ kind: 'login', ok: true })
    expect(said[2]).toEqual({ kind: 'start', id: summary.id })
    expect(said[3]).toEqual({ kind: 'moved', move: parseMove('+7776FU,T0') })
    expect(said.slice(4)).toEqual([
      { kind: 'special', word: '%TORYO' },
      { kind: 'why', word: 'RESIGN' },
      { kind: 'result', result: 'win' },
    ])
  })
  it('reads the same however it is cut', () => {
    const text = textOf(trips)
    for (const size of [1, 7, 64]) {
      const reader = new Reader()
      const said: Said[] = []
      for (let at = 0; at < text.length; at += size) said.push(...reader.take(text.slice(at, at + size)))
      expect(said, String(size)).toEqual(read(trips))
    }
    expect(new Reader().take(text.replaceAll('\n', '\r\n'))).toEqual(read(trips))
  })
  it('reads positions with pieces in hand, and who is to move', () => {
    const { start, toMove, side } = summaryIn(read(heardBy('A', conversation('arbitrary_start'))))
    expect(toSfen(start, 1)).toBe('4k4/9/4p4/9/9/9/4P4/9/4K4 w G2Pgp 1')
    expect([toMove, side]).toEqual(['w', 'b'])
    expect(checkedKing(start)).toBeNull()
  })
  it('reads the moves that a game begins with', () => {
    const { moves } = summaryIn(read(heardBy('D', conversation('fork'))))
    expect(moves).toEqual([parseMove('+7776FU,T0'), parseMove('-3334FU,T0')])
  })
  it('scales times by their unit', () => {
    const block = (sign: string, unit: string, total: number, increment: number) =>
      [
        `BEGIN Time${sign}\nTime_Unit:${unit}\nTotal_Time:${total}\nByoyomi:0`,
        `Increment:${increment}\nLeast_Time_Per_Move:0\nEND Time${sign}`,
      ].join('\n')
    const lines = trips.join('\n')
    const with_ = (blocks: string) =>
      summaryIn(read(lines.replace(/BEGIN Time\n[^]*?END Time/, blocks).split('\n'))).times
    expect(with_(`${block('+', '1sec', 600, 0)}\n${block('-', '1sec', 120, 5)}`)).toEqual({
      b: seconds(600, 0, 0),
      w: seconds(120, 0, 5),
    })
    expect(with_(block('', '1min', 15, 0)).b).toEqual(seconds(900, 0, 0, 60))
    expect(with_(block('', '1msec', 1500, 0)).b).toEqual(seconds(1.5, 0, 0))
  })
  it('reads how declarations are judged, and the token', () => {
    const lines = trips.map((line) => (line.startsWith('Declaration') ? 'Entering_King_Rule:CSARule24H' : line))
    const at = lines.indexOf('END Game_Summary')
    lines.splice(at, 0, 'Reconnect_Token:30a0000000000000000000000000000f')
    const { declaration, token, moves } = summaryIn(read(lines))
    expect(declaration).toBe('24-handicap')
    expect(token).toBe('30a0000000000000000000000000000f')
    expect(moves).toEqual([])
  })
  it('reads how a game stands on coming back by a token', () => {
    const lines = [
      'BEGIN Reconnect_State',
      'Current_Turn:-',
      'Black_Time_Remaining_Ms:298000',
      'White_Time_Remaining_Ms:296500',
      'Last_Move:+7776FU',
      'END Reconnect_State',
    ]
    expect(read(lines)).toEqual([
      {
        kind: 'standing',
        standing: { toMove: 'w', left_ms: { b: 298_000, w: 296_500 }, lastMove: parseMove('+7776FU') },
      },
    ])
  })
  it('reads who is not let in, who refuses, and what is for people', () => {
    expect(read(['LOGIN:incorrect'])).toEqual([{ kind: 'login', ok: false }])
    const refused = read(heardBy('B', conversation('csa_mode', 'Black rejects')))
    expect(refused).toContainEqual({ kind: 'rejected', by: 'kuro' })
    expect(read(heardBy('A', conversation('csa_mode', 'a handicap game')))).toContainEqual({
      kind: 'told',
      text: 'Random turn preference is not allowed for handicapped games',
    })
  })
  it('reads how games end', () => {
    const ends = (file: string, player: string, part?: string) =>
      read(heardBy(player, conversation(file, part))).flatMap((one) =>
        one.kind === 'why' ? one.word : one.kind === 'result' ? one.result : [],
      )
    expect(ends('timeup', 'B', 'a late move')).toEqual(['TIME_UP', 'lose'])
    expect(ends('sennichite', 'A')).toEqual(['SENNICHITE', 'draw'])
    expect(ends('maxmoves', 'A')).toEqual(['MAX_MOVES', 'censored'])
    expect(ends('csafile_jishogi_kachi', 'B')).toEqual(['JISHOGI', 'win'])
    expect(read(['#CHUDAN'])).toEqual([{ kind: 'result', result: 'chudan' }])
  })
  it('passes over what is for others', () => {
    expect(read(['', ' ', '##[LOGIN] +OK x1', 'CHALLENGE ACCEPTED', '##[CHAT][a] +7776FU'])).toEqual([])
  })
})

describe('what is said', () => {
  const wish = { name: 'kuro', game: 'level5-600-30', side: null, secret: 's3cret' } as const
  it('asks for a game, with a colour or without', () => {
    expect(loginLine(wish, null)).toBe('LOGIN kuro level5-600-30,s3cret')
    expect(loginLine({ ...wish, side: 'w' }, null)).toBe('LOGIN kuro level5-600-30-W,s3cret')
    expect(loginLine({ ...wish, side: 'b' }, { id: 'ev+a-1-1+b+c+2', token: '0f' })).toBe(
      'LOGIN kuro level5-600-30-B,s3cret reconnect:ev+a-1-1+b+c+2+0f',
    )
  })
  it('writes moves as the server reads them', () => {
    for (const text of [
      '+7776FU',
      '-0055KA',
      '+2822RY',
      '-3334TO',
      '+5948OU',
      '+1112NY',
      '-7785NK',
      '+3324NG',
      '+8822UM',
    ])
      expect(moveLine(parseMove(text)!)).toBe(text)
    expect(
      pieceAt(summaryIn(read(heardBy('A', conversation('csa_mode', 'a trip each')))).start, { file: 8, rank: 8 })?.kind,
    ).toBe('B')
  })
})
