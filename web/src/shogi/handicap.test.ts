import { expect, it } from 'vitest'
import { startOf } from './handicap'
import { parseSfen } from './position'

const start = (sfen: string) => startOf(parseSfen(sfen)!)
const BLACK = 'PPPPPPPPP/1B5R1/LNSGKGSNL'

it('knows the even game and the handicaps', () => {
  expect(start(`lnsgkgsnl/1r5b1/ppppppppp/9/9/9/${BLACK} b - 1`)).toBe('even')
  expect(start(`lnsgkgsn1/1r5b1/ppppppppp/9/9/9/${BLACK} w - 1`)).toBe('L')
  expect(start(`lnsgkgsnl/7b1/ppppppppp/9/9/9/${BLACK} w - 1`)).toBe('R')
  expect(start(`2sgkgs2/9/ppppppppp/9/9/9/${BLACK} w - 1`)).toBe('RBNNLL')
  expect(start(`4k4/9/ppppppppp/9/9/9/${BLACK} w - 1`)).toBe('RBGGSSNNLL')
})
it('knows that another position is none', () => {
  expect(start(`lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3`)).toBe('position')
  expect(start(`4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1`)).toBe('position')
  expect(start(`lnsgkgsnl/1r7/ppppppppp/9/9/9/${BLACK} b B 1`)).toBe('position')
})
