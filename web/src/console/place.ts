// What the address says of the console's lists: `games.room=club&games.search=ali&games.offset=100`. Pure.
import { startOf } from './line'
import type { Verb } from './verbs'

/** What a list is asked for: its fields, what is searched for in it, and the first row of the page. */
export interface Wanted {
  readonly values: Readonly<Record<string, string>>
  readonly search: string
  readonly offset: number
}

/** Texts of many lines are in no address, and names are what is searched for. */
const toldFields = (verb: Verb) => verb.fields.filter(({ name, kind }) => kind !== 'lines' && name !== 'names')

/** Null: the address says nothing of the list. */
export function wantedIn(query: string, verb: Verb): Wanted | null {
  const all = new URLSearchParams(query)
  if (![...all.keys()].some((key) => key.startsWith(`${verb.verb}.`))) return null
  const values: Record<string, string> = {}
  for (const { name } of toldFields(verb)) {
    const value = all.get(`${verb.verb}.${name}`)
    if (value !== null) values[name] = value
  }
  const offset = all.get(`${verb.verb}.offset`) ?? ''
  return {
    values,
    search: all.get(`${verb.verb}.search`) ?? '',
    offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0,
  }
}

/** The query after it; what it says of other lists stays. */
export function withWanted(query: string, verb: Verb, { values, search, offset }: Wanted): string {
  const all = new URLSearchParams(query)
  for (const key of [...all.keys()]) if (key.startsWith(`${verb.verb}.`)) all.delete(key)
  const usual = startOf(verb)
  for (const { name } of toldFields(verb)) {
    const value = values[name]
    // A list that comes by itself needs no word of what it begins with.
    if (value !== undefined && (verb.every_s === undefined || value !== usual[name])) {
      all.set(`${verb.verb}.${name}`, value)
    }
  }
  if (search) all.set(`${verb.verb}.search`, search)
  if (offset) all.set(`${verb.verb}.offset`, String(offset))
  return all.toString()
}

/** As a command takes what is searched for among names. */
export const patternOf = (search: string): string => (search ? `*${search.replace(/\s+/g, '*')}*` : '')
