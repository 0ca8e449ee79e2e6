import { describe, expect, it } from 'vitest'
import { japanese, western } from './notation'
import { parseMove, parseSfen, type Square } from './position'

const both = (sfen: string, move: string, previous: Square | null = null): [string, string] => {
  const position = parseSfen(sfen)!
  const parsed = parseMove(move)!
  return [japanese(position, parsed, previous), western(position, parsed)]
}
const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'

describe('moves in words', () => {
  it('says plain moves', () => {
    expect(both(START, '+7776FU')).toEqual(['７六歩', 'P-76'])
    expect(both(START, '+4958KI')).toEqual(['５八金右', 'G49-58'])
    expect(both(START, '+6978KI')).toEqual(['７八金', 'G-78'])
  })
  it('says where the last move went, and what was taken', () => {
    const sfen = 'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4'
    expect(both(sfen, '-3122GI', { file: 2, rank: 2 })).toEqual(['同　銀', 'Sx22'])
    const promoted = '4k4/9/4+S4/4p4/9/9/9/9/4K4 b - 1'
    expect(both(promoted, '+5354NG', { file: 5, rank: 4 })).toEqual(['同成銀', '+Sx54'])
  })
  it('says promotions, taken and left', () => {
    expect(both('4k4/9/9/4S4/9/9/9/9/4K4 b - 1', '+5453NG')).toEqual(['５三銀成', 'S-53+'])
    expect(both('4k4/9/9/4S4/9/9/9/9/4K4 b - 1', '+5453GI')).toEqual(['５三銀不成', 'S-53='])
    expect(both('4k4/9/9/4G4/9/9/9/9/4K4 b - 1', '+5453KI')).toEqual(['５三金', 'G-53'])
    expect(both('4k4/9/9/9/9/9/9/4s4/4K4 w - 1', '-5849NG')).toEqual(['４九銀成', 'S-49+'])
  })
  it('says a drop only where a piece could have moved', () => {
    expect(both('4k4/9/9/9/9/9/9/9/4K4 b G 1', '+0052KI')).toEqual(['５二金', 'G*52'])
    expect(both('4k4/9/4G4/9/9/9/9/9/4K4 b G 1', '+0052KI')).toEqual(['５二金打', 'G*52'])
  })
  // The examples of the Japan Shogi Association's page on how moves are written.
  it('tells apart golds and silvers by their way first', () => {
    const a = '4k4/2G6/G8/9/9/9/9/9/4K4 b - 1'
    expect(both(a, '+9382KI')[0]).toBe('８二金上')
    expect(both(a, '+7282KI')[0]).toBe('８二金寄')
    const c = '9/9/9/9/4S4/9/3S5/9/4K4 b - 1'
    expect(both(c, '+5546GI')[0]).toBe('４六銀')
    expect(both(c, '+5566GI')[0]).toBe('６六銀引')
    expect(both(c, '+6766GI')[0]).toBe('６六銀上')
  })
  it('tells apart by side what goes the same way', () => {
    const a = 'k8/G1G6/9/9/9/9/9/9/4K4 b - 1'
    expect(both(a, '+9281KI')[0]).toBe('８一金左')
    expect(both(a, '+7281KI')[0]).toBe('８一金右')
    const b = '4k4/9/9/9/9/9/9/9/3GGK3 b - 1'
    expect(both(b, '+5958KI')[0]).toBe('５八金直')
    expect(both(b, '+6958KI')[0]).toBe('５八金左')
    const c = '4k4/9/9/9/9/9/9/9/K3SS3 b - 1'
    expect(both(c, '+5958GI')[0]).toBe('５八銀直')
    expect(both(c, '+4958GI')[0]).toBe('５八銀右')
  })
  it('tells apart three by side and way', () => {
    const golds = '4k4/9/9/9/9/9/4G4/3G5/3GGG2K b - 1'
    expect(both(golds, '+6958KI')[0]).toBe('５八金左上')
    expect(both(golds, '+6858KI')[0]).toBe('５八金寄')
    expect(both(golds, '+5958KI')[0]).toBe('５八金直')
    expect(both(golds, '+4958KI')[0]).toBe('５八金右')
    expect(both(golds, '+5758KI')[0]).toBe('５八金引')
  })
  it('calls no dragon or horse straight', () => {
    const dragons = '+R8/9/9/1+R7/9/9/9/9/4K4 b - 1'
    expect(both(dragons, '+9182RY')[0]).toBe('８二龍引')
    expect(both(dragons, '+8482RY')[0]).toBe('８二龍上')
    const besides = '9/4+R4/7+R1/9/9/9/9/9/4K4 b - 1'
    expect(both(besides, '+2343RY')[0]).toBe('４三龍寄')
    expect(both(besides, '+5243RY')[0]).toBe('４三龍引')
    const side = '4k4/9/9/9/9/9/9/9/+R3+R3K b - 1'
    expect(both(side, '+9988RY')[0]).toBe('８八龍')
    const two = '4k4/9/9/9/9/9/9/8+R/7+R1 b - 1'
    expect(both(two, '+1817RY')[0]).toBe('１七龍')
    const horses = '+B+B7/9/9/9/9/9/9/9/4K4 b - 1'
    expect(both(horses, '+9182UM')[0]).toBe('８二馬左')
    expect(both(horses, '+8182UM')[0]).toBe('８二馬右')
  })
  it("sees the board with White's eyes for White", () => {
    expect(both('lnsgkgsnl/9/9/9/9/9/9/9/4K4 w - 1', '-6152KI')[0]).toBe('５二金右')
    expect(both('lnsgkgsnl/9/9/9/9/9/9/9/4K4 w - 1', '-4152KI')[0]).toBe('５二金左')
  })
  it('admits what it does not understand', () => {
    expect(both('4k4/9/9/9/9/9/9/9/4K4 b - 1', '+7776FU')).toEqual(['？', '?'])
  })
})
