import { describe, expect, it } from 'vitest'
import { parseSfen } from '../shogi/position'
import { diagram, type Diagram } from './diagram'

const position = parseSfen('lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B2P 4')!
const what: Diagram = {
  position,
  names: { b: '歩<&"\u0007>', w: 'a'.repeat(200) },
  last: { file: 2, rank: 2 },
  flipped: false,
  pieces: 'one',
}
const count = (text: string, part: string) => text.split(part).length - 1

describe('diagram', () => {
  it('stands alone: it defines every piece that it uses, and refers to nothing else', () => {
    for (const pieces of ['one', 'two', 'letters'] as const) {
      const svg = diagram({ ...what, pieces })
      const used = new Set([...svg.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!))
      for (const to of used) expect(svg).toContain(`id="${to.slice(1)}"`)
      expect(svg).not.toMatch(/var\(|class=|style=|url\(|undefined|NaN/)
      expect(count(svg, '<use')).toBe(39 + 2)
    }
  })
  it('keeps names text, and short', () => {
    const svg = diagram(what)
    expect(svg).toContain('歩&lt;&amp;&quot;&gt;')
    expect(svg).not.toContain('a'.repeat(60))
    expect(svg).toContain('aaa…')
  })
  it('is well-formed', () => {
    const open: string[] = []
    for (const [, close, name, self] of diagram(what).matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
      if (close) expect(open.pop()).toBe(name)
      else if (!self) open.push(name!)
    }
    expect(open).toEqual([])
  })
  it('turns round with its hands and names', () => {
    const [straight, turned] = [diagram(what), diagram({ ...what, flipped: true })]
    expect(straight.indexOf('歩&lt;')).toBeGreaterThan(straight.indexOf('aaa…'))
    expect(turned.indexOf('歩&lt;')).toBeLessThan(turned.indexOf('aaa…'))
    expect([straight, turned].map((svg) => count(svg, 'rotate(180)'))).toEqual([19, 20])
    expect(turned).toContain('<text x="50" y="-12">1</text>')
    expect(straight).toContain('<text x="50" y="-12">9</text>')
  })
  it('says how many of a piece are in hand', () => {
    expect(diagram(what)).toMatch(/font-weight="700">2<\/text>/)
  })
})
