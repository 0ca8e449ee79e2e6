// One document as HTML, and what is searched for in it. Runs when the pages are built.
import { Marked, type MarkedToken, type Token, type Tokens } from 'marked'

export interface Heading {
  depth: number
  /** As GitHub makes it, so that links to headings hold in both places. */
  anchor: string
  text: string
}
/** What stands below one heading, as plain text. */
export interface Section extends Heading {
  body: string
}
/** Where a link of the document leads: an address of the site; or a file of the repository that it does not show. */
export type Target = { address: string; title?: string } | { path: string }

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one] ?? '&quot;')

function plain(tokens: readonly Token[]): string {
  const of = (token: MarkedToken): string => {
    if (token.type === 'table') return [token.header, ...token.rows].map((row) => row.map(ofCell).join(' ')).join(' ')
    if (token.type === 'list') return plain(token.items)
    if (token.type === 'list_item') return token.tokens.map((one) => `${plain([one])} `).join('')
    if (token.type === 'html') return ''
    if (token.type === 'br' || token.type === 'space' || token.type === 'hr') return ' '
    if ('tokens' in token && token.tokens) return plain(token.tokens) + (BLOCKS.has(token.type) ? ' ' : '')
    return 'text' in token ? token.text + (token.type === 'code' ? ' ' : '') : ''
  }
  return tokens.map((token) => of(token as MarkedToken)).join('')
}
const BLOCKS = new Set(['paragraph', 'heading', 'blockquote'])
const ofCell = (cell: Tokens.TableCell): string => plain(cell.tokens)

/** GitHub's anchors: of two alike the second has "-1". */
function anchors(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const name = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count ? `${name}-${count}` : name
  }
}

/** In their order; the first is that of the document. An error: it does not begin with its title. */
export function sectionsOf(source: string): [Section, ...Section[]] {
  const anchorOf = anchors()
  const sections: Section[] = []
  const tokens = new Marked().lexer(source)
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = plain(token.tokens ?? []).trim()
      sections.push({ depth: (token as Tokens.Heading).depth, anchor: anchorOf(text), text, body: '' })
      continue
    }
    const last = sections.at(-1)
    if (last) last.body = `${last.body} ${plain([token])}`.replace(/\s+/g, ' ').trim()
  }
  const [title, ...others] = sections
  if (tokens[0]?.type !== 'heading' || !title) throw new Error('a document begins with its title')
  return [title, ...others]
}

/** `target` knows where a link leads, `picture` where a picture is, if it is shown. */
export function htmlOf(
  source: string,
  target: (href: string) => Target,
  picture: (href: string) => string | null,
): string {
  const sections = sectionsOf(source)
  const marked = new Marked()
  let heading = 0
  marked.use({
    renderer: {
      heading({ depth, tokens }) {
        const anchor = escaped(sections[heading++]?.anchor ?? '')
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const to = target(href)
        const isName = href.replace(/#.*/, '').endsWith(plain(tokens))
        if ('path' in to) {
          const path = `<code>${escaped(to.path)}</code>`
          return isName ? path : `${text} (${path})`
        }
        return `<a href="${escaped(to.address)}">${isName && to.title ? escaped(to.title) : text}</a>`
      },
      image({ href, text }) {
        const address = picture(href)
        return address
          ? `<a href="${escaped(address)}"><img src="${escaped(address)}" alt="${escaped(text)}" loading="lazy"></a>`
          : `<em>${escaped(text)}</em>`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const head = header.some(({ text }) => text) ? `<thead>${cells(header, 'th')}</thead>` : ''
        const body = rows.map((row) => cells(row, 'td')).join('\n')
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return marked.parse(source, { async: false })
}
