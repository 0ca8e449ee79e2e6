// Words of the pages of events.
import type { Format, How, Mark, Phase } from '../archive/events'
import type { Language } from './words'

/** As the server names them; [head of a column, whole name]. */
type Names = Readonly<Record<string, readonly [short: string, long: string]>>

export interface EventWords {
  heading: string
  all: string
  none: string
  noneHow: string
  phases: Record<Phase, string>
  formats: Record<Format, string>
  entrants(count: number): string
  stage(number: number, of: number): string
  round(number: number, of: number | null): string
  until(round: number): string
  playing(count: number): string
  waitsForHost: string
  paused: string
  over: string
  timetable: string
  pairings: string
  roundShown: string
  table: string
  views: Record<'cross' | 'rounds', string>
  viewOf: string
  files: string
  rank: string
  player: string
  points: string
  performance: string
  final: string
  soFar(paired: number, rounds: number): string
  tieBreaks: Names
  by: string
  reasons: string
  key: string
  how: string
  mark(mark: Mark, opponent: string): string
  turns: Record<'bye' | 'rest' | 'walkover' | 'absent', string>
  alone: string
  annulled: string
  left: string
  states: Record<'plays' | 'waits' | 'away' | 'left', string>
  games: Record<'waiting' | 'playing', string>
  hows: Record<Exclude<How, 'play'>, string>
  entrantsHeading: string
  seed: string
  rate: string
  groups: string
  terms: string
  enter(games: string): string
  closed: string
  late(round: number): string
  records: string
}

const ja: EventWords = {
  heading: '大会',
  all: '大会の一覧',
  none: '大会はありません。',
  noneHow: '運営者が大会を告知すると、ここに日程と組合せ、順位表が出ます。',
  phases: { announced: '告知中', running: '進行中', paused: '中断中', over: '終了' },
  formats: {
    'round-robin': '総当たり',
    swiss: 'スイス式',
    'knock-out': '勝ち抜き',
    gauntlet: 'ガントレット',
    match: '番勝負',
    open: '自由対局',
  },
  entrants: (count) => `参加 ${count}人`,
  stage: (number, of) => `第${number}ステージ (全${of})`,
  round: (number, of) => (of === null ? `第${number}回戦` : `第${number}回戦 (全${of})`),
  until: (round) => `第${round}回戦開始まで`,
  playing: (count) => `対局中 ${count}局`,
  waitsForHost: '開始を待っています',
  paused: '大会は中断しています',
  over: '全日程終了',
  timetable: '日程',
  pairings: '組合せと結果',
  roundShown: '回戦',
  table: '順位表',
  views: { cross: '対戦成績表', rounds: '勝敗表' },
  viewOf: '表の形',
  files: '保存',
  rank: '順位',
  player: '参加者',
  points: '勝点',
  performance: '実績レート',
  final: '確定',
  soFar: (paired, rounds) => (rounds > 0 ? `${paired}/${rounds} 回戦を組合せ済み` : `${paired} 回戦を組合せ済み`),
  tieBreaks: {
    points: ['勝点', '勝点'],
    direct: ['直接', '直接対決'],
    'sonneborn-berger': ['SB', 'ゾンネボーン・ベルガー'],
    buchholz: ['ソルコフ', 'ソルコフ (ブッフホルツ)'],
    median: ['ミディアム', 'ミディアム'],
    beaten: ['SB勝', '勝った相手の勝点'],
    wins: ['勝数', '勝数'],
    'wins-as-white': ['後手勝', '後手番の勝数'],
    'longest-run': ['連勝', '最多連勝'],
    faults: ['反則', '反則・不戦敗の少なさ'],
    'fewest-moves': ['手数', '勝局の手数の少なさ'],
    lot: ['抽選', '抽選'],
    seed: ['シード', 'シード順'],
    reached: ['到達', '勝ち進んだ回戦'],
  },
  by: '順位の決め方',
  reasons: '同点の順位の理由',
  key: '☗ 先手、☖ 後手。○ 勝ち、● 負け、△ 引き分け、□ 不戦勝、■ 不戦敗、… 未了',
  how: '行の参加者の結果です。',
  mark: ({ colour, result, how }, opponent) => {
    const seat = colour === 'black' ? '先手' : '後手'
    const said = { win: '勝ち', loss: '負け', draw: '引き分け', none: '無効', pending: '未了' }[result]
    return `${opponent} 戦 ${seat} ${how === 'forfeit' ? '不戦' : ''}${said}`
  },
  turns: { bye: '抜け番 (勝点)', rest: '休み', walkover: '不戦勝', absent: '欠場' },
  alone: '相手なしの回戦の勝点',
  annulled: '無効',
  left: '棄権',
  states: { plays: '対局中', waits: '待機中', away: '不在', left: '棄権' },
  games: { waiting: '対局前', playing: '対局中' },
  hows: { forfeit: '不戦', adjudicated: '裁定', void: '無効', replayed: '指し直し' },
  entrantsHeading: '参加者',
  seed: 'シード',
  rate: 'レート',
  groups: 'グループ',
  terms: '大会の決まり',
  enter: (games) => `参加: 対局名 ${games} でログインすると登録されます。`,
  closed: '参加者は運営者が決めています。',
  late: (round) => `途中参加は第${round}回戦まで。`,
  records: '棋譜',
}

const en: EventWords = {
  heading: 'Events',
  all: 'All events',
  none: 'There is no event.',
  noneHow: 'Once a host announces one, its timetable, pairings and tables are here.',
  phases: { announced: 'announced', running: 'running', paused: 'paused', over: 'over' },
  formats: {
    'round-robin': 'round robin',
    swiss: 'Swiss',
    'knock-out': 'knock-out',
    gauntlet: 'gauntlet',
    match: 'match',
    open: 'open rounds',
  },
  entrants: (count) => (count === 1 ? '1 entrant' : `${count} entrants`),
  stage: (number, of) => `Stage ${number} of ${of}`,
  round: (number, of) => (of === null ? `Round ${number}` : `Round ${number} of ${of}`),
  until: (round) => `Round ${round} begins in`,
  playing: (count) => `${count} playing`,
  waitsForHost: 'Waiting to begin',
  paused: 'The event is paused',
  over: 'All is played',
  timetable: 'Timetable',
  pairings: 'Pairings and results',
  roundShown: 'Round',
  table: 'Standings',
  views: { cross: 'Cross table', rounds: 'By rounds' },
  viewOf: 'Kind of table',
  files: 'Download',
  rank: 'Rank',
  player: 'Player',
  points: 'Points',
  performance: 'Performance',
  final: 'final',
  soFar: (paired, rounds) => (rounds > 0 ? `${paired} of ${rounds} rounds paired` : `${paired} rounds paired`),
  tieBreaks: {
    points: ['Points', 'points'],
    direct: ['Direct', 'direct encounter'],
    'sonneborn-berger': ['SB', 'Sonneborn-Berger'],
    buchholz: ['Buchh.', 'Buchholz (Solkoff)'],
    median: ['Median', 'median'],
    beaten: ['Beaten', 'points of those beaten'],
    wins: ['Wins', 'wins'],
    'wins-as-white': ['W wins', 'wins with White'],
    'longest-run': ['Run', 'longest run of wins'],
    faults: ['Faults', 'fewest faults'],
    'fewest-moves': ['Moves', 'fewest moves of games won'],
    lot: ['Lot', 'lot'],
    seed: ['Seed', 'seed'],
    reached: ['Reached', 'round reached'],
  },
  by: 'Ranks are decided by',
  reasons: 'Why equal points stand as they do',
  key: '☗ Black, ☖ White. ○ won, ● lost, △ drawn, □ won by forfeit, ■ lost by forfeit, … not over',
  how: 'Each row has the results of a player.',
  mark: ({ colour, result, how }, opponent) => {
    const said = { win: 'won', loss: 'lost', draw: 'drew', none: 'void', pending: 'not over' }[result]
    const seat = colour === 'black' ? 'Black' : 'White'
    return `against ${opponent}, ${seat}: ${said}${how === 'forfeit' ? ' by forfeit' : ''}`
  },
  turns: { bye: 'bye', rest: 'rest', walkover: 'walkover', absent: 'absent' },
  alone: 'Points of rounds without an opponent',
  annulled: 'annulled',
  left: 'left',
  states: { plays: 'playing', waits: 'here', away: 'not here', left: 'withdrawn' },
  games: { waiting: 'to come', playing: 'in progress' },
  hows: { forfeit: 'by forfeit', adjudicated: 'adjudicated', void: 'void', replayed: 'replayed' },
  entrantsHeading: 'Entrants',
  seed: 'Seed',
  rate: 'Rating',
  groups: 'Groups',
  terms: 'Terms of the event',
  enter: (games) => `To enter, log in under a game name ${games}.`,
  closed: 'The host has named the entrants.',
  late: (round) => `Late entries are welcome up to round ${round}.`,
  records: 'Games',
}

export const EVENT_WORDS: Readonly<Record<Language, EventWords>> = { ja, en }
