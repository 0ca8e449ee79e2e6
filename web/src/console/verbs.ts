// What can be done in the console: the server's commands. commands.json has each with its fields, the table beside
// whose rows it stands, and its words; the server is made of the same file.
import table from '../../../server/core/admin/commands.json'
import type { Api } from '../api'
import type { Language } from '../i18n/words'
import { oneLine } from './line'

export const TABS = [
  'games',
  'players',
  'rooms',
  'events',
  'rounds',
  'engines',
  'accounts',
  'server',
  'audit',
  'own',
] as const
export type Tab = (typeof TABS)[number]

export type Role = Api['Session']['role']
const ROLES: readonly string[] = ['player', 'host', 'admin'] satisfies Role[]

type InBoth<Words> = Readonly<Record<Language, Words>>
/** Of a value in a table, or of a choice; nothing: it is said as it is. */
type WordsOf = Readonly<Record<string, Readonly<Partial<Record<Language, string>>>>>

export interface Field extends InBoth<{ readonly label: string; readonly how?: string }> {
  readonly name: string
  /** word: no blanks; text: the rest of the line; lines: the same of several lines; setting: `name='value'`. */
  readonly kind: 'word' | 'number' | 'text' | 'lines' | 'setting'
  readonly optional?: boolean
  /** The server knows by its looks whether it is there. */
  readonly skipped?: boolean
  readonly choices?: WordsOf
  readonly start?: string
}

/** Beside which rows of a table an act stands, and which columns fill its fields. */
export interface Place {
  readonly table: string
  /** A field's name and its column; "asked.x": what the table was asked for with in the field x. The first one tells
   * which row it is. */
  readonly fill: Readonly<Record<string, string>>
  readonly column?: string
  /** What `column` holds; without either: it is there at all. */
  readonly is?: readonly string[]
  readonly not?: readonly string[]
}

interface VerbWords {
  readonly label: string
  /** Of a table that another row leads to. */
  readonly lead?: string
  /** What an act will do; "{game}" stands for what the field holds. */
  readonly effect?: string
}

export interface Verb extends InBoth<VerbWords> {
  readonly verb: string
  readonly tab: Tab
  readonly least?: Role
  readonly acts?: boolean
  readonly dangerous?: boolean
  readonly fields: readonly Field[]
  /** Its last words are a reason, which is kept. */
  readonly why?: 'may' | 'must'
  readonly rows?: readonly Place[]
  /** The table above which it stands as a button of its own. */
  readonly bar?: string
  /** A table that is asked for again so often; 0: once; nothing: when somebody asks. */
  readonly every_s?: number
  /** Its rows come in the order of time; those of now are looked for. */
  readonly newestLast?: boolean
  /** Its answer is a file of this name. */
  readonly file?: string
  /** What is searched for is the name or the pattern that it is asked for with; else its rows are looked through. */
  readonly patterned?: boolean
  /** It stands there only after the table was asked for with the same, and answered. */
  readonly after?: boolean
  /** It is no command of the server's: its field is the line. */
  readonly bare?: true
}

/** A field by its name, or with what it has here alone. */
type Use = string | ({ readonly field: string } & Partial<Field>)
const FIELDS = table.fields as Readonly<Record<string, Omit<Field, 'name' | 'kind'> & Partial<Pick<Field, 'kind'>>>>

export function fieldOf(use: Use): Field {
  const { field: name, ...own } = typeof use === 'string' ? { field: use } : use
  return { name, kind: 'word', ...FIELDS[name]!, ...own }
}

/** What somebody types himself. */
const LINE: Verb = {
  verb: 'line',
  tab: 'server',
  bare: true,
  bar: 'help',
  fields: [{ name: 'line', kind: 'text', en: { label: 'Command' }, ja: { label: 'コマンド' } }],
  en: { label: 'Command line', effect: 'The command is sent as you type it.' },
  ja: { label: 'コマンドを直接送る', effect: '入力したコマンドを、そのまま送ります。' },
}
const COMMANDS = table.commands as Readonly<Record<string, Omit<Verb, 'verb' | 'fields'> & { fields?: readonly Use[] }>>
export const VERBS: readonly Verb[] = [
  ...Object.entries(COMMANDS).map(([verb, told]) => ({ ...told, verb, fields: (told.fields ?? []).map(fieldOf) })),
  LINE,
]
export type VerbName = keyof typeof table.commands | 'line'

export const verbNamed = (name: VerbName): Verb => VERBS.find(({ verb }) => verb === name)!
export const isAct = (verb: Verb): boolean => verb.acts === true || verb.bare === true

/** Whether `role` may give it on the web. */
export const mayGive = (role: Role, verb: Verb): boolean => ROLES.indexOf(role) >= ROLES.indexOf(verb.least ?? 'host')

/** The tables of a tab: those that come by themselves before those that are asked for. */
export function tablesOf(tab: Tab, role: Role): readonly Verb[] {
  const tables = VERBS.filter((verb) => verb.tab === tab && !isAct(verb) && mayGive(role, verb))
  return [
    ...tables.filter((verb) => verb.every_s !== undefined),
    ...tables.filter((verb) => verb.every_s === undefined),
  ]
}
export const tabsOf = (role: Role): readonly Tab[] =>
  TABS.filter((tab) => tab === 'own' || tablesOf(tab, role).length > 0)

export const barOf = (table: string, role: Role): readonly Verb[] =>
  VERBS.filter((verb) => verb.bar === table && mayGive(role, verb))

/** What can be done about a row, what is dangerous last; the fields of each, filled from it. */
export function actsOn(
  table: string,
  row: Readonly<Record<string, string>>,
  role: Role,
): { verb: Verb; values: Record<string, string> }[] {
  const found: { verb: Verb; values: Record<string, string> }[] = []
  for (const verb of VERBS) {
    const place = verb.rows?.find((one) => one.table === table)
    if (!place || !mayGive(role, verb) || !fits(place, row)) continue
    const values: Record<string, string> = {}
    for (const [field, column] of Object.entries(place.fill)) values[field] = row[column] ?? ''
    found.push({ verb, values })
  }
  return [...found.filter(({ verb }) => !verb.dangerous), ...found.filter(({ verb }) => verb.dangerous)]
}

function fits(place: Place, row: Readonly<Record<string, string>>): boolean {
  if (place.column === undefined) return true
  const value = row[place.column]
  if (value === undefined) return false
  if (place.is) return place.is.includes(value)
  return !place.not?.includes(value)
}

/** What an act will do, with what its fields hold; "…" for those that hold nothing. */
export function effectOf(verb: Verb, values: Readonly<Record<string, string>>, language: Language): string {
  const told = (_: string, name: string): string => {
    const value = oneLine(values[name] ?? '')
    const choices = verb.fields.find((field) => field.name === name)?.choices
    return choices?.[value]?.[language] ?? (value || '…')
  }
  return (verb[language].effect ?? '').replace(/\{([\w-]+)\}/g, told)
}

const ANSWERS: ReadonlyMap<string, WordsOf> = new Map(
  Object.values(table.answers).flatMap(({ of, words }) => of.map((column) => [column, words] as const)),
)
const COLUMNS: WordsOf = table.columns

export const columnWord = (column: string, language: Language): string => COLUMNS[column]?.[language] ?? column
/** The word for a state or a kind in a column of a table; other text as it is. */
export const valueWord = (table: string, column: string, text: string, language: Language): string =>
  ANSWERS.get(`${table}.${column}`)?.[text]?.[language] ?? text
