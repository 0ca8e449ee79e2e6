// The words of the page on which people play, which come with it. A missing one is a type error.
import type { Pairing } from '../play/pairing'
import type { Problem } from '../play/typed'
import type { Trouble } from '../play/seat'
import type { Language } from './words'

export interface PlayWords {
  heading: string
  /** The host lets nobody in by the web. */
  closed: string
  ask: {
    name: string
    nameRule: string
    against: string
    level: string
    levels(level: number): string
    engine: string
    person: string
    gameName: string
    clock: string
    own: string
    minutes: string
    byoyomi: string
    increment: string
    kinds: string
    side: string
    sides: Record<'any' | 'b' | 'w', string>
    invited(game: string): string
    waiting: string
    nobody: string
    join(name: string): string
    secret: string
    secretWhy: string
    start: string
    badGame: string
  }
  connecting: string
  waitingFor(game: string): string
  pairing: Record<Pairing, string>
  copy: string
  cancel: string
  agreeing: string
  trouble: Record<Trouble, string>
  lost(seconds: number): string
  back: string
  backWaiting: string
  retry: string
  board: {
    yours: string
    theirs: string
    dropped: string
    unmove: string
    typed: string
    typedHint: string
    play: string
    problems: Record<Problem, string>
    moved(move: string): string
    check: string
    promote: string
    resign: string
    resignSure: string
    resigned: string
    declare: string
    declareSure(points: number, pieces: number, king: boolean): string
    yes: string
    no: string
    confirm: string
    aloud: string
    sound: string
  }
  over: {
    results: Record<'win' | 'lose' | 'draw' | 'censored' | 'chudan', string>
    unknown: string
    game: string
    again: string
    next: string
    another: string
    stays: string
  }
}

const ja: PlayWords = {
  heading: '対局する',
  closed: 'このサーバーは、ブラウザからの対局を受け付けていません。',
  ask: {
    name: '対局者名',
    nameRule: '英数字と _ @ - . で32文字まで',
    against: '相手',
    level: '内蔵エンジン（レベル）',
    levels: (level) => `レベル ${level}`,
    engine: 'エンジン',
    person: '相手を待つ',
    gameName: '対局名',
    clock: '持ち時間',
    own: '自分で決める',
    minutes: '持ち時間（分）',
    byoyomi: '秒読み（秒）',
    increment: '毎手加算（秒）',
    kinds: '一手ごとの時間',
    side: '手番',
    sides: { any: 'どちらでも', b: '先手', w: '後手' },
    invited: (game) => `${game} の対局に招待されています。`,
    waiting: '相手を待っている対局者',
    nobody: '待っている対局者はいません。',
    join: (name) => `${name} と対局する`,
    secret: '合い言葉',
    secretWhy: '名前を守り、切断しても対局に戻るための合い言葉です。空なら、このブラウザが作って覚えます。',
    start: '対局を始める',
    badGame: '対局名は英数字と _ @ - . で32文字まで、時間は0〜999999秒です。',
  },
  connecting: 'サーバーに接続しています…',
  waitingFor: (game) => `${game} で相手を待っています…`,
  pairing: {
    lobby: 'このリンクを開いた人と対局できます:',
    round: '次のラウンドで組合せが決まります。このリンクを開いた人も参加できます:',
    event: '大会の対局は、開始の時が来るとこのページで始まります。',
    host: 'この部屋の組合せは、主催者が決めます。',
  },
  copy: 'リンクをコピー',
  cancel: 'やめる',
  agreeing: 'まもなく始まります…',
  trouble: {
    login: 'サーバーに入れませんでした。名前が使用中か、この名前の合い言葉が違います。',
    rejected: '対局は始まりませんでした。',
    ended: '対局はすでに終わっていました。',
    taken: '別のタブが、この名前で接続しました。',
  },
  lost: (seconds) =>
    seconds > 0 ? `接続が切れました。${seconds}秒後に接続し直します。` : '接続が切れました。接続し直しています…',
  back: '対局に戻っています…',
  backWaiting: '戻りました。相手が戻るのを待っています…',
  retry: '今すぐ接続',
  board: {
    yours: 'あなたの手番です',
    theirs: '相手の手番です',
    dropped: '先行入力した手は指せなくなりました。',
    unmove: '先行入力を取り消す',
    typed: '指し手を入力',
    typedHint: '７六歩、7g7f、7776FU など',
    play: '指す',
    problems: {
      unknown: '指し手として読めません。',
      illegal: 'その手は指せません。',
      several: '当てはまる手が二つ以上あります。成・不成や、右・左などを添えてください。',
    },
    moved: (move) => `相手の指し手: ${move}`,
    check: '王手',
    promote: '成りますか？',
    resign: '投了',
    resignSure: '投了しますか？',
    resigned: '投了します。相手が指したときに終局します。',
    declare: '入玉宣言',
    declareSure: (points, pieces, king) =>
      `宣言しますか？ 条件を満たさない宣言は負けになります。（${points}点、敵陣に${pieces}枚、玉は敵陣に${king ? 'います' : 'いません'}）`,
    yes: 'はい',
    no: 'いいえ',
    confirm: 'タッチでは指す前に確認する',
    aloud: '秒読みを読み上げる',
    sound: '駒音',
  },
  over: {
    results: {
      win: 'あなたの勝ちです',
      lose: 'あなたの負けです',
      draw: '引き分けです',
      censored: '手数制限で引き分けです',
      chudan: '対局は中断されました',
    },
    unknown: '対局は終わりました',
    game: 'この対局のページ',
    again: '先後を替えてもう一局',
    next: '次の対局を待つ',
    another: '別の対局',
    stays: 'この部屋では、次の対局がここで始まります。',
  },
}

const en: PlayWords = {
  heading: 'Play',
  closed: 'This server lets nobody play from a browser.',
  ask: {
    name: 'Your name',
    nameRule: 'letters, digits and _ @ - . , 32 at most',
    against: 'Against',
    level: 'the built-in engine, by level',
    levels: (level) => `Level ${level}`,
    engine: 'an engine',
    person: 'wait for an opponent',
    gameName: 'Game name',
    clock: 'Clock',
    own: 'another one',
    minutes: 'Main time (min)',
    byoyomi: 'byoyomi (s)',
    increment: 'added each move (s)',
    kinds: 'Time for each move',
    side: 'Colour',
    sides: { any: 'either', b: 'Black', w: 'White' },
    invited: (game) => `You are invited to a game of ${game}.`,
    waiting: 'Players who wait',
    nobody: 'Nobody waits.',
    join: (name) => `Play ${name}`,
    secret: 'Secret',
    secretWhy:
      'It keeps your name yours, and brings you back to your game. If empty, this browser makes one and remembers it.',
    start: 'Play',
    badGame: 'A game name has letters, digits and _ @ - . , 32 at most; times are 0 to 999999 seconds.',
  },
  connecting: 'Connecting to the server…',
  waitingFor: (game) => `Waiting for an opponent in ${game}…`,
  pairing: {
    lobby: 'Whoever opens this link can play you:',
    round: 'The next round says whom you play. Whoever opens this link can take part, too:',
    event: 'Your games of this tournament begin on this page when it is time.',
    host: 'The host of this room says who plays whom.',
  },
  copy: 'Copy the link',
  cancel: 'Cancel',
  agreeing: 'The game is about to begin…',
  trouble: {
    login: 'The server did not let you in: the name is in use, or its secret is another one.',
    rejected: 'The game did not begin.',
    ended: 'The game was already over.',
    taken: 'Another tab of this browser has connected by this name.',
  },
  lost: (seconds) =>
    seconds > 0 ? `The connection is lost. Trying again in ${seconds} s.` : 'The connection is lost. Trying again…',
  back: 'Coming back to the game…',
  backWaiting: 'You are back. Waiting for your opponent to return…',
  retry: 'Try now',
  board: {
    yours: 'Your move',
    theirs: "Your opponent's move",
    dropped: 'Your premove could not be played.',
    unmove: 'Take the premove back',
    typed: 'Type a move',
    typedHint: '7g7f, 7776FU or P-76',
    play: 'Play it',
    problems: {
      unknown: 'This is not read as a move.',
      illegal: 'This move cannot be played.',
      several: 'More than one move is written so: say which piece, and whether it promotes.',
    },
    moved: (move) => `Your opponent played ${move}`,
    check: 'check',
    promote: 'Promote?',
    resign: 'Resign',
    resignSure: 'Resign the game?',
    resigned: 'You resign. The game ends when your opponent has moved.',
    declare: 'Declare',
    declareSure: (points, pieces, king) =>
      `Declare? Without what it takes you lose. (${points} points, ${pieces} pieces${king ? ', your king' : ''})`,
    yes: 'Yes',
    no: 'No',
    confirm: 'Ask before each move on touch',
    aloud: 'Read byoyomi aloud',
    sound: 'Sound of moves',
  },
  over: {
    results: {
      win: 'You have won',
      lose: 'You have lost',
      draw: 'A draw',
      censored: 'A draw by the move limit',
      chudan: 'The game was broken off',
    },
    unknown: 'The game is over',
    game: 'The page of this game',
    again: 'Again, colours changed',
    next: 'Wait for the next game',
    another: 'Another game',
    stays: 'In this room your next game begins here.',
  },
}

export const PLAY_WORDS: Readonly<Record<Language, PlayWords>> = { ja, en }
