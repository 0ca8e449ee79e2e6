// The words of the archive's pages, which come with those pages. A missing one is a type error.
import type { Meeting } from '../archive/cross'
import type { COLORS, RESULTS } from '../archive/search'
import type { TimeRule } from '../live/messages'
import type { Language } from './words'

type Sort = 'rate' | 'games' | 'recent' | 'name'

export interface ArchiveWords {
  loading: string
  more: string
  again: string
  failures: Record<'missing' | 'refused' | 'away', string>
  search: {
    heading: string
    player: string
    playerHow: string
    opponent: string
    color: string
    colors: Record<(typeof COLORS)[number], string>
    event: string
    room: string
    result: string
    results: Record<(typeof RESULTS)[number], string>
    end: string
    from: string
    to: string
    minPlies: string
    maxPlies: string
    minRate: string
    opening: string
    position: string
    positionHow: string
    any: string
    rarer(filled: number): string
    go: string
    clear: string
    none: string
    rss: string
    zip: string
    zipHow: string
  }
  cross: {
    heading: string
    /** The games of the same search. */
    games: string
    csv: string
    total(players: number, games: number): string
    cut(players: number): string
    more(players: number): string
    /** What the figures of a cell are. */
    key: string
    /** How the table is read, for whoever does not see it. */
    how: string
    points: string
    record: string
    cell(player: string, opponent: string, met: Meeting): string
  }
  columns: {
    date: string
    black: string
    white: string
    result: string
    plies: string
    opening: string
    time: string
    rank: string
    player: string
    rate: string
    games: string
    wins: string
    losses: string
    draws: string
    percent: string
    last: string
    move: string
    share: string
    opponent: string
    end: string
  }
  /** Shorter than that of the other pages. */
  time(rule: TimeRule): string
  plies(count: number): string
  games(count: number): string
  unrated: string
  /** Said once on a page. */
  zone(name: string): string
  players: {
    heading: string
    name: string
    sort: string
    sorts: Record<Sort, string>
    go: string
    none: string
    range(first: number, last: number, total: number): string
    before: string
    after: string
  }
  player: {
    history: string
    historyHow: string
    noHistory: string
    totals: string
    all: string
    opponents: string
    ends: string
    recent: string
    allGames: string
    firstSeen: string
    lastSeen: string
    error: string
  }
  rounds: {
    heading: string
    none: string
    noneHow: string
    all: string
    next: string
    days(count: number): string
    soon: string
    manual: string
    played(count: number): string
    number(number: number): string
    satOut: string
    running: string
  }
  rooms: {
    heading: string
    main: string
    all: string
    unknown: string
    claims(games: string): string
    playing(count: number): string
    waiting(count: number): string
    nobody: string
    positions(start: string): string
    players(count: number): string
    accounts: Record<'open' | 'claim' | 'closed', string>
    tls: string
    unrated: string
    stays: string
    hosted: string
    games: string
  }
  buoys: {
    heading: string
    none: string
    noneHow: string
    left(count: number): string
    owner: string
    sets: string
    positions(count: number): string
    find: string
    moves(count: number): string
  }
  tools: {
    heading: string
    diagram: string
    gif: string
    stop: string
    gifAt(done: number, all: number): string
    failed: string
    find: string
    openings: string
    openingsNone: string
    openingsTotal(count: number): string
    shares(black: number, draws: number, white: number): string
  }
  openings: Readonly<Record<string, string>>
  share: Record<
    | 'heading'
    | 'kind'
    | 'game'
    | 'event'
    | 'ply'
    | 'newest'
    | 'flip'
    | 'only'
    | 'theme'
    | 'lang'
    | 'asViewer'
    | 'transparent'
    | 'copy'
    | 'open'
    | 'preview'
    | 'how',
    string
  > & { kinds: Record<'embed' | 'overlay' | 'ticker', string> }
  api: Record<'heading' | 'how' | 'parameter' | 'type' | 'meaning' | 'schemas', string>
}

// "25:00", "0:30".
const mainTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const ja: ArchiveWords = {
  loading: '読み込み中…',
  more: 'もっと見る',
  again: 'もう一度',
  failures: {
    missing: '見つかりません。',
    refused: '検索条件が正しくありません。',
    away: 'サーバーから読み込めません。',
  },
  search: {
    heading: '棋譜検索',
    player: '対局者',
    playerHow: '名前か ID。* は任意の文字列',
    opponent: '相手',
    color: '手番',
    colors: { black: '先手', white: '後手' },
    event: '棋戦',
    room: '部屋',
    result: '結果',
    results: {
      black: '先手勝ち',
      white: '後手勝ち',
      draw: '引き分け',
      none: '勝敗なし',
      won: '対局者の勝ち',
      lost: '対局者の負け',
    },
    end: '終わり方',
    from: '終局日（から）',
    to: '終局日（まで）',
    minPlies: '最小手数',
    maxPlies: '最大手数',
    minRate: '両者の対局時レート下限',
    opening: '戦型',
    position: '局面 (SFEN)',
    positionHow: 'この局面が現れた対局',
    any: '指定なし',
    rarer: (filled) => (filled > 0 ? `詳しい条件 (${filled})` : '詳しい条件'),
    go: '検索',
    clear: '条件を消す',
    none: '条件に合う対局はありません。',
    rss: 'RSS',
    zip: 'CSA をまとめて保存 (zip)',
    zipHow: 'この検索の新しい順に 1,000 局まで',
  },
  cross: {
    heading: '対戦成績表',
    games: 'この条件の棋譜',
    csv: 'CSV で保存',
    total: (players, games) => `${players.toLocaleString('ja-JP')}人・${games.toLocaleString('ja-JP')}局`,
    cut: (players) => `(対局の多い ${players}人だけを、その間の成績で表示)`,
    more: (players) => `${players}人まで表示`,
    key: '各欄: 勝点 (引き分けは ½ 点)。2局以上なら、勝-負-分も',
    how: '行の対局者の、列の対局者に対する成績です。矢印キーで欄を移れます。',
    points: '勝点',
    record: '勝-負-分',
    cell: (player, opponent, { wins, losses, draws }) => `${player} 対 ${opponent}: ${wins}勝 ${losses}敗 ${draws}分`,
  },
  columns: {
    date: '終局日時',
    black: '先手',
    white: '後手',
    result: '結果',
    plies: '手数',
    opening: '戦型',
    time: '持ち時間',
    rank: '順位',
    player: '対局者',
    rate: 'レート',
    games: '対局',
    wins: '勝',
    losses: '負',
    draws: '分',
    percent: '勝率',
    last: '最終対局',
    move: '指し手',
    share: '先手勝ち・引き分け・後手勝ち',
    opponent: '相手',
    end: '終わり方',
  },
  time: ({ total_s, byoyomi_s, increment_s }) => {
    const more = byoyomi_s ? `秒読み${byoyomi_s}` : increment_s ? `+${increment_s}秒` : ''
    return total_s || more ? `${mainTime(total_s)} ${more}`.trim() : '無制限'
  },
  plies: (count) => `${count}手`,
  games: (count) => `${count.toLocaleString('ja-JP')}局`,
  unrated: 'レート外',
  zone: (name) => `時刻は ${name} のものです。`,
  players: {
    heading: '対局者',
    name: '名前で探す',
    sort: '並べ方',
    sorts: { rate: 'レート', games: '対局数', recent: '最近', name: '名前' },
    go: '検索',
    none: '対局者はまだいません。',
    range: (first, last, total) => `${total.toLocaleString('ja-JP')}人中 ${first}–${last}`,
    before: '前へ',
    after: '次へ',
  },
  player: {
    history: 'レートの推移',
    historyHow: '左右の矢印キーで日ごとに読めます',
    noHistory: 'レートの記録はまだありません。',
    totals: '成績',
    all: '合計',
    opponents: '相手別成績',
    ends: '終わり方',
    recent: '最近の対局',
    allGames: 'すべての対局',
    firstSeen: '初対局',
    lastSeen: '最終対局',
    error: '95% 信頼区間',
  },
  rounds: {
    heading: 'Floodgate',
    none: '自動対局の組はありません。',
    noneHow: '日程のある組に登録された対局者が、決まった時刻に組み合わされます。',
    all: 'すべて',
    next: '次の回まで',
    days: (count) => `${count}日`,
    soon: 'まもなく',
    manual: '日程なし',
    played: (count) => `${count.toLocaleString('ja-JP')}回開催`,
    number: (number) => `第${number}回`,
    satOut: '抜け番',
    running: '対局中',
  },
  rooms: {
    heading: '部屋',
    main: '本室',
    all: '部屋の一覧',
    unknown: 'この部屋はありません。',
    claims: (games) => `対局名 ${games}`,
    playing: (count) => `対局中 ${count}局`,
    waiting: (count) => `待機中 ${count}人`,
    nobody: '待機中の人はいません。',
    positions: (start) => `開始局面 ${start}`,
    players: (count) => `参加者 ${count}人限定`,
    accounts: { open: '誰でも参加可', claim: '名前は先着', closed: 'アカウント必須' },
    tls: 'TLS のみ',
    unrated: 'レート対象外',
    stays: '終局後も接続したまま',
    hosted: '組み合わせは運営者',
    games: '終わった対局',
  },
  buoys: {
    heading: 'ブイ',
    none: 'ブイはありません。',
    noneHow: '局面を登録すると、その局面から対局できます (%%SETBUOY)。',
    left: (count) => `残り ${count}局`,
    owner: '登録',
    sets: '局面集',
    positions: (count) => `${count.toLocaleString('ja-JP')}局面`,
    find: 'この局面の対局',
    moves: (count) => `${count}手目の局面`,
  },
  tools: {
    heading: '保存・検索',
    diagram: '局面図を保存',
    gif: 'GIF アニメーション',
    stop: '中止',
    gifAt: (done, all) => `GIF を作成中… ${done} / ${all}`,
    failed: '作れませんでした',
    find: 'この局面を検索',
    openings: 'この局面の定跡統計',
    openingsNone: 'この局面からの棋譜はありません。',
    openingsTotal: (count) => `この局面から ${count.toLocaleString('ja-JP')}局`,
    shares: (black, draws, white) => `先手 ${black}、引き分け ${draws}、後手 ${white}`,
  },
  openings: {
    yagura: '矢倉',
    kakugawari: '角換わり',
    aigakari: '相掛かり',
    yokofudori: '横歩取り',
    gangi: '雁木',
    shikenbisha: '四間飛車',
    nakabisha: '中飛車',
    sankenbisha: '三間飛車',
    mukaibisha: '向かい飛車',
    aifuribisha: '相振り飛車',
    sujichigaikaku: '筋違い角',
    kakugawarifuribisha: '角交換振り飛車',
  },
  share: {
    heading: '埋め込みと配信',
    kind: '種類',
    kinds: { embed: '盤をほかのページに', overlay: '盤を配信画面に', ticker: '大会の速報を一行で' },
    game: '対局の番号',
    event: '大会',
    ply: '手数',
    newest: '最新',
    flip: '盤面を反転',
    only: '盤だけ',
    theme: '配色',
    lang: '言語',
    asViewer: '見る人に合わせる',
    transparent: '背景を透明に',
    copy: 'コピー',
    open: '開いて確かめる',
    preview: '見え方',
    how: '対局か大会を選ぶと、アドレスが出ます。',
  },
  api: {
    heading: 'API',
    how: 'このサーバーのすべてのデータは HTTP で読めます。説明は英語です。',
    parameter: '引数',
    type: '型',
    meaning: '意味',
    schemas: 'データの形',
  },
}

const en: ArchiveWords = {
  loading: 'Loading…',
  more: 'More',
  again: 'Try again',
  failures: {
    missing: 'There is no such thing here.',
    refused: 'This cannot be searched for.',
    away: 'The server cannot be asked now.',
  },
  search: {
    heading: 'Games',
    player: 'Player',
    playerHow: 'Name or id; * stands for any characters',
    opponent: 'Opponent',
    color: 'Side',
    colors: { black: 'Black', white: 'White' },
    event: 'Event',
    room: 'Room',
    result: 'Result',
    results: {
      black: 'Black won',
      white: 'White won',
      draw: 'Draw',
      none: 'No result',
      won: 'Player won',
      lost: 'Player lost',
    },
    end: 'Ended by',
    from: 'Ended from',
    to: 'Ended until',
    minPlies: 'Moves, least',
    maxPlies: 'Moves, most',
    minRate: 'Both rated then, at least',
    opening: 'Opening',
    position: 'Position (SFEN)',
    positionHow: 'Games in which it occurred',
    any: 'any',
    rarer: (filled) => (filled > 0 ? `More (${filled})` : 'More'),
    go: 'Search',
    clear: 'Clear',
    none: 'No game is like this.',
    rss: 'RSS',
    zip: 'Download as CSA (zip)',
    zipHow: 'The newest of this search, at most 1,000',
  },
  cross: {
    heading: 'Cross table',
    games: 'These games',
    csv: 'Download as CSV',
    total: (players, games) => `${players.toLocaleString('en-GB')} players, ${en.games(games)}`,
    cut: (players) => `(only the ${players} with most games, by their results among themselves)`,
    more: (players) => `Show ${players}`,
    key: 'In each cell: points (a draw is ½); of more games than one won-lost-drawn, too',
    how: 'Each row is a player, against the player of the column. The arrow keys go from cell to cell.',
    points: 'Points',
    record: 'W-L-D',
    cell: (player, opponent, { wins, losses, draws }) =>
      `${player} against ${opponent}: ${wins} won, ${losses} lost, ${draws} drawn`,
  },
  columns: {
    date: 'Ended',
    black: 'Black',
    white: 'White',
    result: 'Result',
    plies: 'Moves',
    opening: 'Opening',
    time: 'Time',
    rank: 'No.',
    player: 'Player',
    rate: 'Rate',
    games: 'Games',
    wins: 'Won',
    losses: 'Lost',
    draws: 'Drawn',
    percent: 'Score',
    last: 'Last game',
    move: 'Move',
    share: 'Black, draws, White',
    opponent: 'Opponent',
    end: 'Ended by',
  },
  time: ({ total_s, byoyomi_s, increment_s }) => {
    const more = byoyomi_s ? `byo ${byoyomi_s} s` : increment_s ? `+${increment_s} s` : ''
    return total_s || more ? `${mainTime(total_s)} ${more}`.trim() : 'no limit'
  },
  plies: (count) => (count === 1 ? '1 move' : `${count} moves`),
  games: (count) => (count === 1 ? '1 game' : `${count.toLocaleString('en-GB')} games`),
  unrated: 'unrated',
  zone: (name) => `Times are those of ${name}.`,
  players: {
    heading: 'Players',
    name: 'Find by name',
    sort: 'Sort by',
    sorts: { rate: 'Rate', games: 'Games', recent: 'Last seen', name: 'Name' },
    go: 'Search',
    none: 'There is no player yet.',
    range: (first, last, total) => `${first}–${last} of ${total.toLocaleString('en-GB')}`,
    before: 'Previous',
    after: 'Next',
  },
  player: {
    history: 'Rating',
    historyHow: 'The left and right arrow keys read it day by day',
    noHistory: 'There is no rating yet.',
    totals: 'Results',
    all: 'All',
    opponents: 'Opponents',
    ends: 'How games ended',
    recent: 'Recent games',
    allGames: 'All games',
    firstSeen: 'First game',
    lastSeen: 'last',
    error: '95 % interval',
  },
  rounds: {
    heading: 'Floodgate',
    none: 'There is no group with a timetable.',
    noneHow: 'Players of a group are paired at its times; each pairing shows up here.',
    all: 'All',
    next: 'Next round in',
    days: (count) => `${count}d`,
    soon: 'any moment',
    manual: 'no timetable',
    played: (count) => (count === 1 ? '1 round' : `${count.toLocaleString('en-GB')} rounds`),
    number: (number) => `Round ${number}`,
    satOut: 'Sat out',
    running: 'in progress',
  },
  rooms: {
    heading: 'Rooms',
    main: 'Main room',
    all: 'All rooms',
    unknown: 'There is no such room.',
    claims: (games) => `Games ${games}`,
    playing: (count) => `${count} playing`,
    waiting: (count) => `${count} waiting`,
    nobody: 'Nobody waits.',
    positions: (start) => `from ${start}`,
    players: (count) => (count === 1 ? '1 player may enter' : `${count} players may enter`),
    accounts: { open: 'open to everybody', claim: 'names belong to who was first', closed: 'accounts only' },
    tls: 'TLS only',
    unrated: 'unrated',
    stays: 'players stay after a game',
    hosted: 'paired by the host',
    games: 'Games that are over',
  },
  buoys: {
    heading: 'Buoys',
    none: 'There is no buoy.',
    noneHow: 'Whoever sets one (%%SETBUOY) lets games start from its position.',
    left: (count) => (count === 1 ? '1 game left' : `${count} games left`),
    owner: 'Set by',
    sets: 'Sets of positions',
    positions: (count) => (count === 1 ? '1 position' : `${count.toLocaleString('en-GB')} positions`),
    find: 'Games with it',
    moves: (count) => (count === 1 ? 'after 1 move' : `after ${count} moves`),
  },
  tools: {
    heading: 'Keep and search',
    diagram: 'Diagram',
    gif: 'Animated GIF',
    stop: 'Stop',
    gifAt: (done, all) => `Making the GIF… ${done} / ${all}`,
    failed: 'It could not be made',
    find: 'Search this position',
    openings: 'Played from this position',
    openingsNone: 'No game went on from here.',
    openingsTotal: (count) => (count === 1 ? '1 game from here' : `${count.toLocaleString('en-GB')} games from here`),
    shares: (black, draws, white) => `Black ${black}, draws ${draws}, White ${white}`,
  },
  openings: {
    yagura: 'Yagura',
    kakugawari: 'Bishop exchange',
    aigakari: 'Double wing',
    yokofudori: 'Side pawn capture',
    gangi: 'Snow roof',
    shikenbisha: 'Fourth-file rook',
    nakabisha: 'Central rook',
    sankenbisha: 'Third-file rook',
    mukaibisha: 'Opposing rook',
    aifuribisha: 'Double ranging rook',
    sujichigaikaku: 'Odd-diagonal bishop',
    kakugawarifuribisha: 'Bishop exchange, ranging rook',
  },
  share: {
    heading: 'Embed and stream',
    kind: 'What',
    kinds: { embed: 'a board in another page', overlay: 'a board over a stream', ticker: 'an event in one line' },
    game: 'Number of the game',
    event: 'Event',
    ply: 'After moves',
    newest: 'newest',
    flip: 'Turn the board',
    only: 'The board alone',
    theme: 'Colours',
    lang: 'Language',
    asViewer: 'as the viewer likes',
    transparent: 'Nothing behind it',
    copy: 'Copy',
    open: 'Open it',
    preview: 'How it looks',
    how: 'Choose a game or an event, and its address is here.',
  },
  api: {
    heading: 'API',
    how: 'All data of this server can be read over HTTP.',
    parameter: 'Parameter',
    type: 'Type',
    meaning: 'Meaning',
    schemas: 'Shapes of data',
  },
}

export const ARCHIVE_WORDS: Readonly<Record<Language, ArchiveWords>> = { ja, en }
