// What the page says, in both languages. A missing word is a type error.
import type { Connection } from '../live/connection.svelte'
import type { Delay, GameEnd, TimeRule } from '../live/messages'
import type { Found } from '../live/whole_game.svelte'
import type { ListName } from '../route.svelte'
import type { Handicap } from '../shogi/handicap'
import type { Order } from '../settings.svelte'

export const LANGUAGES = ['ja', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
/** Of each in itself; and so that who has no font for it sees which one it is. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { ja: '日本語 (Japanese)', en: 'English' }
/** Where the documents begin (src/docs). */
export const DOCS: Readonly<Record<Language, string>> = { ja: '/docs/README.ja', en: '/docs' }

type Ending = Pick<GameEnd, 'kind' | 'outcome' | 'plies'>

export interface Words {
  title: string
  connection: Record<Connection, string>
  nav: Record<'live' | 'play' | ListName | 'console' | 'docs' | 'settings' | 'pages', string>
  wall: {
    heading: string
    none: string
    boards: string
    automatic: string
    order: string
    orders: Record<Order, string>
    mine: string
    event: string
    events: string
    pin: string
    unpin: string
    others: string
  }
  game: {
    heading(id: number): string
    unknown: string
    found: Record<Found, string>
    again: string
    moves: string
    start: string
    first: string
    back: string
    forward: string
    end: string
    follow: string
    flip: string
    replay: string
    stopReplay: string
    fullScreen: string
    times: string
    agreeing: string
    paused: string
    running: string
    delay(delay: Delay): string
    maxMoves(count: number): string
    declaration(rule: string): string
    officialRules: string
    toMove: string
    /** Of a clock, while nothing is heard of it. */
    stopped: string
    short: string
    won: string
    hand(black: boolean): string
    board(plies: number): string
    seconds(count: number): string
    builtin: string
    demonstration: string
    room: string
    position: string
    copied: string
    evaluations: string
    fromBlack: string
    /** Black's; in percent. */
    chance: (percent: number) => string
    chanceUnknown: string
    engine: string
    noEvaluations: string
    evaluationsLater: string
    lines: string
    /** Of what the commentator says, which is a machine. */
    commentary: string
    expected: string
    nodes(count: number): string
    embed: string
    files: string
    asValues: string
    handicap(start: Handicap | 'position'): string
  }
  settings: {
    heading: string
    language: string
    theme: string
    themes: Record<'system' | 'light' | 'dark', string>
    pieces: string
    pieceSets: Record<'one' | 'two' | 'letters', string>
    notation: string
    notations: Record<'japanese' | 'western', string>
    sound: string
    arrows: string
    logIn: string
    close: string
  }
  missing: string
  failed: string
  time(rule: TimeRule): string
  result(end: Ending, black: string, white: string): string
  /** Without names and moves: for lists that have columns of these. */
  outcome(end: Ending): string
  why(kind: string): string
  /** What the server says of an end beyond its kind; empty: nothing. */
  reason(said: string): string
}

/** "15分", "20秒", "1分30秒": without what there is none of. */
const span = (seconds: number, minute: string, second: string): string =>
  [
    [Math.floor(seconds / 60), minute],
    [seconds % 60, second],
  ]
    .flatMap(([count, unit]) => (count ? [`${count}${unit}`] : []))
    .join(minute.trim() === minute ? '' : ' ')

const noLimit = (rule: TimeRule): boolean => !rule.total_s && !rule.byoyomi_s && !rule.increment_s

/** What a declaration of entering kings is judged by. */
const DECLARATIONS_JA: Readonly<Record<string, string>> = {
  '27': '27点法',
  '27-handicap': '27点法（駒落ち）',
  '24': '24点法',
  '24-handicap': '24点法（駒落ち）',
  try: 'トライルール',
  none: '入玉宣言なし',
}
const DECLARATIONS_EN: Readonly<Record<string, string>> = {
  '27': 'declaration with 27 points',
  '27-handicap': 'declaration with 27 points (handicap)',
  '24': 'declaration with 24 points',
  '24-handicap': 'declaration with 24 points (handicap)',
  try: 'the try rule',
  none: 'no declaration',
}

/** Why a game ended, by the names that shogi-server's summaries have for it. */
const ENDS_JA: Readonly<Record<string, string>> = {
  toryo: '投了',
  abnormal: '接続断',
  'time up': '時間切れ',
  kachi: '入玉宣言',
  'illegal kachi': '宣言失敗',
  'illegal move': '反則手',
  oute_kaihimore: '王手放置',
  uchifuzume: '打ち歩詰め',
  sennichite: '千日手',
  oute_sennichite: '連続王手の千日手',
  max_moves: '手数制限',
  chudan: '中断',
  adjudicated: '裁定',
}
export const END_KINDS: readonly string[] = Object.keys(ENDS_JA)
const ENDS_EN: Readonly<Record<string, string>> = {
  toryo: 'resignation',
  abnormal: 'a lost connection',
  'time up': 'time',
  kachi: 'declaration of entering kings',
  'illegal kachi': 'a wrong declaration',
  'illegal move': 'an illegal move',
  oute_kaihimore: 'a check left standing',
  uchifuzume: 'mate by a dropped pawn',
  sennichite: 'repetition',
  oute_sennichite: 'perpetual check',
  max_moves: 'the move limit',
  chudan: 'interruption',
  adjudicated: 'adjudication',
}

/** What says no more than the kind of the end does. */
const PLAIN_ENDS = /^(resigned|declared the win|fourfold repetition|perpetual check|\d+ moves?)$/
const reason = (said: string): string => (PLAIN_ENDS.test(said) ? '' : said)

const REASONS_JA: readonly (readonly [said: RegExp, japanese: string])[] = [
  [/^two pawns at (.*)$/, '二歩 $1'],
  [/^pawn-drop mate at (.*)$/, '打ち歩詰め $1'],
  [/^king left in check(.*)$/, '王手放置$1'],
  [/^no such special move$/, '特殊な指し手の誤り'],
  [/^mated by move (\d+), the last one$/, '最終手 $1 手目での詰み'],
  [/^the king has reached its goal$/, 'トライ成立'],
]
const HANDICAPS_JA: Readonly<Record<Handicap | 'position', string>> = {
  L: '香落ち',
  B: '角落ち',
  R: '飛車落ち',
  RL: '飛香落ち',
  RB: '二枚落ち',
  RBLL: '四枚落ち',
  RBNNLL: '六枚落ち',
  RBSSNNLL: '八枚落ち',
  RBGGSSNNLL: '十枚落ち',
  position: '指定局面',
}
const HANDICAPS_EN: Readonly<Record<Handicap | 'position', string>> = {
  L: 'lance handicap',
  B: 'bishop handicap',
  R: 'rook handicap',
  RL: 'rook and lance handicap',
  RB: 'two-piece handicap',
  RBLL: 'four-piece handicap',
  RBNNLL: 'six-piece handicap',
  RBSSNNLL: 'eight-piece handicap',
  RBGGSSNNLL: 'ten-piece handicap',
  position: 'from a set position',
}

const ja: Words = {
  title: '浮標',
  connection: { connecting: '接続中…', live: '中継中', stale: '更新が届いていません', reconnecting: '切断。再接続中…' },
  nav: {
    live: '中継',
    play: '対局',
    tournaments: '大会',
    rooms: '部屋',
    games: '棋譜',
    players: '対局者',
    rounds: 'Floodgate',
    buoys: 'ブイ',
    console: '管理',
    docs: 'マニュアル',
    settings: '設定',
    pages: 'ページ',
  },
  wall: {
    heading: '対局中継',
    none: '対局はまだありません',
    boards: '盤の数',
    automatic: '自動',
    order: '順番',
    orders: { automatic: '自動', mine: '自分の対局', rating: 'レート順', close: '接戦順', haste: '残り時間順' },
    mine: '自分の対局者名（カンマ区切り）',
    event: '大会',
    events: 'すべて',
    pin: '固定する',
    unpin: '固定を外す',
    others: 'ほかの対局',
  },
  game: {
    heading: (id) => `対局 ${id}`,
    unknown: '盤面不明',
    found: {
      loading: '読み込み中…',
      shown: '',
      missing: 'この対局はここにはありません。',
      away: '棋譜を読み込めません。',
    },
    again: 'もう一度',
    moves: '棋譜',
    start: '開始局面',
    first: '最初の局面へ',
    back: '一手戻る',
    forward: '一手進む',
    end: '最新の局面へ',
    follow: '最新手を追う',
    flip: '盤面を反転',
    replay: '自動再生',
    stopReplay: '再生を止める',
    fullScreen: '全画面',
    times: '消費時間',
    agreeing: '開始待ち',
    paused: '中断中',
    running: '対局中',
    delay: (delay) => ('seconds' in delay ? `${delay.seconds}秒遅れで表示` : `${delay.moves}手遅れで表示`),
    maxMoves: (count) => `${count}手まで`,
    declaration: (rule) => DECLARATIONS_JA[rule] ?? rule,
    officialRules: '公式ルール（千日手・最終手の詰み）',
    toMove: '手番',
    stopped: '接続が切れているため、時計を止めています',
    short: '残り時間わずか',
    won: '勝ち',
    hand: (black) => (black ? '先手の持ち駒' : '後手の持ち駒'),
    board: (plies) => `将棋盤、${plies}手目`,
    seconds: (count) => `${count}秒`,
    builtin: '内蔵',
    demonstration: 'デモ対局',
    room: '部屋',
    position: '局面をコピー (SFEN)',
    copied: 'コピーしました',
    evaluations: '評価値',
    fromBlack: '先手から見た値',
    chance: (percent) => `先手の勝率 ${percent} %`,
    chanceUnknown: '勝率: 評価値なし',
    engine: '解析',
    noEvaluations: '評価値はありません。',
    evaluationsLater: '対局者の評価値が送られてくれば、ここに出ます(終局後に公開の設定もあります)。',
    lines: '読み筋',
    commentary: '自動解説',
    expected: '読み筋の局面',
    nodes: (count) => `${count.toLocaleString('ja-JP')} 局面`,
    embed: '埋め込み用コードをコピー',
    files: '棋譜を保存',
    asValues: '評価値で',
    handicap: (start) => HANDICAPS_JA[start],
  },
  settings: {
    heading: '設定',
    language: '言語',
    theme: '配色',
    themes: { system: '端末に合わせる', light: '明るい', dark: '暗い' },
    pieces: '駒',
    pieceSets: { one: '一字駒', two: '二字駒', letters: 'アルファベット' },
    notation: '指し手の表記',
    notations: { japanese: '日本式', western: '国際式' },
    sound: '駒音',
    arrows: '読み筋の初手を矢印で示す',
    logIn: 'ログイン',
    close: '閉じる',
  },
  missing: 'このページはありません。',
  failed: 'ページを読み込めません。再読み込みしてください。',
  time: (rule) => {
    if (noLimit(rule)) return '時間無制限'
    const parts = [span(rule.total_s, '分', '秒')]
    if (rule.byoyomi_s) parts.push(`秒読み${rule.byoyomi_s}秒`)
    if (rule.increment_s) parts.push(`毎手${rule.increment_s}秒加算`)
    return parts.filter(Boolean).join('・')
  },
  result: (end, black, white) => {
    const why = ENDS_JA[end.kind] ?? end.kind
    if (end.outcome === 'black') return `${end.plies}手まで ☗${black} の勝ち（${why}）`
    if (end.outcome === 'white') return `${end.plies}手まで ☖${white} の勝ち（${why}）`
    return `${end.plies}手まで ${end.outcome === 'draw' ? '引き分け' : '勝敗なし'}（${why}）`
  },
  outcome: (end) => {
    const who = { black: '☗勝ち', white: '☖勝ち', draw: '引き分け', none: '勝敗なし' }[end.outcome]
    return `${who}（${ENDS_JA[end.kind] ?? end.kind}）`
  },
  why: (kind) => ENDS_JA[kind] ?? kind,
  reason: (said) => {
    const found = REASONS_JA.find(([pattern]) => pattern.test(said))
    return found ? said.replace(...found) : reason(said)
  },
}

const en: Words = {
  title: 'Fuhyō',
  connection: { connecting: 'connecting…', live: 'live', stale: 'stale', reconnecting: 'lost, reconnecting…' },
  nav: {
    live: 'Live',
    play: 'Play',
    tournaments: 'Events',
    rooms: 'Rooms',
    games: 'Games',
    players: 'Players',
    rounds: 'Floodgate',
    buoys: 'Buoys',
    console: 'Console',
    docs: 'Docs',
    settings: 'Settings',
    pages: 'Pages',
  },
  wall: {
    heading: 'Live games',
    none: 'No game yet',
    boards: 'Boards',
    automatic: 'Auto',
    order: 'Order',
    orders: { automatic: 'Auto', mine: 'Mine', rating: 'Highest rated', close: 'Closest', haste: 'Shortest of time' },
    mine: 'Names of your players, with commas between',
    event: 'Event',
    events: 'All',
    pin: 'Pin',
    unpin: 'Unpin',
    others: 'Other games',
  },
  game: {
    heading: (id) => `Game ${id}`,
    unknown: 'position unknown',
    found: {
      loading: 'Loading…',
      shown: '',
      missing: 'This game is not here.',
      away: 'The game could not be loaded.',
    },
    again: 'Try again',
    moves: 'Moves',
    start: 'Start position',
    first: 'To the start',
    back: 'Back one move',
    forward: 'Forward one move',
    end: 'To the newest position',
    follow: 'Follow the game',
    flip: 'Turn the board',
    replay: 'Play through',
    stopReplay: 'Stop playing',
    fullScreen: 'Full screen',
    times: 'Time used',
    agreeing: 'waiting for both players',
    paused: 'paused',
    running: 'in progress',
    delay: (delay) => {
      if ('seconds' in delay) return `shown ${delay.seconds} s later`
      return delay.moves === 1 ? 'shown 1 move behind' : `shown ${delay.moves} moves behind`
    },
    maxMoves: (count) => `${count} moves at most`,
    declaration: (rule) => DECLARATIONS_EN[rule] ?? rule,
    officialRules: 'official rules of repetition and the last move',
    toMove: 'to move',
    stopped: 'The connection is lost: this is the last that is known',
    short: 'short of time',
    won: 'won',
    hand: (black) => (black ? 'Black has in hand' : 'White has in hand'),
    board: (plies) => `Shogi board after ${plies} ${plies === 1 ? 'move' : 'moves'}`,
    seconds: (count) => `${count} s`,
    builtin: 'built-in',
    demonstration: 'Demonstration',
    room: 'Room',
    position: 'Copy the position (SFEN)',
    copied: 'Copied',
    evaluations: 'Evaluations',
    fromBlack: "as Black's",
    chance: (percent) => `Black's chance to win: ${percent} %`,
    chanceUnknown: 'Chance to win: not told',
    engine: 'engine',
    noEvaluations: 'No player told any.',
    evaluationsLater: 'They show up here if the players send any, or after the game where the host holds them back.',
    lines: 'Expected lines',
    commentary: 'Commentary by machine',
    expected: 'Position in an expected line',
    nodes: (count) => `${count.toLocaleString('en-GB')} nodes`,
    embed: 'Copy code to embed',
    files: 'Download',
    asValues: 'As values',
    handicap: (start) => HANDICAPS_EN[start],
  },
  settings: {
    heading: 'Settings',
    language: 'Language',
    theme: 'Colours',
    themes: { system: 'as the device', light: 'light', dark: 'dark' },
    pieces: 'Pieces',
    pieceSets: { one: 'one kanji', two: 'two kanji', letters: 'letters' },
    notation: 'Moves',
    notations: { japanese: 'Japanese', western: 'Western' },
    sound: 'Sound of moves',
    arrows: 'Arrows for the first moves of expected lines',
    logIn: 'Log in',
    close: 'Close',
  },
  missing: 'There is no such page.',
  failed: 'The page could not be loaded. Please load it again.',
  time: (rule) => {
    if (noLimit(rule)) return 'no time limit'
    const parts = [span(rule.total_s, ' min', ' s')]
    if (rule.byoyomi_s) parts.push(`${rule.byoyomi_s} s byoyomi`)
    if (rule.increment_s) parts.push(`${rule.increment_s} s a move`)
    return parts.filter(Boolean).join(' + ')
  },
  result: (end, black, white) => {
    const why = ENDS_EN[end.kind] ?? end.kind
    const after = `after ${end.plies} ${end.plies === 1 ? 'move' : 'moves'}: ${why}`
    if (end.outcome === 'black') return `☗ ${black} wins ${after}`
    if (end.outcome === 'white') return `☖ ${white} wins ${after}`
    return `${end.outcome === 'draw' ? 'Draw' : 'No result'} ${after}`
  },
  outcome: (end) => {
    const who = { black: '☗ wins', white: '☖ wins', draw: 'Draw', none: 'No result' }[end.outcome]
    return `${who}: ${ENDS_EN[end.kind] ?? end.kind}`
  },
  why: (kind) => ENDS_EN[kind] ?? kind,
  reason,
}

export const WORDS: Readonly<Record<Language, Words>> = { ja, en }
