// Whatever the server can answer to the console has its Japanese: the sources are read for it.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ANSWERS } from './answers'
import { said } from './said'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** What answers commands, and whatever says to it what is wrong. */
const SPEAKERS = [
  /^server\/core\/admin\/admin_.*\.cpp$/,
  /^server\/core\/(buoys|rooms|rounds)\/.*\.cpp$/,
  /^server\/core\/tournaments\/(event_commands|running_event)\.cpp$/,
  /^server\/core\/tournament\/(checks|division_settings|pairing|setting_reader|settings)\.cpp$/,
  /^server\/app\/serve\/(account_files|administration|data_files|engine_means|room_files|round_files)\.cpp$/,
  /^server\/app\/serve\/(builtin_players|login_service|move_delays|worker_players)\.cpp$/,
  /^server\/app\/admin\/files\.cpp$/,
  /^server\/app\/tournament\/(event_file|event_text)\.cpp$/,
  /^server\/host\/player_line\.cpp$/,
  /^server\/net\/web_api\.cpp$/,
  /^server\/secrets\/password_rules\.cpp$/,
  /^engines\/record\/csa_move\.cpp$/,
  /^engines\/shogi\/legality\.cpp$/,
]
const CALLS =
  'admin_(?:refusal|done|listed)|refused?|not_done|done|wrong|no|complain|unexpected|with_doubts|answer|write_down'
const BEGINNINGS = new RegExp(`\\b(?:${CALLS})\\(|\\btext \\+?= |\\breturn (?=fmt::format\\(|")`, 'g')
const LITERALS = /"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*/g

/** Up to the end of the call; or of the value, where nothing is called. */
function expressionAt(source: string, begin: number, isCall: boolean): string {
  let depth = 0
  for (let at = begin; at < source.length; at += 1) {
    const c = source[at]!
    if (c === '"') {
      LITERALS.lastIndex = at
      at += LITERALS.exec(source)![0].length - 1
    } else if ('({['.includes(c)) depth += 1
    else if (')}]'.includes(c)) depth -= 1
    if (depth < 0 || c === ';' || (c === ',' && depth === 0 && !isCall)) return source.slice(begin, at)
  }
  return ''
}

/** What is said in a source: literals that stand side by side are one. */
function textsOf(source: string): string[] {
  const code = source.replace(/^\s*\/\/.*$/gm, '').replace(/'(?:[(){};"[\]]|\\.)'/g, '0')
  return [...code.matchAll(BEGINNINGS)].flatMap((found) =>
    (expressionAt(code, found.index + found[0].length, found[0].endsWith('(')).match(LITERALS) ?? []).map((literal) =>
      literal
        .replace(/"\s*"/g, '')
        .slice(1, -1)
        .replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c)),
    ),
  )
}

const files = ['server', 'engines/record', 'engines/shogi'].flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => `${folder}/${name}`),
)
const isSpeaker = (file: string) => SPEAKERS.some((one) => one.test(file))
const isJapanese = (text: string) => /[ぁ-んァ-ヶ一-龠]/.test(text)
/** Half of a text is known with something before or behind it. */
function isKnown(text: string): boolean {
  const whole = text.replace(/\{[^{}]*\}/g, 'x')
  const bare = whole.replace(/^; |: $|; $/, '')
  return [bare, `x${whole}`, `${whole}x`, `x${whole}x`, `x ${bare}`, `${bare} x`, `x ${bare} x`].some((one) =>
    isJapanese(said(one, 'ja')),
  )
}

/** Said to players on the CSA port, or words of tables, which `console.ts` has. */
const NOT_ALONE = new Set([
  'wrong buoy game name: ',
  'duplicated buoy game name: ',
  'invalid count: {}',
  'too many buoys: ',
  'forbidden name',
  '##[{}] ERROR the answer is too long for this connection; ask with fuhyo admin\n',
])
/** Parts, and what they are put together to. */
const PARTS = [
  [' (admin-networks)', 'commands are not taken from ', 'commands are not taken from 192.0.2.7 (admin-networks)'],
  ['the room {} {}: {}', 'is made', 'the room club is made: games=club-*'],
  ['is changed', 'the room club is changed: games=club-*'],
  ['begins at', 'round 1 of cup/A, begins at 10:00'],
  ['begun at', 'round 1 of cup/A, begun at 10:00'],
  ['still played', 'cup is over; still played: 2 games'],
  ['paused, to be resumed or adjudicated', 'cup is over; paused, to be resumed or adjudicated: 2 games'],
  ['the event {} is {}: {}, games are called {}', 'the event cup is changed: 8 entrants, games are called cup-900-5F'],
  ['{} of {} players{}', '1 of 2 players; 1 built-in player waits for a seat, of which engine-threads gives more'],
  ['a number from ', ' to ', ' expected', 'nice=x: a number from 0 to 19 expected'],
  ["unknown key '", "unknown key 'x'"],
  ["': key=value expected", "'x': key=value expected"],
  [": did you mean '{}'?", "a room has no 'x': did you mean 'y'?"],
  ['{}: there is no such setting{}', "x: there is no such setting; did you mean 'y'?"],
  ['the piece on ', ' cannot become ', 'the piece on 77 cannot become a gold'],
  ['black wins', 'black wins (TORYO)'],
  ['white wins', 'white wins (TORYO)'],
  ['both lose', 'both lose (forfeit)'],
]

describe('what the server says', () => {
  it('is looked for wherever commands are answered', () => {
    const answering = files.filter((file) =>
      /\badmin_(?:refusal|done)\(|"server\/app\/admin\/answers\.h"/.test(readFileSync(ROOT + file, 'utf8')),
    )
    expect(answering.length).toBeGreaterThan(10)
    expect(answering.filter((file) => !isSpeaker(file))).toEqual([])
  })
  it('has its Japanese', () => {
    const texts = files.filter(isSpeaker).flatMap((file) => textsOf(readFileSync(ROOT + file, 'utf8')))
    expect(texts.length).toBeGreaterThan(300)
    const elsewhere = new Set([...NOT_ALONE, ...PARTS.flatMap((parts) => parts.slice(0, -1))])
    const sentences = texts.filter((text) => /[a-z]{2}[^a-z=]* .*[a-z]|^ .*[a-z]{2}/.test(text) && !elsewhere.has(text))
    expect([...new Set(sentences.filter((text) => !isKnown(text)))]).toEqual([])
  })
  it('has the names of figures and limits', () => {
    const name =
      /\b(?:row\(|HostCounter\{)"([^"]+)"|\{"([^"]+)", (?:name_|size_of\(|fmt::format\("\{\}", \w+\.load\(\)\))/g
    const tellers = files.filter((file) =>
      /core\/admin\/desk_lists|app\/serve\/(?!move_delays)|store\/.*(journal|writer)/.test(file),
    )
    const names = tellers.flatMap((file) =>
      [...readFileSync(ROOT + file, 'utf8').matchAll(name)].map(([, one, other]) => one ?? other ?? ''),
    )
    expect(names).toContain('bytes of the log')
    expect(names.filter((name) => !isJapanese(said(name, 'ja')))).toEqual([])
  })
  it('has it in whole where it is put together', () => {
    const wholes = PARTS.map((parts) => parts.at(-1) ?? '')
    expect(
      wholes.filter((text) => !isJapanese(said(text, 'ja')) || /[a-z]{3} [a-z]{2} /.test(said(text, 'ja'))),
    ).toEqual([])
  })
  it('is in both languages where things are counted', () => {
    const words = files
      .filter(isSpeaker)
      .flatMap((file) =>
        [...readFileSync(ROOT + file, 'utf8').matchAll(/counted\([^;]*?"([a-z ]+)"\)/g)].map(([, word = '']) => word),
      )
    expect(words).toContain('game')
    const missing = words.filter(
      (word) => said(`7 ${word}s`, 'ja').includes(word) || said(`1 ${word}`, 'ja').includes(word),
    )
    expect(missing).toEqual([])
  })
  it('has a place for whatever comes in it', () => {
    const places = (text: string) => text.match(/\{\d?!?\}/g)?.length ?? 0
    const wrong = Object.entries(ANSWERS).filter(([english, japanese]) => places(japanese) > places(english))
    expect(wrong).toEqual([])
  })
  it('has its names and figures', () => {
    expect(said('7 games', 'ja')).toBe('7局')
    expect(said('1 game', 'ja')).toBe('1局')
    expect(said('7 games', 'en')).toBe('7 games')
    expect(said('game 12 is adjudicated: black', 'ja')).toBe('対局 12 を裁定しました: 先手の勝ち')
    expect(said('something new', 'ja')).toBe('something new')
  })
  it('is whole where one text holds another', () => {
    expect(said('no round of floodgate-300-10F: 1 of 2 players', 'ja')).toBe(
      'floodgate-300-10F を組めません: 2 人中 1 人しかいません',
    )
    expect(
      said("line 3: stage[0].rounds: 'x' is no whole number from 1 to 50; line 4: tie: there is no such setting", 'ja'),
    ).toBe('3 行目: stage[0].rounds: 「x」は 1 から 50 までの整数ではありません。4 行目: tie: その設定はありません')
    expect(said('round 2 of cup is paired; doubtful: ann and ben meet again', 'ja')).toBe(
      'cup の第2回戦を組みました。要確認: ann と ben は再戦になります',
    )
    expect(said('cup is running; A/B: round 1 of 3, 3 members, 1 game to come or running', 'ja')).toBe(
      'cup は進行中です。A/B: 第1回戦（全3回戦）、3人、これからか対局中 1局',
    )
    expect(said('nobody is connected as draw', 'ja')).toBe('draw は接続していません')
  })
})
