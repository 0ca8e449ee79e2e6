// The words of the console, which come with it; those of commands are in commands.json. A missing one is a type error.
import type { Failure } from '../console/login.svelte'
import type { Fault } from '../console/line'
import type { Role, Tab } from '../console/verbs'
import type { Language } from './words'

export interface ConsoleWords {
  heading: string
  none: string
  away: string
  again: string
  logIn: string
  logOut: string
  logOutAll: string
  logInHow: string
  name: string
  password: string
  code: string
  codeHow: string
  roles: Record<Role, string>
  idle(minutes: number): string
  ends(hours: number, minutes: number): string
  comma: string
  confirmed: string
  failures: Record<Exclude<Failure, 'wait' | 'refused'>, string>
  wait(seconds: number): string
  tabs: Record<Tab, string>
  tabsLabel: string
  faults: Record<Fault, string>
  optional: string
  line: string
  cancel: string
  close: string
  copy: string
  save: string
  show: string
  refresh: string
  search: string
  before: string
  after: string
  range(first: number, last: number, total: number): string
  notFound: string
  asked(time: string): string
  empty: string
  once: string
  confirmHow: string
  acting: string
  own: {
    sessions: string
    address: string
    since: string
    used: string
    here: string
    ago(seconds: number): string
    change: string
    changeHow: string
    fresh: string
    repeat: string
    differ: string
    changed: string
    ended: string
  }
}

const ja: ConsoleWords = {
  heading: '管理',
  none: 'このサーバーではウェブからログインできません。',
  away: 'サーバーにつながりません。',
  again: 'もう一度',
  logIn: 'ログイン',
  logOut: 'ログアウト',
  logOutAll: 'すべての端末からログアウト',
  logInHow: '運営者か、アカウントをお持ちの方のためのページです。',
  name: '名前',
  password: 'パスワード',
  code: 'ワンタイムコード',
  codeHow: '認証アプリに出ている 6 桁の数字',
  roles: { player: '対局者', host: '運営者', admin: '管理者' },
  idle: (minutes) => `操作がなければあと ${minutes} 分`,
  ends: (hours, minutes) => (hours > 0 ? `最長であと ${hours} 時間 ${minutes} 分` : `最長であと ${minutes} 分`),
  comma: '・',
  confirmed: '本人確認済み',
  failures: {
    wrong: '名前、パスワード、コードのどれかが違います。',
    code: 'ワンタイムコードを入れてください。',
    place: 'パスワードは https か、サーバーと同じマシンからだけ受け付けます。',
    out: 'ログインが切れました。もう一度ログインしてください。',
    confirm: 'もう一度パスワードを入れてください。',
    away: 'サーバーから返事がありません。実行されたかどうかは分かりません。一覧で確かめてください。',
  },
  wait: (seconds) => `間違いが続いたため、${seconds} 秒待ってください。`,
  tabs: {
    games: '対局',
    players: '対局者',
    rooms: '部屋',
    rounds: 'ラウンド',
    events: '大会',
    engines: 'エンジン',
    accounts: 'アカウント',
    server: 'サーバー',
    audit: '履歴',
    own: '自分',
  },
  tabsLabel: '管理の項目',
  faults: {
    missing: '必要です',
    blank: '空白は使えません',
    number: '数字で入れてください',
    gap: '前の欄も必要です',
  },
  optional: '任意',
  line: '送るコマンド',
  cancel: 'やめる',
  close: '閉じる',
  copy: 'コピー',
  save: 'ファイルに保存',
  show: '表示',
  refresh: '更新',
  search: '探す',
  before: '前へ',
  after: '次へ',
  range: (first, last, total) => `${total.toLocaleString('ja-JP')} 件中 ${first}–${last}`,
  notFound: '見つかりません。',
  asked: (time) => `${time} 現在`,
  empty: 'ありません。',
  once: 'この内容は二度と表示されません。閉じる前に控えてください。',
  confirmHow: '取り消せない操作の前に、もう一度パスワードで本人確認をします。5 分間有効です。',
  acting: '操作',
  own: {
    sessions: 'ログイン中の端末',
    address: '接続元',
    since: 'ログイン',
    used: '最後の操作',
    here: 'この端末',
    ago: (seconds) =>
      seconds < 60
        ? `${seconds} 秒前`
        : seconds < 3600
          ? `${Math.floor(seconds / 60)} 分前`
          : `${Math.floor(seconds / 3600)} 時間前`,
    change: 'パスワードを変える',
    changeHow: '8 文字以上。よくあるものや、名前を含むものは使えません。変えると、すべての端末で入り直しになります。',
    fresh: '新しいパスワード',
    repeat: '新しいパスワード（もう一度）',
    differ: '二つが一致していません。',
    changed: 'パスワードを変えました。新しいパスワードでログインしてください。',
    ended: 'ログアウトしました。',
  },
}

const en: ConsoleWords = {
  heading: 'Console',
  none: 'One cannot log in on the web at this server.',
  away: 'The server does not answer.',
  again: 'Try again',
  logIn: 'Log in',
  logOut: 'Log out',
  logOutAll: 'Log out everywhere',
  logInHow: 'For those who run this server, and for whoever has an account here.',
  name: 'Name',
  password: 'Password',
  code: 'One-time code',
  codeHow: 'The six digits that your authenticator shows',
  roles: { player: 'player', host: 'host', admin: 'admin' },
  idle: (minutes) => `ends in ${minutes} min without use`,
  ends: (hours, minutes) =>
    hours > 0 ? `in ${hours} h ${minutes} min at the latest` : `in ${minutes} min at the latest`,
  comma: ', ',
  confirmed: 'confirmed',
  failures: {
    wrong: 'The name, the password or the code is wrong.',
    code: 'The one-time code is wanted.',
    place: 'A password is only taken over https, or from a browser on the server’s own machine.',
    out: 'The login has ended. Log in again.',
    confirm: 'The password is wanted again.',
    away: 'The server has not answered: whether it was done is not known. Look at the list.',
  },
  wait: (seconds) => `Too many were wrong. Wait ${seconds} s.`,
  tabs: {
    games: 'Games',
    players: 'Players',
    rooms: 'Rooms',
    rounds: 'Rounds',
    events: 'Events',
    engines: 'Engines',
    accounts: 'Accounts',
    server: 'Server',
    audit: 'Audit',
    own: 'You',
  },
  tabsLabel: 'Parts of the console',
  faults: {
    missing: 'is needed',
    blank: 'is one word',
    number: 'is a number',
    gap: 'needs the field before it',
  },
  optional: 'optional',
  line: 'What is sent',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  save: 'Save as a file',
  show: 'Show',
  refresh: 'Refresh',
  search: 'Search',
  before: 'Previous',
  after: 'Next',
  range: (first, last, total) => `${first}–${last} of ${total.toLocaleString('en-GB')}`,
  notFound: 'Nothing is found.',
  asked: (time) => `as of ${time}`,
  empty: 'Nothing here.',
  once: 'This is shown once. Keep it before you close.',
  confirmHow: 'What cannot be taken back wants your password once more; it then counts for five minutes.',
  acting: 'Acts',
  own: {
    sessions: 'Where you are logged in',
    address: 'From',
    since: 'Since',
    used: 'Last used',
    here: 'here',
    ago: (seconds) =>
      seconds < 60
        ? `${seconds} s ago`
        : seconds < 3600
          ? `${Math.floor(seconds / 60)} min ago`
          : `${Math.floor(seconds / 3600)} h ago`,
    change: 'Change your password',
    changeHow: 'Eight characters at least, none of the common ones, without your name. You log in again everywhere.',
    fresh: 'New password',
    repeat: 'New password, again',
    differ: 'The two are not the same.',
    changed: 'The password is another one. Log in with it.',
    ended: 'You are logged out.',
  },
}

export const CONSOLE_WORDS: Readonly<Record<Language, ConsoleWords>> = { ja, en }
