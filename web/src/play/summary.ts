// What the server says of a game before it begins, and of one that goes on: the blocks Game_Summary and Reconnect_State
// of the CSA protocol (server/csa/PROTOCOL.md). Pure.
import type { TimeRule } from '../live/messages'
import {
  CSA,
  indexOf,
  parseMove,
  pieceOf,
  type Kind,
  type Move,
  type Piece,
  type Position,
  type Side,
} from '../shogi/position'

type Both<Value> = Readonly<Record<Side, Value>>

export interface Summary {
  readonly id: string
  readonly names: Both<string>
  readonly side: Side
  readonly times: Both<TimeRule>
  readonly start: Position
  /** That were made before, or that the game begins with. */
  readonly moves: readonly Move[]
  readonly toMove: Side
  /** 0: no limit. */
  readonly maxMoves: number
  /** As the API has it: '27', '24', 'try', 'none', ... */
  readonly declaration: string
  /** By which the player comes back; null: there is none. */
  readonly token: string | null
}

/** How a game stood when a player came back by his token. */
export interface Standing {
  readonly toMove: Side
  readonly left_ms: Both<number>
  readonly lastMove: Move | null
}

const sideOf = (sign: string | undefined): Side | null => (sign === '+' ? 'b' : sign === '-' ? 'w' : null)

/** "1sec", "1min", "30sec", "1msec", in seconds. */
function unitOf(text: string): number {
  const [, count = '', name = ''] = /^(\d*)(msec|sec|min)$/.exec(text) ?? []
  return Number(count || 1) * ({ msec: 0.001, min: 60 }[name] ?? 1)
}

const fieldsOf = (lines: readonly string[]): ReadonlyMap<string, string> =>
  new Map(lines.flatMap((line) => (line.includes(':') ? [line.split(/:(.*)/s, 2) as [string, string]] : [])))

/** The lines of a block within others, without its ends; null: it is not there. */
function block(lines: readonly string[], name: string): string[] | null {
  const [from, to] = [lines.indexOf(`BEGIN ${name}`), lines.indexOf(`END ${name}`)]
  return from < 0 || to < from ? null : lines.slice(from + 1, to)
}

function timeOf(lines: readonly string[]): TimeRule {
  const fields = fieldsOf(lines)
  const unit = unitOf(fields.get('Time_Unit') ?? '')
  const seconds = (key: string) => (Number(fields.get(key)) || 0) * unit
  return {
    total_s: seconds('Total_Time'),
    byoyomi_s: seconds('Byoyomi'),
    increment_s: seconds('Increment'),
    least_s: seconds('Least_Time_Per_Move'),
    // The protocol has one unit for all of it: whole ones of more than a second are a stop-watch's.
    stopwatch_s: unit > 1 ? unit : 0,
  }
}

/** A board as CSA's records have it: P1 to P9, pieces in hand as "P+00FU00KI", and whose turn it is. */
function boardOf(lines: readonly string[]): Position | null {
  const squares: (Piece | null)[] = Array.from({ length: 81 }, () => null)
  const hands: Record<Side, Partial<Record<Kind, number>>> = { b: {}, w: {} }
  let turn: Side | null = null
  for (const line of lines) {
    const row = /^P([1-9])/.exec(line)?.[1]
    if (row) {
      for (let file = 9; file >= 1; --file) {
        const at = 2 + 3 * (9 - file)
        const side = sideOf(line[at])
        const named = CSA[line.slice(at + 1, at + 3)]
        if (side && named) squares[indexOf({ file, rank: Number(row) })] = pieceOf(named[0], named[1], side)
      }
    } else if (/^P[+-]/.test(line)) {
      const side = sideOf(line[1]) ?? 'b'
      for (const [, file, rank, name = ''] of line.slice(2).matchAll(/(\d)(\d)([A-Z]{2})/g)) {
        const named = CSA[name]
        if (!named) continue
        const square = { file: Number(file), rank: Number(rank) }
        if (square.file && square.rank) squares[indexOf(square)] = pieceOf(named[0], named[1], side)
        else hands[side][named[0]] = (hands[side][named[0]] ?? 0) + 1
      }
    } else if (line.length === 1) {
      turn = sideOf(line)
    }
  }
  return turn && { squares, hands, turn }
}

const RULES: Readonly<Record<string, string>> = {
  CSARule27H: '27-handicap',
  CSARule24: '24',
  CSARule24H: '24-handicap',
  TryRule: 'try',
  NoEnteringKing: 'none',
}

/** Null for what tells of no game. `lines`: without their first and last one. */
export function summaryOf(lines: readonly string[]): Summary | null {
  const position = block(lines, 'Position') ?? []
  // What is outside of all blocks.
  const fields = fieldsOf(
    lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('BEGIN ')),
    ),
  )
  const start = boardOf(position)
  const side = sideOf(fields.get('Your_Turn'))
  const id = fields.get('Game_ID')
  if (!start || !side || !id) return null
  const both = timeOf(block(lines, 'Time') ?? [])
  const own = (sign: string) => block(lines, `Time${sign}`)
  const [black, white] = [own('+'), own('-')]
  return {
    id,
    side,
    start,
    names: { b: fields.get('Name+') ?? '', w: fields.get('Name-') ?? '' },
    times: { b: black ? timeOf(black) : both, w: white ? timeOf(white) : both },
    moves: position.flatMap((line) => parseMove(line) ?? []),
    toMove: sideOf(fields.get('To_Move')) ?? start.turn,
    maxMoves: Number(fields.get('Max_Moves')) || 0,
    declaration: RULES[fields.get('Entering_King_Rule') ?? ''] ?? (fields.has('Declaration') ? '27' : 'none'),
    token: fieldsOf(lines).get('Reconnect_Token') ?? null,
  }
}

export function standingOf(lines: readonly string[]): Standing | null {
  const fields = fieldsOf(lines)
  const toMove = sideOf(fields.get('Current_Turn'))
  const left = (key: string) => Number(fields.get(key)) || 0
  return (
    toMove && {
      toMove,
      left_ms: { b: left('Black_Time_Remaining_Ms'), w: left('White_Time_Remaining_Ms') },
      lastMove: parseMove(fields.get('Last_Move') ?? ''),
    }
  )
}
