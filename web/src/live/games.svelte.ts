// The games of the feed, as pages show them. Each game is one object that lives as long as the server shows it; what
// changes with events is reactive, so that a move of one game draws that game alone.
import { SvelteMap } from 'svelte/reactivity'
import { parseEvaluation, winRate, type Evaluation } from '../shogi/comment'
import { parseMove, parseSfen, play, toSfen, type Move, type Position, type Side } from '../shogi/position'
import { clockFace, leftAfter, type ClockFace } from './clock'
import type { Delay, GameData, GameEnd, MessageName, Messages, Seat, TimeRule, Told } from './messages'

export class LiveGame {
  readonly id: number
  readonly room: string
  readonly name: string
  readonly seats: Readonly<Record<Side, Seat>>
  /** Of Black, of White. */
  readonly times: Readonly<Record<Side, TimeRule>>
  readonly whiteTime: TimeRule | null
  readonly maxMoves: number
  /** What a declaration of entering kings is judged by: '27', '24', ... */
  readonly declaration: string
  /** How repetitions, and a mate at the limit, are judged: 'official', 'shogi-server'. */
  readonly rules: string
  readonly delay: Delay | null
  readonly openedAt: number
  /** So many moves were known when this began. */
  readonly toldPlies: number

  state = $state<GameData['state']>('agreeing')
  end = $state.raw<GameEnd | null>(null)
  /** It has just ended, and its players have begun no other game: its result is still looked at. */
  lingers = $state(false)
  /** By its name in lists of games, once the game has been asked for. */
  opening = $state<string | null>(null)
  /** Counts moves; reading it makes a reader of `moves`, which is not copied for each of them. */
  plies = $state(0)
  /** Tens of moves: whoever reads it is not drawn anew with each of them. */
  readonly tens = $derived(Math.floor(this.plies / 10))
  /** How open it is: 10 where both are said to have the same chance, 0 where one has won; -1: nobody has said. */
  readonly openness = $derived.by(() => {
    const chance = this.chanceAt(this.plies)
    return chance === null ? -1 : Math.round(10 - 20 * Math.abs(chance - 0.5))
  })
  /** How short of time one of both is, by doublings: 0 has a second, -6 a minute; an infinity below without a limit. */
  readonly haste = $derived.by(() => {
    const has = (['b', 'w'] as const).map((side) => this.clockAfter(side, this.plies).left_s)
    return -Math.floor(Math.log2(1 + Math.min(...has)))
  })
  #sfen = $state<string | null>(null)
  /** After the last move; null where it is not known. Nobody reads it of a game that is not drawn. */
  readonly position = $derived(this.#sfen === null ? null : parseSfen(this.#sfen))
  paused = $state<number | null>(null)

  #moves: string[]
  #remaining = $state.raw<readonly [number, number]>([0, 0])
  #turnSince = $state(0)
  /** What was said of each move, as far as it has been asked for; reading #said makes a reader of it. */
  #comments = new Map<number, string>()
  #said = $state(0)
  /** By ply, likewise; its readers are those of #tellings. */
  #told = new Map<number, Told>()
  #tellings = $state(0)
  #last = $state.raw<Readonly<Record<Side, Evaluation | null>>>({ b: null, w: null })
  readonly #start: string
  /** After so many moves; null from the first one on that is not understood. */
  #positions: (Position | null)[] = []

  constructor(data: GameData) {
    this.id = data.id
    this.room = data.room
    this.name = data.name
    this.seats = { b: data.black, w: data.white }
    this.times = { b: data.time, w: data.white_time ?? data.time }
    this.whiteTime = data.white_time
    this.maxMoves = data.max_moves
    this.declaration = data.declaration
    this.rules = data.rules
    this.delay = data.delay
    this.openedAt = data.opened_at_ms
    this.state = data.state
    this.end = data.end
    this.#moves = data.moves
    this.plies = this.toldPlies = data.moves.length
    this.#sfen = data.sfen
    this.paused = data.paused_ms
    this.#remaining = data.remaining_s
    this.#turnSince = data.turn_since_ms
    this.#start = data.start_sfen
    const [black, white] = data.last_comments
    this.#last = {
      b: black === null ? null : parseEvaluation(black),
      w: white === null ? null : parseEvaluation(white),
    }
  }

  /** What the player who made the move said of it. */
  commentAt(ply: number): string | null {
    void this.#said
    return this.#comments.get(ply) ?? null
  }

  /** What the commentator says of the game up to there. */
  toldAt(ply: number): Told | null {
    void this.#tellings
    return this.#told.get(ply) ?? null
  }

  addTold(told: readonly (readonly [number, Told])[]): void {
    for (const [ply, words] of told) this.#told.set(ply, words)
    this.#tellings += 1
  }

  evaluationAt(ply: number): Evaluation | null {
    const comment = this.commentAt(ply)
    return comment === null ? null : parseEvaluation(comment)
  }

  /** The newest of a player. */
  lastEvaluation(side: Side): Evaluation | null {
    return this.#last[side]
  }

  /**
   * Black's chance to win after so many moves: what both players said last; of positions before the newest one, what
   * they said of the two moves that led there. Null: nobody said anything.
   */
  chanceAt(ply: number): number | null {
    const said =
      ply === this.plies ? [this.#last.b, this.#last.w] : [this.evaluationAt(ply), this.evaluationAt(ply - 1)]
    const chances = said.flatMap((evaluation) => (evaluation ? [winRate(evaluation.score)] : []))
    return chances.length > 0 ? chances.reduce((sum, chance) => sum + chance, 0) / chances.length : null
  }

  /** The newest of a player up to there. */
  evaluationOf(side: Side, ply: number): Evaluation | null {
    const by = this.moveAt(ply)?.side === side ? ply : ply - 1
    return by > 0 ? this.evaluationAt(by) : null
  }

  addComments(comments: readonly (readonly [number, string])[]): void {
    for (const [ply, text] of comments) this.#comments.set(ply, text)
    this.#said += 1
  }

  /** What the same game of the archive knows beside its moves. */
  learn(archived: LiveGame): void {
    this.addComments([...archived.#comments])
    this.addTold([...archived.#told])
    this.opening = archived.opening
  }

  get moves(): readonly string[] {
    void this.plies
    return this.#moves
  }

  get lastMove(): Move | null {
    return this.moveAt(this.plies)
  }

  /** The move that leads to the position after `ply` moves. */
  moveAt(ply: number): Move | null {
    const text = this.moves[ply - 1]
    return text === undefined ? null : parseMove(text)
  }

  /** Null where the moves up to there are not understood. */
  positionAt(ply: number): Position | null {
    if (this.#positions.length === 0) this.#positions.push(parseSfen(this.#start))
    for (let at = this.#positions.length; at <= Math.min(ply, this.plies); ++at) {
      const before = this.#positions[at - 1] ?? null
      const move = this.moveAt(at)
      this.#positions.push(before && move ? play(before, move) : null)
    }
    return this.#positions[ply] ?? null
  }

  /** As text; null where the position is not known. */
  sfenAt(ply: number): string | null {
    const position = this.positionAt(ply)
    return position && toSfen(position, ply + 1)
  }

  get turn(): Side | null {
    return this.state === 'running' ? (this.position?.turn ?? null) : null
  }

  /** Whether it shows time going by; some moves behind nobody can tell how long the next one took. */
  get ticks(): boolean {
    return this.paused === null && (this.delay === null || 'seconds' in this.delay)
  }

  /** `now`: on the server's clock, in ms. */
  clock(side: Side, now: number): ClockFace {
    const used = this.turn === side ? (this.paused ?? (this.ticks ? now - this.#turnSince : 0)) : 0
    return clockFace(this.times[side], this.#remaining[side === 'b' ? 0 : 1], used)
  }

  /** What both had left after so many moves, by ply. */
  readonly left = $derived.by(() => {
    const moves = this.moves.flatMap((text) => parseMove(text) ?? [])
    const [b, w] = this.#remaining
    return leftAfter(this.times, moves, { b, w })
  })

  /** What it showed after so many moves. */
  clockAfter(side: Side, ply: number): ClockFace {
    const left = ply === this.plies ? this.#remaining[side === 'b' ? 0 : 1] : (this.left[ply]?.[side] ?? 0)
    return clockFace(this.times[side], left, 0)
  }

  started(at_ms: number): void {
    this.state = 'running'
    this.#turnSince = at_ms
  }

  moved(message: Messages['moved']): void {
    this.#moves.push(message.move)
    this.plies = this.#moves.length
    this.#sfen = message.sfen
    const [black, white] = this.#remaining
    this.#remaining = message.move.startsWith('+') ? [message.remaining_s, white] : [black, message.remaining_s]
    this.#turnSince = message.at_ms
    this.commented(message)
  }

  /** What the player says of the move; of one before the last of that side it is no news. */
  commented({ ply, comment }: Messages['commented']): void {
    if (comment === undefined) return
    this.addComments([[ply, comment]])
    const evaluation = ply > this.plies - 2 ? parseEvaluation(comment) : null
    if (evaluation) this.#last = { ...this.#last, [this.moves[ply - 1]?.startsWith('+') ? 'b' : 'w']: evaluation }
  }

  runOn(turn_since_ms: number | undefined): void {
    if (turn_since_ms === undefined) return // the clocks stand for another reason, too
    this.paused = null
    this.#turnSince = turn_since_ms
  }
}

/** How long the result of a game is looked at; longer than the demonstration rests between its games. */
const RESULT_MS = 15_000
/** Ended games that are kept, the newest ones: so does the server's snapshot. */
const MAX_ENDED = 50

export class Games {
  readonly all = new SvelteMap<number, LiveGame>()
  /** Whether a snapshot has come: before that, an empty list says nothing. */
  known = $state(false)
  /** The server's clock less ours, in ms. */
  #ahead = $state(0)

  /** When the line was lost, on the server's clock; null while it is there. */
  #lost = $state<number | null>(null)

  /** On the server's clock, as far as it is known: it stands still while nothing can be heard. */
  now(): number {
    return this.#lost ?? Date.now() + this.#ahead
  }

  get lost(): boolean {
    return this.#lost !== null
  }

  /** `heard`: whether the line is there. */
  setHeard(heard: boolean): void {
    if (heard !== this.lost) return
    this.#lost = heard ? null : this.now()
  }

  get(id: number): LiveGame | undefined {
    return this.all.get(id)
  }

  take<Name extends MessageName>(name: Name, message: Messages[Name]): void {
    takers[name](this, message)
  }

  /** Our clock may be off by minutes; the message may have been on its way for some ms, which nobody sees. */
  setNow(now_ms: number): void {
    this.#ahead = now_ms - Date.now()
  }

  replace(games: readonly GameData[]): void {
    this.all.clear()
    for (const game of games) this.all.set(game.id, new LiveGame(game))
    this.known = true
  }

  dropOldEnded(): void {
    const ended = [...this.all.values()].filter((game) => game.end !== null)
    for (const game of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.all.delete(game.id)
  }
}

const takers: { [Name in MessageName]: (games: Games, message: Messages[Name]) => void } = {
  snapshot: (games, message) => {
    games.setNow(message.now_ms)
    games.replace(message.games)
  },
  tick: (games, message) => games.setNow(message.now_ms),
  opened: (games, message) => {
    const { id, black, white } = message.game
    for (const other of games.all.values()) {
      const names = [other.seats.b.name, other.seats.w.name]
      if (other.lingers && (names.includes(black.name) || names.includes(white.name))) other.lingers = false
    }
    games.all.set(id, new LiveGame(message.game))
  },
  started: (games, message) => games.get(message.id)?.started(message.at_ms),
  moved: (games, message) => games.get(message.id)?.moved(message),
  commented: (games, message) => games.get(message.id)?.commented(message),
  commentary: (games, { id, ply, ja, en }) => games.get(id)?.addTold([[ply, { ja, en }]]),
  paused: (games, message) => pause(games.get(message.id), message.paused_ms),
  suspended: (games, message) => pause(games.get(message.id), message.paused_ms),
  resumed: (games, message) => games.get(message.id)?.runOn(message.turn_since_ms),
  continued: (games, message) => games.get(message.id)?.runOn(message.turn_since_ms),
  ended: (games, message) => {
    const game = games.get(message.id)
    if (!game) return
    game.state = 'ended'
    game.end = message
    game.lingers = true
    setTimeout(() => (game.lingers = false), RESULT_MS)
    games.dropOldEnded()
  },
  rejected: (games, message) => void games.all.delete(message.id),
}

function pause(game: LiveGame | undefined, used_ms: number): void {
  if (game) game.paused = used_ms
}
