// What the server says in a line of English, in Japanese: its summaries of tables, and what it says of acts. A text
// that is not here is shown as it is. `said.test.ts` reads the server's sources.
import type { Language } from './words'

/** What is counted, as the server's counted() has it. */
const COUNTED: Readonly<Record<string, string>> = {
  account: '件のアカウント',
  act: '件の操作',
  buoy: '個のブイ',
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
  room: '室',
  set: '件の局面集',
}
const counted = (text: string): string =>
  text.replace(/^(\d+) (.+?)s?$/, (whole, count: string, what: string) => {
    const unit = COUNTED[what] ?? COUNTED[`${what}s`]
    return unit ? `${count}${unit}` : whole
  })

const VERDICTS: Readonly<Record<string, string>> = {
  'Black wins': '先手の勝ち',
  'White wins': '後手の勝ち',
  'black wins': '先手の勝ち',
  'white wins': '後手の勝ち',
  draw: '引き分け',
  void: '無効',
}
const verdict = (text: string): string => VERDICTS[text] ?? text

type Spoken = readonly [pattern: RegExp, japanese: (...parts: string[]) => string]
const SPOKEN: readonly Spoken[] = [
  [/^(\d+ .+?) since the start$/, (found) => `${counted(found)}（起動後）`],
  [/^(\d+ .+?) deleted$/, (found) => `${counted(found)}を取り除きました`],
  [/^(\d+ positions?), by (.*)$/, (found, by) => `${counted(found)}、${by} による`],
  [/^(\d+ accounts?); without one: (\w+)$/, (found, role) => `${counted(found)}、アカウントのない人は ${role}`],
  [/^commands are taken for (.*)$/, (time) => `コマンドは ${counted(time)} 間受け付けます`],
  [/^from the arrival of a move to its hand-over .*$/, () => '指し手が届いてから、相手の接続に渡すまでの時間'],
  [
    /^(.*) has an account \((.*)\); .*$/,
    (name, role) => `${name} のアカウント（${role}）を作りました。次に認証情報を発行します`,
  ],
  [/^(.*) is (\w+) now$/, (name, role) => `${name} の権限は ${role} になりました`],
  [/^(.*) has no account any more$/, (name) => `${name} のアカウントを削除しました`],
  [
    /^(.*) of (.*) is good no more; .*$/,
    (id, name) => `${name} の認証情報 ${id} を無効にしました。今の接続は切れません`,
  ],
  [/^(.*) needs no one-time code any more$/, (name) => `${name} はワンタイムコードなしでログインできます`],
  [
    /^(.*) needs a one-time code from now on; .*$/,
    (name) => `${name} のログインにはワンタイムコードが要ります。秘密は今だけ表示されます`,
  ],
  [/^(.*) is disconnected$/, (name) => `${name} の接続を切りました`],
  [/^(.*) is forbidden, and still connected: .*$/, (name) => `${name} を禁止しました。接続中です（切断で終わります）`],
  [/^(.*) is forbidden$/, (name) => `${name} を禁止しました`],
  [/^(.*) is allowed$/, (name) => `${name} を許可しました`],
  [/^(.*) has to log in again on the web$/, (name) => `${name} をウェブからログアウトさせました`],
  [
    /^told (\d+); (\d+) in CSA mode cannot be told$/,
    (told, deaf) => `${told}人に伝えました。CSA モードの${deaf}人には届きません`,
  ],
  [/^game (.*) is paused$/, (game) => `対局 ${game} を中断しました`],
  [/^game (.*) goes on as soon as its players are there$/, (game) => `対局 ${game} は、対局者がそろえば再開します`],
  [/^game (.*) goes on$/, (game) => `対局 ${game} を再開しました`],
  [/^game (.*) is adjudicated: (.*)$/, (game, result) => `対局 ${game} を裁定しました: ${verdict(result)}`],
  [/^game (.*): (.*) lost by forfeit$/, (game, loser) => `対局 ${game}: ${loser} の不戦敗`],
  [/^game (.*) is broken off, and played again$/, (game) => `対局 ${game} を打ち切り、指し直しにしました`],
  [/^game (.*) is played again$/, (game) => `対局 ${game} を指し直しにしました`],
  [/^game (.*?): (.*)$/, (game, what) => `対局 ${game}: ${verdict(what)}`],
  [
    /^the room (\S+) is closed; still played: (.*)$/,
    (room, games) => `部屋 ${room} を閉じました。対局中 ${counted(games)}`,
  ],
  [
    /^the room (\S+) (.*?): (.*)$/,
    (room, done, rules) => `部屋 ${room} を${done === 'is made' ? '作りました' : '変えました'}: ${rules}`,
  ],
  [/^(.*) runs$/, (event) => `${event} は進行中です`],
  [/^it begins: round (.*)$/, (rounds) => `第${rounds}回戦を始めました`],
  [/^(.*) is paused, and (.*) of it$/, (event, games) => `${event} を対局中の${counted(games)}とともに中断しました`],
  [/^(.*) goes on, with (.*)$/, (event, games) => `${event} を再開しました。対局中 ${counted(games)}`],
  [
    /^(.*) is over; (.*): (.*)$/,
    (event, games, state) =>
      `${event} は終了しました。${state?.startsWith('paused') ? '再開か裁定を待つ対局' : '対局中'} ${counted(games ?? '')}`,
  ],
  [/^(.*) is deleted; its games stay in the archive$/, (event) => `${event} を削除しました。棋譜は残ります`],
  [
    /^round (\d+) of (.*) is paired by hand(.*)$/,
    (round, of, rest) => `${of} の第${round}回戦を手動で組みました${rest}`,
  ],
  [/^round (\d+) of (.*) is paired(.*)$/, (round, of, rest) => `${of} の第${round}回戦を組みました${rest}`],
  [/^round (\d+) of (.*) is not paired any more$/, (round, of) => `${of} の第${round}回戦の組合せを取り消しました`],
  [/^round (\d+) of (.*): (\d+ games?)$/, (round, of, games) => `${of} の第${round}回: ${counted(games)}`],
  [/^(\S+) has entered (.*)$/, (player, event) => `${player} が ${event} に参加しました`],
  [/^(\S+) is changed in (.*)$/, (player, event) => `${event} の ${player} の登録を変えました`],
  [
    /^(.*) is not paired in rounds (\d+) to (\d+)$/,
    (player, from, to) => `${player} は第${from}回戦から第${to}回戦まで欠場します`,
  ],
  [
    /^(.*) has withdrawn from (.*); lost by forfeit: (.*)$/,
    (player, event, games) => `${player} は ${event} を棄権しました。不戦敗 ${counted(games)}`,
  ],
  [/^(.*) is paired again from round (\d+) on$/, (player, from) => `${player} は第${from}回戦から復帰します`],
]

export function said(text: string, language: Language): string {
  if (language === 'en') return text
  for (const [pattern, japanese] of SPOKEN) {
    const parts = pattern.exec(text)
    if (parts) return japanese(...parts.slice(1))
  }
  return counted(text)
}
