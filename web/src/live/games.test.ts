import { describe, expect, it, vi } from 'vitest'
import { Games } from './games.svelte'
import type { GameData } from './messages'

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
const AFTER = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2'
const game = (id: number, more: Partial<GameData> = {}): GameData => ({
  id,
  room: '',
  delay: null,
  csa_id: `g+${id}`,
  name: 'test-300-10',
  black: { name: 'a', id: 'a+1', builtin: false, rate: null },
  white: { name: 'b', id: null, builtin: true, rate: 2100 },
  time: { total_s: 300, byoyomi_s: 10, increment_s: 0, least_s: 0, stopwatch_s: 0 },
  white_time: null,
  declaration: '27',
  rules: 'shogi-server',
  max_moves: 0,
  rated: true,
  start_sfen: START,
  state: 'running',
  moves: [],
  sfen: START,
  remaining_s: [300, 300],
  opened_at_ms: 0,
  turn_since_ms: 1_000,
  paused_ms: null,
  end: null,
  last_comments: [null, null],
  ...more,
})
const following = (...games: GameData[]): Games => {
  const all = new Games()
  all.take('snapshot', { now_ms: 5_000, games })
  return all
}

describe('Games', () => {
  it('are those of the newest snapshot', () => {
    const games = following(game(1), game(2))
    expect(games.known).toBe(true)
    games.take('snapshot', { now_ms: 9_000, games: [game(3)] })
    expect([...games.all.keys()]).toEqual([3])
  })
  it('follow moves, with clocks, positions and who is to move', () => {
    const games = following(game(1))
    const live = games.get(1)!
    expect(live.turn).toBe('b')
    expect(live.clock('b', 4_000)).toEqual({ left_s: 297, byoyomi: false })
    expect(live.clock('w', 4_000).left_s).toBe(300)
    games.take('moved', { id: 1, ply: 1, move: '+7776FU,T3', remaining_s: 297, sfen: AFTER, at_ms: 4_000 })
    expect(live.plies).toBe(1)
    expect(live.turn).toBe('w')
    expect(live.lastMove?.to).toEqual({ file: 7, rank: 6 })
    expect(live.positionAt(1)).toEqual(live.position)
    expect(live.clock('w', 6_500).left_s).toBe(297.5)
    expect(live.clock('b', 6_500).left_s).toBe(297)
    expect(live.positionAt(2)).toBeNull()
  })
  it('have a clock for each colour where White has another one', () => {
    const white_time = { total_s: 60, byoyomi_s: 5, increment_s: 0, least_s: 0, stopwatch_s: 0 }
    const games = following(game(1, { white_time, remaining_s: [300, 60] }))
    games.take('moved', { id: 1, ply: 1, move: '+7776FU,T3', remaining_s: 297, sfen: AFTER, at_ms: 4_000 })
    expect(games.get(1)!.clock('w', 65_000)).toEqual({ left_s: 4, byoyomi: true })
  })
  it('know how likely Black is to win by what was said last', () => {
    const games = following(game(1, { last_comments: [null, null] }))
    const live = games.get(1)!
    const moved = { id: 1, remaining_s: 297, sfen: AFTER, at_ms: 4_000 }
    expect(live.chanceAt(0)).toBeNull()
    games.take('moved', { ...moved, ply: 1, move: '+7776FU,T3', comment: '* 600' })
    expect(live.chanceAt(1)).toBeCloseTo(0.7311, 4)
    games.take('moved', { ...moved, ply: 2, move: '-3334FU,T3', comment: '* -600' })
    expect(live.chanceAt(2)).toBeCloseTo(0.5, 4)
    games.take('moved', { ...moved, ply: 3, move: '+2726FU,T3' })
    expect(live.chanceAt(3)).toBeCloseTo(0.5, 4)
    expect(live.chanceAt(1)).toBeCloseTo(0.7311, 4)
    expect(live.chanceAt(0)).toBeNull()
  })
  it('learn late what was said of a move, and know what is news', () => {
    const games = following(game(1, { last_comments: [null, null] }))
    const live = games.get(1)!
    const moved = { id: 1, remaining_s: 297, sfen: AFTER, at_ms: 4_000 }
    const moves = ['+7776FU,T3', '-3334FU,T3', '+2726FU,T3']
    for (const [at, move] of moves.entries()) games.take('moved', { ...moved, ply: at + 1, move })
    games.take('commented', { id: 1, ply: 3, comment: '* 600' })
    games.take('commented', { id: 1, ply: 1, comment: '* 30' })
    games.take('commented', { id: 1, ply: 2, comment: '* -20' })
    expect(live.evaluationAt(1)?.score).toBe(30)
    expect(live.lastEvaluation('b')?.score).toBe(600)
    expect(live.lastEvaluation('w')?.score).toBe(-20)
  })
  it('keep what the commentator says of each ply, its last words', () => {
    const games = following(game(1))
    const live = games.get(1)!
    expect(live.toldAt(0)).toBeNull()
    live.addTold([[0, { ja: '対局です。', en: 'A game.' }]])
    for (const en of ['Move 1.', 'Move 1, again.']) games.take('commentary', { id: 1, ply: 1, ja: '1手目。', en })
    games.take('commentary', { id: 2, ply: 1, ja: '', en: 'of a game that is not here' })
    expect(live.toldAt(0)?.ja).toBe('対局です。')
    expect(live.toldAt(1)).toEqual({ ja: '1手目。', en: 'Move 1, again.' })
    expect(live.toldAt(2)).toBeNull()
  })
  it('keep what players say of their moves', () => {
    const games = following(game(1, { last_comments: ['* 12 -3334FU', null] }))
    const live = games.get(1)!
    expect(live.lastEvaluation('b')?.score).toBe(12)
    expect(live.lastEvaluation('w')).toBeNull()
    games.take('moved', {
      id: 1,
      ply: 1,
      move: '+7776FU,T3',
      remaining_s: 297,
      sfen: AFTER,
      at_ms: 4_000,
      comment: '* -40 -3334FU',
    })
    expect(live.evaluationAt(1)).toEqual({ score: -40, line: ['-3334FU'], nodes: null })
    expect(live.lastEvaluation('b')?.score).toBe(-40)
    live.addComments([[2, 'good luck']])
    expect(live.commentAt(2)).toBe('good luck')
    expect(live.evaluationAt(2)).toBeNull()
    expect(live.commentAt(3)).toBeNull()
  })
  it('stop clocks while a game is paused', () => {
    const games = following(game(1))
    const live = games.get(1)!
    games.take('paused', { id: 1, paused_ms: 2_500, by: 'host', why: '' })
    expect(live.clock('b', 99_000).left_s).toBe(297.5)
    games.take('suspended', { id: 1, paused_ms: 2_500, why: '' })
    games.take('resumed', { id: 1, by: 'host' })
    expect(live.clock('b', 99_000).left_s).toBe(297.5)
    games.take('continued', { id: 1, turn_since_ms: 100_000 })
    expect(live.clock('b', 101_000).left_s).toBe(299)
  })
  it('stand still while nothing can be heard of them', () => {
    vi.useFakeTimers({ now: 50_000 })
    const games = following(game(1))
    vi.advanceTimersByTime(2_000)
    expect(games.now()).toBe(7_000)
    games.setHeard(false)
    vi.advanceTimersByTime(60_000)
    expect([games.lost, games.now()]).toEqual([true, 7_000])
    games.setHeard(true)
    expect([games.lost, games.now()]).toEqual([false, 67_000])
    vi.useRealTimers()
  })
  it('show the clocks that were after each move', () => {
    const moves = ['+7776FU,T3', '-3334FU,T40', '+2726FU,T299']
    const live = following(game(1, { moves, remaining_s: [0, 260] })).get(1)!
    const faces = [0, 1, 2, 3].map((ply) => [live.clockAfter('b', ply), live.clockAfter('w', ply)])
    expect(faces.map(([b, w]) => [b?.left_s, w?.left_s])).toEqual([
      [300, 300],
      [297, 300],
      [297, 260],
      [10, 260],
    ])
    expect(faces[3]![0]!.byoyomi).toBe(true)
    expect(live.left.map(({ short }) => short)).toEqual([false, false, false, true])
  })
  it('have clocks that go by only where time does: some moves behind nobody can tell', () => {
    const games = following(game(1, { delay: { seconds: 60 } }), game(2, { delay: { moves: 3 } }))
    const [late, behind] = [games.get(1)!, games.get(2)!]
    expect([late.ticks, behind.ticks]).toEqual([true, false])
    expect(late.clock('b', 4_000).left_s).toBe(297)
    expect(behind.clock('b', 4_000).left_s).toBe(300)
    games.take('paused', { id: 2, paused_ms: 2_500, by: 'host', why: '' })
    expect(behind.clock('b', 99_000).left_s).toBe(297.5)
  })
  it('are looked at for a while when they have ended, or until their players begin another one', () => {
    vi.useFakeTimers()
    const rival = { name: 'c', id: null, builtin: false, rate: null }
    const games = following(game(1), game(2, { black: rival, white: { ...rival, name: 'd' } }))
    const end = { kind: 'toryo', outcome: 'black', line: '%TORYO', plies: 0, reason: '', at_ms: 5_000 } as const
    games.take('ended', { id: 1, ...end })
    games.take('ended', { id: 2, ...end })
    vi.advanceTimersByTime(14_999)
    expect([games.get(1)!.lingers, games.get(2)!.lingers]).toEqual([true, true])
    games.take('opened', { game: game(3, { white: rival }) })
    expect([games.get(1)!.lingers, games.get(2)!.lingers]).toEqual([false, false])
    games.take('ended', { id: 3, ...end })
    vi.advanceTimersByTime(15_000)
    expect(games.get(3)!.lingers).toBe(false)
    vi.useRealTimers()
  })
  it('end, are opened and rejected', () => {
    const games = following(game(1, { state: 'agreeing' }))
    games.take('started', { id: 1, at_ms: 7_000 })
    expect(games.get(1)!.state).toBe('running')
    games.take('opened', { game: game(2, { state: 'agreeing' }) })
    games.take('rejected', { id: 2, by: 'b', at_ms: 1 })
    expect(games.get(2)).toBeUndefined()
    games.take('ended', { id: 1, kind: 'toryo', outcome: 'white', line: '%TORYO', plies: 0, reason: '', at_ms: 1 })
    expect(games.get(1)!.state).toBe('ended')
    expect(games.get(1)!.turn).toBeNull()
    expect(games.get(1)!.end?.outcome).toBe('white')
  })
  it('forget the oldest of many that have ended', () => {
    const games = following()
    for (let id = 1; id <= 60; ++id) {
      games.take('opened', { game: game(id) })
      games.take('ended', { id, kind: 'toryo', outcome: 'black', line: '', plies: 0, reason: '', at_ms: id })
    }
    expect(games.all.size).toBe(50)
    expect(games.get(10)).toBeUndefined()
    expect(games.get(11)).toBeDefined()
  })
  it('mind no event of a game that they do not know', () => {
    const games = following()
    games.take('moved', { id: 9, ply: 1, move: '+7776FU,T3', remaining_s: 297, sfen: AFTER, at_ms: 4_000 })
    games.take('started', { id: 9, at_ms: 1 })
    games.take('ended', { id: 9, kind: 'toryo', outcome: 'black', line: '', plies: 0, reason: '', at_ms: 1 })
    expect(games.all.size).toBe(0)
  })
})
