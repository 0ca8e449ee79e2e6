import { describe, expect, it } from 'vitest'
import { parseSfen, type Square } from '../shogi/position'
import { typedMove } from './typed'
import { moveLine } from './wire'

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1'
const typed = (text: string, sfen = START, previous: Square | null = null): string => {
  const found = typedMove(parseSfen(sfen)!, text, previous)
  return 'move' in found ? moveLine(found.move) : found.problem
}

describe('typedMove', () => {
  it('reads a move as it may be written', () => {
    for (const text of [
      '7g7f',
      '7G7F',
      '7776FU',
      '+7776FU',
      '7776fu',
      '７六歩',
      '76歩',
      '☗７六歩',
      '▲7六歩(77)',
      'P-76',
      ' p-76 ',
    ])
      expect(typed(text), text).toBe('+7776FU')
  })
  it('reads drops', () => {
    const hand = '4k4/9/9/9/9/9/9/4G4/4K4 b GP 1'
    for (const text of ['P*5e', 'p*5e', '0055FU', '５五歩', '５五歩打', 'P*55'])
      expect(typed(text, hand), text).toBe('+0055FU')
    // A gold on the board is meant where nothing is said of a drop.
    expect(typed('５七金', hand)).toBe('+5857KI')
    expect(typed('５七金打', hand)).toBe('+0057KI')
  })
  it('reads promotions, and asks where there is a choice', () => {
    const near = '4k4/9/9/4S4/9/9/9/9/4K4 b - 1'
    for (const text of ['5d5c+', '5453NG', '５三銀成', 'S-53+']) expect(typed(text, near), text).toBe('+5453NG')
    for (const text of ['5d5c', '5453GI', '５三銀不成', '53銀生', 'S-53='])
      expect(typed(text, near), text).toBe('+5453GI')
    expect(typed('５三銀', near)).toBe('several')
    expect(typed('5d5c', '4k4/9/9/4+S4/9/9/9/9/4K4 b - 1')).toBe('+5453NG')
    expect(typed('５三成銀', '4k4/9/9/4+S4/9/9/9/9/4K4 b - 1')).toBe('+5453NG')
    expect(typed('５三龍', '4k4/9/9/4+R4/9/9/9/9/4K4 b - 1')).toBe('+5453RY')
    expect(typed('５三竜', '4k4/9/9/4+R4/9/9/9/9/4K4 b - 1')).toBe('+5453RY')
  })
  it('tells pieces apart as records do', () => {
    const golds = '4k4/9/9/9/9/9/9/9/3GKG3 b - 1'
    expect(typed('５八金', golds)).toBe('several')
    expect(typed('５八金右', golds)).toBe('+4958KI')
    expect(typed('５八金左', golds)).toBe('+6958KI')
    expect(typed('５八金左上', golds)).toBe('+6958KI')
    expect(typed('５八金直', golds)).toBe('illegal')
    expect(typed('58金(49)', golds)).toBe('+4958KI')
    expect(typed('５八玉', golds)).toBe('+5958OU')
    expect(typed('５八王', golds)).toBe('+5958OU')
  })
  it('reads where the last move went', () => {
    const exchange = 'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 1'
    expect(typed('同　銀', exchange, { file: 2, rank: 2 })).toBe('-3122GI')
    expect(typed('同銀', exchange, null)).toBe('illegal')
  })
  it('says what is wrong', () => {
    for (const text of ['7g7e', '7775FU', '７五歩', 'P-75', '8822UM']) expect(typed(text), text).toBe('illegal')
    for (const text of ['x', '7g', '歩', '７六', '77776FU']) expect(typed(text), text).toBe('unknown')
  })
})
