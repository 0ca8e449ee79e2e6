import { describe, expect, it } from 'vitest'
import { parseMove, parseSfen, toSfen, type Move } from '../shogi/position'
import { conversation, heardBy, textOf } from './conversations'
import { keep, takeUp } from './kept'
import { again, EMPTY, mayMove, next, shownPosition, waitBefore_ms, type Input, type Seat } from './seat'
import { gameData } from './shown'
import { Reader } from './wire'

const WISH = { name: 'kuro', game: 'cm0-300-10F', side: null, secret: 'k' } as const
const TOKEN = '30a0000000000000000000000000000f'
const at = (text: string): Move => parseMove(text)!

/** A seat, what it says, and time that the test chooses. */
class Player {
  seat: Seat = EMPTY
  said: string[] = []
  now_ms = 0
  #reader = new Reader()
  do(input: Input): this {
    const { seat, lines } = next(this.seat, input)
    this.seat = seat
    this.said.push(...lines)
    return this
  }
  move = (text: string) => this.do({ kind: 'move', move: at(text), at_ms: this.now_ms })
  hears(...lines: string[]): this {
    for (const said of this.#reader.take(textOf(lines))) this.do({ kind: 'said', said, at_ms: this.now_ms })
    return this
  }
  get phase() {
    return this.seat.phase
  }
  get game() {
    if (!this.seat.game) throw new Error('no game')
    return this.seat.game
  }
  takeSaid(): string[] {
    const said = this.said
    this.said = []
    return said
  }
}

const SUMMARY = heardBy('A', conversation('csa_mode', 'a trip each')).filter(
  (line) => !/^(LOGIN|START|\+77|%|#)/.test(line),
)
const summary = (...changes: [from: string | RegExp, to: string][]): string[] =>
  changes.reduce((text, [from, to]) => text.replace(from, to), SUMMARY.join('\n')).split('\n')
const withToken = (...changes: [from: string | RegExp, to: string][]) =>
  summary(['END Game_Summary', `Reconnect_Token:${TOKEN}\nEND Game_Summary`], ...changes)
const ID = 'ev+cm0-300-10F+kuro+shiro+<stamp>'
const white: [RegExp, string] = [/Your_Turn:\+/, 'Your_Turn:-']

const waiting = () => new Player().do({ kind: 'ask', wish: WISH }).do({ kind: 'opened' }).hears('LOGIN:kuro OK')
const playing = (lines: string[] = summary()) => waiting().hears(...lines, `START:${ID}`)

describe('a seat', () => {
  it('plays a whole conversation', () => {
    const lines = heardBy('A', conversation('csa_mode', 'a trip each'))
    const player = new Player().do({ kind: 'ask', wish: WISH })
    expect(player.phase).toBe('connecting')
    player.do({ kind: 'opened' })
    expect(player.takeSaid()).toEqual(['LOGIN kuro cm0-300-10F,k'])
    player.hears(lines[0]!)
    expect(player.phase).toBe('waiting')
    const start = lines.findIndex((line) => line.startsWith('START'))
    player.hears(...lines.slice(1, start))
    expect([player.phase, player.takeSaid()]).toEqual(['agreeing', ['AGREE']])
    expect(mayMove(player.seat)).toBe(false)
    player.hears(lines[start]!)
    expect([player.phase, mayMove(player.seat)]).toEqual(['playing', true])
    player.move('+7776FU')
    expect(player.takeSaid()).toEqual(['+7776FU'])
    expect(mayMove(player.seat)).toBe(false)
    player.hears(...lines.slice(lines.indexOf('+7776FU,T0')))
    expect(player.seat).toMatchObject({ phase: 'over', result: 'win', why: 'RESIGN' })
    expect(player.game.moves).toHaveLength(1)
    expect(player.do({ kind: 'lost' }).phase).toBe('over')
    expect(again(WISH, player.game.side)).toEqual({ ...WISH, side: 'w' })
  })
  it('says nothing illegal', () => {
    const player = playing()
    player.takeSaid()
    for (const text of ['+7775FU', '+8822KA', '-3334FU', '+0055FU']) player.move(text)
    expect(player.takeSaid()).toEqual([])
    expect(player.game.sent).toBeNull()
  })
  it('shows its own move at once, and keeps what the server tells', () => {
    const player = playing()
    player.now_ms = 6_500
    player.move('+7776FU')
    expect(player.game.moves).toHaveLength(0)
    expect(shownPosition(player.game).turn).toBe('w')
    expect(gameData(player.seat, player.game, '', null)).toMatchObject({
      moves: ['+7776FU,T6'],
      remaining_s: [300 + 10 - 6 + 10, 310],
      paused_ms: 0,
    })
    player.hears('+7776FU,T6')
    expect(player.game.sent).toBeNull()
    expect(player.game.left).toEqual({ b: 314, w: 310 })
    expect(player.game.since_ms).toBe(6_500)
  })
  it('counts byoyomi, increments, and whole minutes of a stop-watch', () => {
    const left = (changes: [string | RegExp, string][], ...told: string[]) =>
      playing(summary(...changes)).hears(...told).game.left
    const byoyomi: [string, string][] = [
      ['Byoyomi:0', 'Byoyomi:10'],
      ['Increment:10', 'Increment:0'],
    ]
    expect(left(byoyomi, '+7776FU,T20', '-3334FU,T305')).toEqual({ b: 280, w: 0 })
    expect(left([], '+7776FU,T305')).toEqual({ b: 15, w: 310 })
    const minutes: [string, string][] = [
      ['1sec', '1min'],
      ['Total_Time:300', 'Total_Time:15'],
      ['Increment:10', 'Increment:0'],
    ]
    expect(left(minutes, '+7776FU,T59', '-3334FU,T61')).toEqual({ b: 900, w: 840 })
  })
  it('resigns, and declares on its move alone', () => {
    const player = playing()
    player.takeSaid()
    player.do({ kind: 'declare' }).move('+7776FU').do({ kind: 'declare' }).do({ kind: 'resign' })
    expect(player.takeSaid()).toEqual(['%KACHI', '+7776FU', '%TORYO'])
  })
  it('has resigned once, and plays no more, before the opponent has moved', () => {
    const player = playing().move('+7776FU').hears('+7776FU,T0').move('+2726FU')
    expect(player.game.premove).not.toBeNull()
    player.takeSaid()
    player.do({ kind: 'resign' }).do({ kind: 'resign' }).move('+2726FU').hears('-3334FU,T0').move('+2726FU')
    expect(player.takeSaid()).toEqual(['%TORYO'])
    expect([player.game.premove, mayMove(player.seat)]).toEqual([null, false])
  })
  it('takes a move back that the server found illegal', () => {
    const player = playing().move('+7776FU').hears('#ILLEGAL_MOVE', '#LOSE')
    expect(player.seat).toMatchObject({ phase: 'over', result: 'lose', why: 'ILLEGAL_MOVE' })
    expect(player.game.sent).toBeNull()
  })
  it('is not let in, and says why', () => {
    const player = new Player().do({ kind: 'ask', wish: WISH }).do({ kind: 'opened' })
    player.hears('LOGIN:incorrect', '##[ERROR] cm0-300-10F is played under TLS only: connect to the port for that')
    expect(player.seat).toMatchObject({ phase: 'form', trouble: 'login', wish: WISH })
    expect(player.seat.told).toContain('TLS only')
  })
  it('asks again when nobody agreed', () => {
    const player = waiting().hears(...summary(), `REJECT:${ID} by shiro`)
    expect(player.seat).toMatchObject({ phase: 'form', trouble: 'rejected', game: null })
  })
  it('begins the next game where the room keeps its players', () => {
    const player = playing().hears('%TORYO', '#RESIGN', '#WIN')
    player.takeSaid()
    player.hears(...summary([/kuro\+shiro/, 'shiro+kuro'], white))
    expect([player.phase, player.takeSaid()]).toEqual(['agreeing', ['AGREE']])
    expect(player.game).toMatchObject({ side: 'w', moves: [] })
    expect(player.seat.result).toBeNull()
  })
})

describe('a seat that another page has taken', () => {
  it('is given up without a word, and nothing is kept of it', () => {
    const player = playing()
    player.takeSaid()
    player.do({ kind: 'taken' })
    expect(player.seat).toMatchObject({ phase: 'form', trouble: 'taken', game: null })
    expect(player.takeSaid()).toEqual([])
    expect(keep(player.seat)).toBeNull()
  })
})

describe('a premove', () => {
  it('is played as soon as it is legal', () => {
    const player = playing(summary(white)).move('-3334FU')
    expect(player.takeSaid()).not.toContain('-3334FU')
    expect(player.game.premove).toEqual(at('-3334FU'))
    player.hears('+7776FU,T1')
    expect(player.takeSaid()).toContain('-3334FU')
    expect(player.game).toMatchObject({ premove: null, sent: at('-3334FU') })
  })
  it('takes back onto a square that is its own yet', () => {
    const player = playing(summary(white)).hears('+7776FU,T1').move('-3334FU').hears('-3334FU,T1')
    player.takeSaid()
    player.move('-3122GI').hears('+8822UM,T1')
    expect(player.takeSaid()).toEqual(['-3122GI'])
  })
  it('is dropped where it is not legal', () => {
    const player = playing(summary(white)).hears('+7776FU,T1').move('-3334FU').hears('-3334FU,T1')
    player.takeSaid()
    player.move('-8384FU').hears('+8833UM,T1')
    expect(player.takeSaid()).toEqual([])
    expect(player.game).toMatchObject({ premove: null, sent: null })
    expect(mayMove(player.seat)).toBe(true)
  })
  it('is taken back', () => {
    const player = playing(summary(white)).move('-3334FU').do({ kind: 'unmove' }).hears('+7776FU,T1')
    expect(player.takeSaid()).not.toContain('-3334FU')
  })
  it('may follow a move that is on its way', () => {
    const player = playing().move('+7776FU').move('+2726FU')
    expect(player.game).toMatchObject({ sent: at('+7776FU'), premove: at('+2726FU') })
    player.takeSaid()
    player.hears('+7776FU,T1', '-3334FU,T1')
    expect(player.takeSaid()).toEqual(['+2726FU'])
  })
})

describe('coming back', () => {
  const standing = (turn: string, last: string) => [
    'BEGIN Reconnect_State',
    `Current_Turn:${turn}`,
    'Black_Time_Remaining_Ms:280500',
    'White_Time_Remaining_Ms:290000',
    `Last_Move:${last}`,
    'END Reconnect_State',
  ]
  const boardAfter76 = (row: string): [string, string] => [
    'P6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU',
    `P6 *  * +FU *  *  *  *  *  * \nP7+FU+FU * +FU+FU+FU+FU+FU+FU${row}`,
  ]
  const onlyWhite: [RegExp, string] = [/^\+$/m, '-']

  it('goes on by the token, without agreeing', () => {
    const player = playing(withToken()).hears('+7776FU,T6')
    player.takeSaid()
    player.do({ kind: 'lost' })
    expect(player.seat).toMatchObject({ phase: 'connecting', tries: 0 })
    player.do({ kind: 'opened' })
    expect(player.takeSaid()).toEqual([`LOGIN kuro cm0-300-10F,k reconnect:${ID}+${TOKEN}`])
    player.now_ms = 50_000
    player.hears('LOGIN:kuro OK', ...withToken(boardAfter76(''), onlyWhite, ['To_Move:+', 'To_Move:-']))
    player.hears(...standing('-', '+7776FU'))
    expect([player.phase, player.takeSaid()]).toEqual(['playing', []])
    expect(player.game.moves).toEqual([at('+7776FU,T6')])
    expect(player.game).toMatchObject({ left: { b: 290.5, w: 300 }, since_ms: 50_000, token: TOKEN })
    player.hears('-3334FU,T5')
    expect(mayMove(player.seat)).toBe(true)
  })
  it('knows the move that was made meanwhile', () => {
    const player = playing(withToken(white)).do({ kind: 'lost' }).do({ kind: 'opened' })
    player.hears('LOGIN:kuro OK', ...withToken(white, boardAfter76(''), onlyWhite), ...standing('-', '+7776FU'))
    expect(player.game.moves).toEqual([at('+7776FU')])
    expect(mayMove(player.seat)).toBe(true)
  })
  it('begins from the position where it cannot know what was played', () => {
    const player = playing(withToken()).do({ kind: 'lost' }).do({ kind: 'opened' })
    player.hears('LOGIN:kuro OK', ...withToken(boardAfter76('')), ...standing('+', '-3334FU'))
    expect(player.game.moves).toEqual([])
    expect(toSfen(player.game.start, 1)).toContain('PP1PPPPPP')
  })
  it('says a move again that did not arrive', () => {
    const player = playing(withToken()).move('+7776FU').do({ kind: 'lost' }).do({ kind: 'opened' })
    player.takeSaid()
    player.hears('LOGIN:kuro OK', ...withToken(), ...standing('+', '-0000FU'))
    expect(player.takeSaid()).toEqual(['+7776FU'])
    expect(player.game.sent).toEqual(at('+7776FU'))
  })
  it('does not say it again when it had arrived', () => {
    const player = playing(withToken()).move('+7776FU').do({ kind: 'lost' }).do({ kind: 'opened' })
    player.takeSaid()
    player.hears('LOGIN:kuro OK', ...withToken(boardAfter76(''), onlyWhite), ...standing('-', '+7776FU'))
    expect(player.takeSaid()).toEqual([])
    expect(player.game.moves).toEqual([at('+7776FU')])
  })
  it('agrees to go on by name and secret where there is no token', () => {
    const player = playing().hears('+7776FU,T6', '-3334FU,T20').do({ kind: 'lost' }).do({ kind: 'opened' })
    expect(player.takeSaid().at(-1)).toBe('LOGIN kuro cm0-300-10F,k')
    const gone = summary(
      ['+\nEND Position', '+\n+7776FU,T0\n-3334FU,T0\nEND Position'],
      ['Total_Time:300', 'Total_Time:290'],
    )
    player.hears('LOGIN:kuro OK', ...gone)
    expect([player.phase, player.takeSaid()]).toEqual(['agreeing', ['AGREE']])
    // What he has left is told as if it were all there ever was; the opponent's is as it was known.
    expect(player.game.left).toEqual({ b: 300, w: 300 })
    expect(player.game.times.b.total_s).toBe(300)
    player.hears(`START:${ID}`)
    expect(mayMove(player.seat)).toBe(true)
  })
  it('has no game to come back to', () => {
    const lost = () => playing(withToken()).do({ kind: 'lost' }).do({ kind: 'opened' })
    expect(lost().hears('LOGIN:incorrect').seat).toMatchObject({ phase: 'over', trouble: 'ended', result: null })
    expect(lost().do({ kind: 'ended', result: 'lose', why: 'RESIGN' }).seat).toMatchObject({
      phase: 'over',
      trouble: null,
      result: 'lose',
    })
    const other = playing().do({ kind: 'lost' }).do({ kind: 'opened' })
    other.takeSaid()
    other.hears('LOGIN:kuro OK', ...summary(['<stamp>', 'later']))
    expect([other.phase, other.takeSaid()]).toEqual(['over', ['REJECT', 'LOGOUT']])
  })
  it('tries again later and later, and asks anew for a game that had not begun', () => {
    const player = waiting().do({ kind: 'lost' })
    expect(player.seat).toMatchObject({ phase: 'connecting', tries: 0, game: null })
    expect(player.do({ kind: 'lost' }).do({ kind: 'lost' }).seat.tries).toBe(2)
    expect(player.do({ kind: 'opened' }).hears('LOGIN:kuro OK').seat).toMatchObject({ phase: 'waiting', tries: 0 })
    expect(
      waiting()
        .hears(...summary())
        .do({ kind: 'lost' }).seat,
    ).toMatchObject({ phase: 'connecting', game: null })
    expect([0, 1, 2, 3, 4, 5, 9].map(waitBefore_ms)).toEqual([0, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  })
})

describe('what is kept over a reload', () => {
  it('is the game, as far as the server has told it, and what was on its way', () => {
    const player = playing(withToken()).hears('+7776FU,T6', '-3334FU,T2').move('+2726FU')
    const back = takeUp(keep(player.seat))
    expect(back).toMatchObject({ phase: 'connecting', wish: WISH, tries: 0 })
    expect(back?.game).toEqual({ ...player.game, since_ms: null, premove: null })
    expect(next(back!, { kind: 'opened' }).lines).toEqual([`LOGIN kuro cm0-300-10F,k reconnect:${ID}+${TOKEN}`])
  })
  it('is the wish alone before a game has begun, and nothing after it', () => {
    expect(takeUp(keep(waiting().seat))).toMatchObject({ phase: 'connecting', wish: WISH, game: null })
    expect(takeUp(keep(waiting().hears(...summary()).seat))?.game).toBeNull()
    expect(keep(playing().hears('%TORYO', '#RESIGN', '#LOSE').seat)).toBeNull()
    expect(keep(EMPTY)).toBeNull()
  })
  it('is nothing where somebody else wrote it', () => {
    for (const text of [null, '', 'x', '{}', '{"wish":{"name":"a"}}', '[1]'])
      expect(takeUp(text), String(text)).toBeNull()
  })
})

describe('what is shown', () => {
  it('is over with its end, as the archive has it where it is known', () => {
    const { seat, game } = playing().hears('%TORYO', '#RESIGN', '#WIN')
    expect(gameData(seat, game, 'cm0-300-10F', null).end).toMatchObject({ kind: 'toryo', outcome: 'black', plies: 0 })
    expect(gameData(seat, game, 'cm0-300-10F', 'abnormal').end?.kind).toBe('abnormal')
    const drawn = playing(summary(white)).hears('#MAX_MOVES', '#CENSORED')
    expect(gameData(drawn.seat, drawn.game, '', null).end).toMatchObject({ kind: 'max_moves', outcome: 'draw' })
    const beaten = playing(summary(white)).hears('#TIME_UP', '#LOSE')
    expect(gameData(beaten.seat, beaten.game, '', null).end).toMatchObject({ kind: 'time up', outcome: 'black' })
  })
  it('is a position that boards can read', () => {
    const { seat, game } = playing()
    expect(parseSfen(gameData(seat, game, '', null).sfen ?? '')).toEqual(game.position)
    expect(gameData(seat, game, '', null)).toMatchObject({ state: 'running', end: null, white_time: null })
  })
})
