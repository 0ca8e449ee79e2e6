import { describe, expect, it } from 'vitest'
import { htmlOf, sectionsOf, type Target } from './markdown'

const target = (href: string): Target =>
  href.startsWith('shown.md')
    ? { address: href.replace('shown.md', '/docs/shown'), title: 'What is shown' }
    : /^(https:|#)/.test(href)
      ? { address: href }
      : { path: `src/${href}` }
const html = (source: string) =>
  htmlOf(`# A title\n\n${source}`, target, (href) => (href === 'a.png' ? '/a.png' : null))

describe('a document', () => {
  it('has its title first', () => {
    expect(sectionsOf('# The *title* of `it`\n')[0].text).toBe('The title of it')
    expect(() => sectionsOf('Text\n\n# Title\n')).toThrow('begins with its title')
    expect(() => sectionsOf('')).toThrow('begins with its title')
  })
  it('has the anchors of GitHub', () => {
    const source =
      '# T\n\n## A (long) name, and `code`_x\n\n## Twice\n\n## Twice\n\n## 大会の「形式」\n\n```\n# none\n```\n'
    const sections = sectionsOf(source)
    expect(sections.map(({ anchor }) => anchor)).toEqual([
      't',
      'a-long-name-and-code_x',
      'twice',
      'twice-1',
      '大会の形式',
    ])
    for (const { anchor } of sections) expect(htmlOf(source, target, () => null)).toContain(` id="${anchor}">`)
  })
  it('leads to what is shown, and names what is not', () => {
    expect(html('[shown.md](shown.md#x)')).toContain('<a href="/docs/shown#x">What is shown</a>')
    expect(html('[the `x`](shown.md)')).toContain('<a href="/docs/shown">the <code>x</code></a>')
    expect(html('[a.h](net/a.h)')).toContain('<p><code>src/net/a.h</code></p>')
    expect(html('[the header](net/a.h)')).toContain('<p>the header (<code>src/net/a.h</code>)</p>')
    expect(html('<https://example.org/?a=1&b=2>')).toContain('href="https://example.org/?a=1&amp;b=2"')
  })
  it('shows pictures, or says what is on them', () => {
    expect(html('![A <wall>](a.png)')).toContain(
      '<a href="/a.png"><img src="/a.png" alt="A &lt;wall&gt;" loading="lazy"></a>',
    )
    expect(html('![A wall](b.png)')).toContain('<p><em>A wall</em></p>')
  })
  it('has no markup but its own', () => {
    expect(html('a <img src=x onerror=alert(1)> b\n\n<script>x</script>\n')).not.toMatch(/<(img|script)/)
    expect(html('`<b>` & \n\n    <i>\n')).toContain('<code>&lt;b&gt;</code> &amp;')
    expect(html('<!-- begin -->\n\ntext\n')).not.toContain('begin')
  })
  it('has tables that scroll, with no head where none has words', () => {
    const table = html('| | |\n|-|-|\n| a \\| b | [x](#x) |\n')
    expect(table).toContain(
      '<div class="scroll" tabindex="0"><table><tbody><tr><td>a | b</td><td><a href="#x">x</a></td>',
    )
    expect(html('| h |\n|-|\n| a |\n')).toContain('<thead><tr><th>h</th></tr></thead>')
  })
  it('is searched by sections, without its markup', () => {
    const list = '- a\n  - `b`\n- c\n\n'
    const table = '| d | e |\n|-|-|\n| f | g |\n\n'
    const source = `# T\n\nOne *two*\nthree.\n\n## Next\n\n${list}${table}\`\`\`\nh\n\`\`\`\n<!-- i -->\n`
    expect(sectionsOf(source)).toEqual([
      { depth: 1, anchor: 't', text: 'T', body: 'One two three.' },
      { depth: 2, anchor: 'next', text: 'Next', body: 'a b c d e f g h' },
    ])
  })
})
