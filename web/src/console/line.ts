// The line that a command is sent as. The server parts it at blanks; only the last field may hold some.
import type { Field, Verb } from './verbs'

export type Values = Readonly<Record<string, string>>
/** missing: it has to be filled; blank: it is one word; number: it is a number; gap: an earlier field is empty. */
export type Fault = 'missing' | 'blank' | 'number' | 'gap'

/** On one line, as the server will have it. */
export const oneLine = (text: string): string => text.replace(/[\u0000-\u0020\u007f]+/g, ' ').trim()

/** As the server's settings of engines take it: one word, whatever it holds. */
export const quoted = (text: string): string =>
  text !== '' && !/[\s'"\\]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** What each field begins with. */
export function startOf(verb: Verb, filled: Values = {}): Record<string, string> {
  const values: Record<string, string> = {}
  for (const { name, start } of verb.fields) values[name] = filled[name] ?? start ?? ''
  return values
}

/** Several lines on one, as the server's commands take the text of a file. */
export const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replace(/[\u0000-\u001f\u007f]/g, ' ')

function written(field: Field, text: string): string {
  if (field.kind === 'lines') return escaped(text)
  const value = oneLine(text)
  return field.kind === 'setting' && value ? `${field.name}=${quoted(value)}` : value
}

/** Without the reason, which goes apart. */
export function lineOf(verb: Verb, values: Values): string {
  const words = verb.bare ? [] : [verb.verb]
  for (const field of verb.fields) {
    const value = written(field, values[field.name] ?? '')
    if (value) words.push(value)
  }
  return words.join(' ')
}

/** What is wrong with a field; null: nothing. `why` is the reason's field. */
export function faultOf(verb: Verb, values: Values, name: string): Fault | null {
  const value = oneLine(values[name] ?? '')
  if (name === 'why') return verb.why === 'must' && !value ? 'missing' : null
  const fields = verb.fields
  const at = fields.findIndex((field) => field.name === name)
  const field = fields[at]
  if (!field) return null
  if (!value) return field.optional ? null : 'missing'
  if (field.kind === 'word' && value.includes(' ')) return 'blank'
  if (field.kind === 'number' && !/^\d{1,9}$/.test(value)) return 'number'
  // The server knows words by their place.
  const before = fields[at - 1]
  const empty = before && before.kind !== 'setting' && !before.skipped && !oneLine(values[before.name] ?? '')
  return empty ? 'gap' : null
}

export const isWhole = (verb: Verb, values: Values): boolean =>
  [...verb.fields.map(({ name }) => name), 'why'].every((name) => faultOf(verb, values, name) === null)
