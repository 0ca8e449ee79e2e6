// What can be done in the console: the commands of the server (server/core/admin/verbs.cpp), each with its fields, the
// table beside whose rows it stands, and the tab. A test holds the two lists together.
import type { Api } from '../api'

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

export interface Field {
  readonly name: string
  /** As the server's synopsis has it; empty: the field before it has told of this one. */
  readonly says: string
  /** word: no blanks; text: the rest of the line; lines: the same of several lines; setting: `name='value'`. */
  readonly kind: 'word' | 'number' | 'choice' | 'text' | 'lines' | 'setting'
  readonly optional?: true
  /** The server knows by its looks whether it is there. */
  readonly skipped?: true
  readonly choices?: readonly string[]
  readonly start?: string
}

/** Beside which rows of a table an act stands, and which columns fill its fields. */
export interface Place {
  readonly table: string
  /** A field's name and its column; "asked.x": what the table was asked for with in the field x. */
  readonly fill: Readonly<Record<string, string>>
  readonly column?: string
  /** What `column` holds; without either: it is there at all. */
  readonly is?: readonly string[]
  readonly not?: readonly string[]
}

export interface Verb {
  readonly verb: string
  readonly tab: Tab
  readonly least?: 'admin'
  readonly acts?: true
  readonly dangerous?: true
  readonly fields?: readonly Field[]
  /** Its last words are a reason, which is kept. */
  readonly why?: 'may' | 'must'
  readonly rows?: readonly Place[]
  /** The table above which it stands as a button of its own. */
  readonly bar?: string
  /** A table that is asked for again so often; 0: once; nothing: when somebody asks. */
  readonly every_s?: number
  /** Its rows come in the order of time; those of now are looked for. */
  readonly newestLast?: true
  /** Its answer is a file of this name. */
  readonly file?: string
  /** What is searched for is the name or the pattern that it is asked for with; else its rows are looked through. */
  readonly patterned?: true
  /** It stands there only after the table was asked for with the same, and answered. */
  readonly after?: true
  /** It is no command of the server's: its field is the line. */
  readonly bare?: true
}

const NAME: Field = { name: 'name', says: 'NAME', kind: 'word' }
const NAMES: Field = { name: 'names', says: '[NAME]', kind: 'word', optional: true }
const ROOM: Field = { name: 'room', says: '[ROOM]', kind: 'word', optional: true }
const GAME: Field = { name: 'game', says: 'GAME', kind: 'word' }
const SET: Field = { name: 'set', says: 'SET', kind: 'word' }
const EVENT: Field = { name: 'event', says: 'EVENT', kind: 'word' }
const DIVISION: Field = { name: 'division', says: '[DIVISION]', kind: 'word', optional: true, skipped: true }
const EVENT_GAME: Field = { name: 'eventGame', says: 'GAME', kind: 'word' }
const PLAYER: Field = { name: 'player', says: 'PLAYER', kind: 'word' }
const VERDICT: Field = {
  name: 'verdict',
  says: 'black|white|draw|void',
  kind: 'choice',
  choices: ['black', 'white', 'draw', 'void'], // none of them before somebody has judged
}
const EVENT_TEXT: Field = { name: 'eventText', says: 'TEXT', kind: 'lines' }
const JAPANESE: Field = {
  name: 'language',
  says: '[ja]',
  kind: 'choice',
  optional: true,
  skipped: true,
  choices: ['', 'ja'],
}
const ofEvent: Place = { table: 'tournaments', fill: { event: 'event' }, column: 'phase', not: ['cannot be held'] }
const eventIn = (...phases: string[]): Place => ({ ...ofEvent, is: phases })
const ofEntrant: Place = { table: 'tournament', fill: { event: 'asked.event', player: 'player' } }
const ofEventGame: Place = {
  table: 'tournament-pairings',
  fill: { event: 'asked.event', eventGame: 'game' },
  column: 'game',
  not: ['-'],
}
const eventGameThat = (...results: string[]): Place => ({ ...ofEventGame, column: 'result', is: results })
const NO_GAME_YET = ['agreeing', 'awaits players']
const ROOM_NAME: Field = { name: 'roomName', says: 'NAME', kind: 'word' }
const ofRoom: Place = { table: 'rooms', fill: { roomName: 'room' }, column: 'room', not: ['main'] }
const ofAccount: Place = { table: 'accounts', fill: { name: 'name' } }

export const VERBS = [
  { verb: 'games', tab: 'games', fields: [ROOM], every_s: 5 },
  {
    verb: 'pause',
    tab: 'games',
    acts: true,
    fields: [GAME],
    why: 'may',
    rows: [{ table: 'games', fill: { game: 'game' }, column: 'state', is: ['running', 'saving'] }],
  },
  {
    verb: 'resume',
    tab: 'games',
    acts: true,
    fields: [GAME],
    why: 'may',
    rows: [{ table: 'games', fill: { game: 'game' }, column: 'state', is: ['paused', 'awaits a verdict'] }],
  },
  {
    verb: 'adjudicate',
    tab: 'games',
    acts: true,
    dangerous: true,
    fields: [GAME, VERDICT],
    why: 'must',
    rows: [{ table: 'games', fill: { game: 'game' }, column: 'state', not: NO_GAME_YET }],
  },
  {
    verb: 'restart',
    tab: 'games',
    acts: true,
    dangerous: true,
    fields: [GAME, { name: 'move', says: 'MOVE', kind: 'number' }],
    why: 'may',
    rows: [{ table: 'games', fill: { game: 'game', move: 'moves' }, column: 'state', not: NO_GAME_YET }],
    bar: 'games',
  },
  {
    verb: 'start',
    tab: 'games',
    acts: true,
    fields: [
      { name: 'black', says: 'BLACK', kind: 'word' },
      { name: 'white', says: 'WHITE', kind: 'word' },
      { name: 'gameName', says: 'GAME-NAME', kind: 'word' },
      {
        name: 'from',
        says: '[startpos|sfen SFEN|buoy NAME|set SET N]',
        kind: 'choice',
        optional: true,
        choices: ['', 'startpos', 'sfen', 'buoy', 'set'],
      },
      { name: 'position', says: '', kind: 'text', optional: true },
    ],
    bar: 'games',
  },
  {
    verb: 'results',
    tab: 'games',
    fields: [{ name: 'gameNames', says: '[GAME-NAME]', kind: 'word', optional: true }],
  },
  {
    verb: 'export',
    tab: 'games',
    fields: [{ name: 'gameOrNames', says: 'GAME|GAME-NAME', kind: 'word' }],
    file: 'records.csa',
  },

  { verb: 'sessions', tab: 'players', fields: [ROOM], every_s: 5 },
  {
    verb: 'tell',
    tab: 'players',
    acts: true,
    fields: [
      { name: 'to', says: 'NAME|room:ROOM|all', kind: 'word', start: 'all' },
      { name: 'text', says: 'TEXT', kind: 'text' },
    ],
    rows: [{ table: 'sessions', fill: { to: 'name' }, column: 'mode', is: ['x1'] }],
    bar: 'sessions',
  },
  {
    verb: 'kick',
    tab: 'players',
    acts: true,
    dangerous: true,
    fields: [NAME],
    why: 'may',
    rows: [{ table: 'sessions', fill: { name: 'name' } }],
  },
  {
    verb: 'forbid',
    tab: 'players',
    acts: true,
    dangerous: true,
    fields: [NAME],
    why: 'may',
    rows: [{ table: 'sessions', fill: { name: 'name' } }],
    bar: 'forbidden',
  },
  { verb: 'forbidden', tab: 'players', every_s: 0 },
  {
    verb: 'allow',
    tab: 'players',
    acts: true,
    fields: [NAME],
    rows: [{ table: 'forbidden', fill: { name: 'name' } }],
  },
  {
    verb: 'conduct',
    tab: 'players',
    fields: [NAMES],
    patterned: true,
    every_s: 0,
  },

  { verb: 'rooms', tab: 'rooms', every_s: 10 },
  { verb: 'room', tab: 'rooms', fields: [ROOM_NAME], rows: [ofRoom] },
  {
    verb: 'set-room',
    tab: 'rooms',
    acts: true,
    fields: [ROOM_NAME, { name: 'roomSettings', says: 'KEY=VALUE...', kind: 'text' }],
    rows: [ofRoom],
    bar: 'rooms',
  },
  { verb: 'close-room', tab: 'rooms', acts: true, fields: [ROOM_NAME], why: 'may', rows: [ofRoom] },

  { verb: 'tournaments', tab: 'events', every_s: 5 },
  { verb: 'tournament', tab: 'events', fields: [EVENT], rows: [ofEvent] },
  {
    verb: 'tournament-pairings',
    tab: 'events',
    fields: [EVENT, DIVISION, { name: 'round', says: '[ROUND]', kind: 'number', optional: true }],
    rows: [ofEvent],
  },
  { verb: 'tournament-table', tab: 'events', fields: [EVENT, DIVISION, JAPANESE], rows: [ofEvent], file: 'table.txt' },
  {
    verb: 'tournament-start',
    tab: 'events',
    acts: true,
    fields: [EVENT],
    why: 'may',
    rows: [eventIn('announced', 'running')],
  },
  { verb: 'tournament-pause', tab: 'events', acts: true, fields: [EVENT], why: 'may', rows: [eventIn('running')] },
  { verb: 'tournament-resume', tab: 'events', acts: true, fields: [EVENT], why: 'may', rows: [eventIn('paused')] },
  {
    verb: 'tournament-pair',
    tab: 'events',
    acts: true,
    fields: [
      EVENT,
      DIVISION,
      { name: 'pairs', says: '[rematches | BLACK:WHITE... bye:PLAYER...]', kind: 'text', optional: true },
    ],
    rows: [eventIn('announced', 'running', 'paused')],
  },
  {
    verb: 'tournament-unpair',
    tab: 'events',
    acts: true,
    fields: [EVENT, DIVISION],
    why: 'may',
    rows: [eventIn('paused')],
  },
  {
    verb: 'tournament-message',
    tab: 'events',
    acts: true,
    fields: [EVENT, { name: 'text', says: 'TEXT', kind: 'text' }],
    rows: [ofEvent],
  },
  {
    verb: 'tournament-end',
    tab: 'events',
    acts: true,
    dangerous: true,
    fields: [EVENT],
    why: 'must',
    rows: [eventIn('announced', 'running', 'paused')],
  },
  {
    verb: 'tournament-delete',
    tab: 'events',
    acts: true,
    dangerous: true,
    fields: [EVENT],
    why: 'may',
    rows: [
      {
        table: 'tournaments',
        fill: { event: 'event' },
        column: 'phase',
        is: ['announced', 'over', 'cannot be held'],
      },
    ],
  },
  {
    verb: 'tournament-new',
    tab: 'events',
    acts: true,
    fields: [{ name: 'file', says: 'FILE', kind: 'text' }],
    bar: 'tournaments',
  },
  { verb: 'tournament-check', tab: 'events', fields: [JAPANESE, EVENT_TEXT], file: 'event.txt' },
  {
    verb: 'tournament-write',
    tab: 'events',
    acts: true,
    fields: [{ name: 'file', says: 'FILE', kind: 'word' }, EVENT_TEXT],
    bar: 'tournament-check',
    after: true,
  },
  {
    verb: 'tournament-enter',
    tab: 'events',
    acts: true,
    fields: [
      EVENT,
      PLAYER,
      { name: 'seed', says: '[seed=N]', kind: 'setting', optional: true },
      { name: 'rate', says: '[rate=N]', kind: 'setting', optional: true },
      { name: 'group', says: '[group=NAME,...]', kind: 'setting', optional: true },
      { name: 'title', says: '[TITLE]', kind: 'text', optional: true },
    ],
    rows: [
      eventIn('announced', 'running', 'paused'),
      { ...ofEntrant, fill: { ...ofEntrant.fill, seed: 'seed', rate: 'rate', title: 'title' } },
    ],
  },
  {
    verb: 'tournament-withdraw',
    tab: 'events',
    acts: true,
    fields: [EVENT, PLAYER, { name: 'roundsAway', says: '[ROUNDS]', kind: 'number', optional: true }],
    why: 'may',
    rows: [{ ...ofEntrant, column: 'where', not: ['withdrawn'] }],
  },
  { verb: 'tournament-return', tab: 'events', acts: true, fields: [EVENT, PLAYER], why: 'may', rows: [ofEntrant] },
  {
    verb: 'tournament-result',
    tab: 'events',
    acts: true,
    fields: [EVENT, EVENT_GAME, VERDICT],
    why: 'may',
    rows: [{ ...ofEventGame, column: 'result', not: ['playing', 'bye', 'rest', 'walkover'] }],
  },
  {
    verb: 'tournament-adjudicate',
    tab: 'events',
    acts: true,
    dangerous: true,
    fields: [EVENT, EVENT_GAME, VERDICT],
    why: 'must',
    rows: [eventGameThat('playing')],
  },
  {
    verb: 'tournament-forfeit',
    tab: 'events',
    acts: true,
    fields: [EVENT, EVENT_GAME, { name: 'loser', says: 'PLAYER|both', kind: 'word' }],
    why: 'may',
    rows: [eventGameThat('to come')],
  },
  {
    verb: 'tournament-replay',
    tab: 'events',
    acts: true,
    dangerous: true,
    fields: [EVENT, EVENT_GAME],
    why: 'may',
    rows: [{ ...ofEventGame, column: 'result', not: ['to come', 'bye', 'rest', 'walkover'] }],
  },
  { verb: 'tournament-export', tab: 'events', fields: [EVENT], file: 'event.tsv' },

  { verb: 'rounds', tab: 'rounds', every_s: 10 },
  {
    verb: 'round',
    tab: 'rounds',
    acts: true,
    fields: [{ name: 'group', says: 'GROUP', kind: 'word' }],
    rows: [{ table: 'rounds', fill: { group: 'group' } }],
  },
  {
    verb: 'positions',
    tab: 'rounds',
    fields: [{ ...SET, says: '[SET]', optional: true }],
    every_s: 0,
    rows: [{ table: 'positions', fill: { set: 'set' }, column: 'positions' }],
  },
  {
    verb: 'load-positions',
    tab: 'rounds',
    acts: true,
    fields: [SET, { name: 'file', says: 'FILE', kind: 'text' }],
    bar: 'positions',
  },
  {
    verb: 'drop-positions',
    tab: 'rounds',
    acts: true,
    fields: [SET],
    rows: [{ table: 'positions', fill: { set: 'set' }, column: 'positions' }],
  },
  { verb: 'buoys', tab: 'rounds', fields: [NAMES], patterned: true, every_s: 0 },
  {
    verb: 'drop-buoys',
    tab: 'rounds',
    acts: true,
    fields: [{ name: 'buoys', says: 'NAME', kind: 'word' }],
    why: 'may',
    rows: [{ table: 'buoys', fill: { buoys: 'name' } }],
    bar: 'buoys',
  },

  { verb: 'engines', tab: 'engines', every_s: 10 },
  {
    verb: 'seat',
    tab: 'engines',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [
      { name: 'name', says: 'LINE', kind: 'setting' },
      { name: 'engine', says: '', kind: 'setting' },
      { name: 'game', says: '', kind: 'setting', optional: true },
      { name: 'turn', says: '', kind: 'setting', optional: true, choices: ['', '+', '-', '*'] },
      { name: 'room', says: '', kind: 'setting', optional: true },
      { name: 'ponder', says: '', kind: 'setting', optional: true, choices: ['', 'true', 'false'] },
      { name: 'comments', says: '', kind: 'setting', optional: true, choices: ['', 'true', 'false'] },
      { name: 'nice', says: '', kind: 'setting', optional: true },
      { name: 'think-ms', says: '', kind: 'setting', optional: true },
      { name: 'more', says: '', kind: 'text', optional: true },
    ],
    bar: 'engines',
  },
  {
    verb: 'unseat',
    tab: 'engines',
    acts: true,
    fields: [NAME],
    rows: [{ table: 'engines', fill: { name: 'name' } }],
  },
  { verb: 'workers', tab: 'engines', every_s: 10 },
  {
    verb: 'worker-drop',
    tab: 'engines',
    acts: true,
    fields: [NAME],
    why: 'may',
    rows: [{ table: 'workers', fill: { name: 'name' }, column: 'state', is: ['connected', 'away'] }],
  },

  {
    verb: 'accounts',
    tab: 'accounts',
    fields: [NAMES],
    patterned: true,
    every_s: 0,
  },
  { verb: 'account', tab: 'accounts', fields: [NAME], rows: [ofAccount] },
  {
    verb: 'account-add',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [
      NAME,
      {
        name: 'role',
        says: '[player|host|admin]',
        kind: 'choice',
        choices: ['player', 'host', 'admin'],
        start: 'player',
      },
    ],
    why: 'may',
    bar: 'accounts',
  },
  {
    verb: 'account-role',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [
      NAME,
      {
        name: 'role',
        says: 'player|host|admin',
        kind: 'choice',
        choices: ['player', 'host', 'admin'],
        start: 'player',
      },
    ],
    why: 'may',
    rows: [{ table: 'accounts', fill: { name: 'name', role: 'role' } }],
  },
  {
    verb: 'token',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [NAME, { name: 'label', says: '[LABEL]', kind: 'text', optional: true }],
    rows: [ofAccount],
  },
  {
    verb: 'password',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [NAME],
    rows: [ofAccount],
  },
  {
    verb: 'second-factor',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [NAME, { name: 'onOff', says: 'on|off', kind: 'choice', choices: ['on', 'off'], start: 'on' }],
    rows: [ofAccount],
  },
  {
    verb: 'account-delete',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [NAME],
    why: 'must',
    rows: [ofAccount],
  },
  {
    verb: 'revoke',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [NAME, { name: 'secret', says: 'SECRET', kind: 'word' }],
    why: 'may',
    rows: [{ table: 'account', fill: { name: 'asked.name', secret: 'secret' } }],
  },
  {
    verb: 'load-accounts',
    tab: 'accounts',
    least: 'admin',
    acts: true,
    dangerous: true,
    fields: [{ name: 'file', says: 'FILE', kind: 'text', start: 'players.yaml' }],
    bar: 'accounts',
  },
  {
    verb: 'logins',
    tab: 'accounts',
    fields: [NAMES],
    every_s: 30,
  },
  {
    verb: 'logout',
    tab: 'accounts',
    acts: true,
    fields: [NAME],
    rows: [{ table: 'logins', fill: { name: 'name' } }],
  },

  { verb: 'counters', tab: 'server', every_s: 10 },
  { verb: 'reload', tab: 'server', least: 'admin', acts: true, dangerous: true, bar: 'counters' },
  { verb: 'drain', tab: 'server', least: 'admin', acts: true, dangerous: true, why: 'may', bar: 'counters' },
  { verb: 'store', tab: 'server', every_s: 30 },
  { verb: 'delays', tab: 'server', every_s: 30 },
  { verb: 'limits', tab: 'server', least: 'admin', every_s: 0 },
  { verb: 'operators', tab: 'server', least: 'admin', every_s: 0 },
  {
    verb: 'help',
    tab: 'server',
    fields: [JAPANESE, { name: 'command', says: '[COMMAND]', kind: 'word', optional: true }],
  },
  { verb: 'line', tab: 'server', bare: true, fields: [{ name: 'line', says: '', kind: 'text' }], bar: 'help' },

  {
    verb: 'audit',
    tab: 'audit',
    fields: [{ name: 'count', says: '[N]', kind: 'number', optional: true, start: '50' }],
    every_s: 15,
    newestLast: true,
  },
] as const satisfies readonly Verb[]

type One = (typeof VERBS)[number]
export type VerbName = One['verb']
export type ActName = Extract<One, { acts: true } | { bare: true }>['verb']
export type LookName = Exclude<VerbName, ActName>
type FieldOf<V> = V extends { fields: readonly (infer F)[] } ? F : never
export type FieldName = Extract<FieldOf<One>, Field>['name'] extends infer N ? Extract<N, string> : never

/** With its name's own type, and all that it may have. */
export type Entry = Verb & { readonly verb: VerbName }
const ALL: readonly Entry[] = VERBS

export const verbNamed = (name: VerbName): Entry => ALL.find(({ verb }) => verb === name)!
export const isAct = (verb: Verb): boolean => verb.acts === true || verb.bare === true
export const fieldsOf = (verb: Verb): readonly Field[] => verb.fields ?? []

/** Whether `role` may give it on the web. */
export const mayGive = (role: Role, verb: Verb): boolean => ROLES.indexOf(role) >= ROLES.indexOf(verb.least ?? 'host')

/** The tables of a tab, in order. */
export function tablesOf(tab: Tab, role: Role): readonly Entry[] {
  return ALL.filter((verb) => verb.tab === tab && !isAct(verb) && mayGive(role, verb))
}
export const tabsOf = (role: Role): readonly Tab[] =>
  TABS.filter((tab) => tab === 'own' || tablesOf(tab, role).length > 0)

export const barOf = (table: string, role: Role): readonly Entry[] =>
  ALL.filter((verb) => verb.bar === table && mayGive(role, verb))

/** What can be done about a row; the fields of each, filled from it. */
export function actsOn(
  table: string,
  row: Readonly<Record<string, string>>,
  role: Role,
): { verb: Entry; values: Record<string, string> }[] {
  const found: { verb: Entry; values: Record<string, string> }[] = []
  for (const verb of ALL) {
    const place = verb.rows?.find((one) => one.table === table)
    if (!place || !mayGive(role, verb) || !fits(place, row)) continue
    const values: Record<string, string> = {}
    for (const [field, column] of Object.entries(place.fill)) values[field] = row[column] ?? ''
    found.push({ verb, values })
  }
  return found
}

function fits(place: Place, row: Readonly<Record<string, string>>): boolean {
  if (place.column === undefined) return true
  const value = row[place.column]
  if (value === undefined) return false
  if (place.is) return place.is.includes(value)
  return !place.not?.includes(value)
}
