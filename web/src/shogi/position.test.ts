import { describe, expect, it } from 'vitest'
import { checkedKing, parseMove, parseSfen, pieceAt, play, reaches, toSfen, type Position } from './position'

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
const position = (sfen: string): Position => {
  const parsed = parseSfen(sfen)
  if (!parsed) throw new Error(`no position: ${sfen}`)
  return parsed
}
const after = (sfen: string, ...moves: string[]): Position =>
  moves.reduce((before, text) => play(before, parseMove(text)!)!, position(sfen))

describe('parseSfen', () => {
  it('reads squares, turn and hands', () => {
    const read = position('4k4/9/4+P4/9/9/9/9/9/4K3L w 2R10Pb 7')
    expect(pieceAt(read, { file: 5, rank: 1 })).toEqual({ kind: 'K', promoted: false, side: 'w' })
    expect(pieceAt(read, { file: 5, rank: 3 })).toEqual({ kind: 'P', promoted: true, side: 'b' })
    expect(pieceAt(read, { file: 1, rank: 9 })?.kind).toBe('L')
    expect(read.turn).toBe('w')
    expect(read.hands).toEqual({ b: { R: 2, P: 10 }, w: { B: 1 } })
  })
  it('has the same pieces wherever a position comes from', () => {
    const [played, read] = [after(START, '+7776FU'), position(START)]
    const changed = played.squares.flatMap((piece, index) => (piece === read.squares[index] ? [] : [index]))
    expect(changed).toEqual([47, 56])
  })
  it('takes nothing else', () => {
    for (const bad of [
      '',
      'x',
      '9/9/9 b - 1',
      START.replace(' b', ' x'),
      START.replace('lnsg', 'lnsgg'),
      START.replace(' - ', ' q '),
      START.replace('1r5b1', '1r5c1'),
    ]) {
      expect(parseSfen(bad), bad).toBeNull()
    }
  })
})

describe('toSfen', () => {
  it('writes what was read', () => {
    for (const sfen of [
      START,
      '4k4/9/4+P4/9/9/9/9/9/4K3L w 2R10Pb 7',
      'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1',
    ]) {
      expect(toSfen(position(sfen), Number(sfen.split(' ')[3]))).toBe(sfen.replace('GR5pnsg', 'RGgsn5p'))
    }
  })
})

describe('play', () => {
  it('moves, takes, promotes and drops', () => {
    const played = after(START, '+7776FU,T1', '-3334FU', '+8822UM,T12', '-3122GI', '+0055KA,T0')
    expect(pieceAt(played, { file: 5, rank: 5 })).toEqual({ kind: 'B', promoted: false, side: 'b' })
    expect(pieceAt(played, { file: 2, rank: 2 })).toEqual({ kind: 'S', promoted: false, side: 'w' })
    expect(played.hands).toEqual({ b: {}, w: { B: 1 } })
    expect(played.turn).toBe('w')
  })
  it('refuses what cannot have been', () => {
    expect(play(position(START), parseMove('+5554FU')!)).toBeNull()
    expect(play(position(START), parseMove('+0055KA')!)).toBeNull()
    expect(play(position(START), parseMove('+3334FU')!)).toBeNull()
    expect(play(position(START), parseMove('+2878HI')!)).toBeTruthy()
    expect(play(position(START), parseMove('+2888HI')!)).toBeNull()
    for (const bad of ['', '+7776', '+7776XX', '7776FU', '+7706FU', '+7776FU,T', '%TORYO'])
      expect(parseMove(bad)).toBeNull()
  })
  it('leaves the position before as it was', () => {
    const before = position(START)
    play(before, parseMove('+7776FU')!)
    expect(before).toEqual(position(START))
  })
})

describe('reaches', () => {
  it('knows steps, slides and what is in the way, for both sides', () => {
    const start = position(START)
    expect(reaches(start, { file: 7, rank: 7 }, { file: 7, rank: 6 })).toBe(true)
    expect(reaches(start, { file: 3, rank: 3 }, { file: 3, rank: 4 })).toBe(true)
    expect(reaches(start, { file: 3, rank: 3 }, { file: 3, rank: 2 })).toBe(false)
    expect(reaches(start, { file: 2, rank: 8 }, { file: 7, rank: 8 })).toBe(true)
    expect(reaches(start, { file: 2, rank: 8 }, { file: 9, rank: 8 })).toBe(false)
    expect(reaches(start, { file: 8, rank: 8 }, { file: 6, rank: 6 })).toBe(false)
    expect(reaches(start, { file: 8, rank: 9 }, { file: 7, rank: 7 })).toBe(true)
    expect(reaches(start, { file: 2, rank: 1 }, { file: 1, rank: 3 })).toBe(true)
  })
})

describe('checkedKing', () => {
  it('finds the king that is in check', () => {
    expect(checkedKing(position(START))).toBeNull()
    expect(checkedKing(position('4k4/9/9/9/4L4/9/9/9/4K4 w - 1'))).toEqual({ file: 5, rank: 1 })
    expect(checkedKing(position('4k4/9/4p4/9/4L4/9/9/9/4K4 w - 1'))).toBeNull()
    expect(checkedKing(position('4k4/9/9/9/4L4/9/9/9/4K4 b - 1'))).toBeNull()
    expect(checkedKing(position('9/9/9/9/4L4/9/9/9/4K4 w - 1'))).toBeNull()
  })
})
