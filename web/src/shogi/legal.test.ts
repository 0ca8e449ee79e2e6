import { describe, expect, it } from 'vitest'
import { entered, isLegal, legalMoves, premoves } from './legal'
import { parseMove, parseSfen, play, type Move, type Position, type Square } from './position'

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
const position = (sfen: string): Position => {
  const parsed = parseSfen(sfen)
  if (!parsed) throw new Error(`no position: ${sfen}`)
  return parsed
}
const perft = (at: Position, depth: number): number =>
  depth === 1 ? legalMoves(at).length : legalMoves(at).reduce((sum, move) => sum + perft(play(at, move)!, depth - 1), 0)
const can = (sfen: string, move: string) => isLegal(position(sfen), parseMove(move)!)
const text = ({ file, rank }: Square) => `${file}${rank}`
const to = (moves: readonly Move[]) => [...new Set(moves.map((move) => text(move.to)))].sort()

describe('legalMoves', () => {
  it('has as many as there are', () => {
    expect([1, 2, 3].map((depth) => perft(position(START), depth))).toEqual([30, 900, 25470])
    const middle = 'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'
    expect([1, 2].map((depth) => perft(position(middle), depth))).toEqual([207, 28684])
    const pinned = 'lnsgk1snl/1r4gb1/p1pppp2p/6pR1/1p7/2P6/PP1PPPP1P/1BG6/LNS1KGSNL w Pp 1'
    expect([1, 2].map((depth) => perft(position(pinned), depth))).toEqual([44, 1961])
    expect(perft(position('R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1'), 1)).toBe(593)
  })
  it('gets out of check', () => {
    const checked = '4k4/9/9/9/4r4/9/9/9/4K4 b G 1'
    expect(can(checked, '+0058KI')).toBe(true)
    expect(can(checked, '+0048KI')).toBe(false)
    expect(can(checked, '+5958OU')).toBe(false)
    expect(can(checked, '+5949OU')).toBe(true)
  })
  it('keeps a pinned piece where it is', () => {
    const pinned = '4k4/9/9/9/4r4/9/9/4G4/4K4 b - 1'
    expect(can(pinned, '+5857KI')).toBe(true)
    expect(can(pinned, '+5848KI')).toBe(false)
  })
  it('drops no second pawn into a file, and nothing that could not move', () => {
    const hand = '4k4/9/9/9/9/9/P8/9/4K4 b PNL 1'
    expect(can(hand, '+0095FU')).toBe(false)
    expect(can(hand, '+0085FU')).toBe(true)
    expect(can(hand.replace('P8', '+P8'), '+0095FU')).toBe(true)
    for (const dead of ['+0081FU', '+0081KY', '+0081KE', '+0082KE']) expect(can(hand, dead), dead).toBe(false)
    for (const alive of ['+0082FU', '+0082KY', '+0083KE']) expect(can(hand, alive), alive).toBe(true)
  })
  it('promotes where it may, and where it must', () => {
    expect(can('4k4/9/9/P8/9/9/9/9/4K4 b - 1', '+9493FU')).toBe(true)
    expect(can('4k4/9/9/P8/9/9/9/9/4K4 b - 1', '+9493TO')).toBe(true)
    expect(can('4k4/P8/9/9/9/9/9/9/4K4 b - 1', '+9291FU')).toBe(false)
    expect(can('4k4/P8/9/9/9/9/9/9/4K4 b - 1', '+9291TO')).toBe(true)
    expect(can('4k4/9/9/9/P8/9/9/9/4K4 b - 1', '+9594TO')).toBe(false)
    expect(can('4k4/9/9/9/9/9/s8/9/4K4 w - 1', '-9786NG')).toBe(true)
  })
  it('mates by no dropped pawn, but checks by one, and mates by a pawn that moves', () => {
    const mate = 'kn7/9/1G7/9/9/9/9/9/L3K4 b P 1'
    expect(can(mate, '+0092FU')).toBe(false)
    expect(can(mate.replace('1G7', '9'), '+0092FU')).toBe(true)
    expect(can('kn7/9/PG7/9/9/9/9/9/L3K4 b - 1', '+9392FU')).toBe(true)
  })
  it('knows whether a dropped pawn can be taken', () => {
    const gold = 'kg7/9/1G7/9/9/9/9/9/L3K4 b P 1'
    expect(can(gold, '+0092FU')).toBe(true)
    // It stands between its king and a rook.
    expect(can(gold.replace('kg7', 'kgR6'), '+0092FU')).toBe(false)
  })
  it('needs no king', () => {
    expect(legalMoves(position('4k4/9/9/9/9/9/9/9/P8 b - 1')).length).toBe(1)
  })
})

describe('premoves', () => {
  it('go over what stands there, and onto own pieces', () => {
    const at = position(START)
    const rook = premoves(at, 'b').filter(({ from }) => from && text(from) === '28')
    expect(to(rook)).toContain('26')
    expect(to(rook)).toContain('27')
    expect(to(rook)).toHaveLength(16)
    expect(premoves(at, 'w').every(({ side }) => side === 'w')).toBe(true)
  })
  it('drop anywhere but where a piece could not move', () => {
    expect(premoves(position('4k4/9/9/9/9/9/9/9/4K4 b N 1'), 'b').filter(({ from }) => !from)).toHaveLength(63)
  })
})

describe('entered', () => {
  it('counts what stands in the last three ranks and what is in hand', () => {
    const at = position('4K4/+R+B7/PP7/4G4/k8/9/9/9/9 b RGP 1')
    expect(entered(at, 'b')).toEqual({ points: 5 + 5 + 2 + 5 + 1 + 1, pieces: 4, king: true })
    expect(entered(at, 'w')).toEqual({ points: 0, pieces: 0, king: false })
  })
})
