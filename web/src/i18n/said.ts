// What the server says in a line of English, in Japanese: its summaries of tables, and what it says of acts. A text
// that is not known is shown as it is.
import { ANSWERS } from './answers'
import type { Language } from './words'

/** What is counted, as the server's counted() has it. */
const COUNTED: Readonly<Record<string, string>> = {
  account: '件のアカウント',
  act: '件の操作',
  buoy: '個のブイ',
  day: '日',
  engine: '個のエンジン',
  entrant: '人',
  event: '件の大会',
  'forbidden name': '件の禁止名',
  game: '局',
  group: '組',
  member: '人',
  minute: '分',
  name: '件の名前',
  operator: '人の運営者',
  player: '人',
  position: '局面',
  record: '局の棋譜',
  room: '室',
  session: '件',
  set: '件の局面集',
}
function counted(text: string): string | null {
  const [, count, what = ''] = /^(\d+) (.+?)s?$/.exec(text) ?? []
  const unit = COUNTED[what] ?? COUNTED[`${what}s`]
  return unit ? `${count}${unit}` : null
}

/** The ones with more text of their own first: they say more precisely what they are. What is added after a comma is
 * the last thing there. */
const PATTERNS = Object.entries(ANSWERS)
  .map(([english, japanese]) => ({
    english,
    japanese,
    own: english.replaceAll('{}', '').length,
    pattern: new RegExp(
      `^${english
        .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
        .replace(/^\{\}, /, '(.*), ')
        .replaceAll('{}', '(.*?)')}$`,
    ),
  }))
  .sort((one, other) => other.own - one.own)

function filled(japanese: string, parts: readonly string[]): string {
  let next = 0
  return japanese.replace(/\{(\d?)(!?)\}/g, (_, place: string, spoken: string) => {
    const part = parts[place ? Number(place) : next++] ?? ''
    return spoken || part.includes(' ') ? inJapanese(part) : part
  })
}

/** Several sentences; or a place, and what is wrong there. */
function apart(text: string): string {
  const sentences = text.split('; ')
  if (sentences.length > 1) return sentences.map(inJapanese).join('。')
  const [, place = '', what = ''] = /^(.*?): (.*)$/.exec(text) ?? []
  return what ? `${place}: ${inJapanese(what)}` : text
}

function inJapanese(text: string): string {
  const isOne = !text.includes('; ')
  for (const { english, pattern, japanese } of PATTERNS) {
    if (!isOne && !english.includes('; ')) continue
    const parts = pattern.exec(text)
    if (parts) return filled(japanese, parts.slice(1))
  }
  return counted(text) ?? apart(text)
}

export const said = (text: string, language: Language): string => (language === 'en' ? text : inJapanese(text))
