// The words of a server where nobody plays yet, which come with them. A missing one is a type error.
import type { Language } from './words'

export interface WelcomeWords {
  what: string
  /** Of the games on the page. */
  shown: string
  watch: { heading: string; how: string }
  play: {
    heading: string
    here: string
    /** How a client connects, where its address is known, and where it is not. */
    client: string
    ask: string
    pairing(game: string): string
    engine: string
  }
  host: { heading: string; how: string; demonstration: string }
}

const ja: WelcomeWords = {
  what: 'Fuhyō（浮標）は、CSA プロトコルで接続した対局者を組み合わせ、その対局を中継する将棋の対局サーバーです。終わった対局は、棋譜、結果、レーティングとともに残ります。',
  shown: '上の対局は、ほかに対局がない間、内蔵エンジンが指しているデモ対局です。',
  watch: {
    heading: '観戦する',
    how: '対局が始まると、このページに自動で映ります。終わった対局と大会は、次のページにあります。',
  },
  play: {
    heading: '対局する',
    here: 'このブラウザで対局する',
    client: 'CSA クライアント（将棋所、ShogiHome、usiToCsa など）の接続先:',
    ask: 'CSA クライアント（将棋所、ShogiHome、usiToCsa など）で接続します。アドレスはサーバーの主催者に尋ねてください。',
    pairing: (game) => `パスワードに同じ対局名を書いた二人が対局します。${game} なら、5分、毎手10秒加算です。`,
    engine: 'USI エンジンは、次のコマンドで参加できます。',
  },
  host: {
    heading: '主催する',
    how: '大会、部屋、対局者は、管理のページか fuhyo admin で扱います。',
    demonstration: '対局がない間、内蔵エンジンのデモ対局を映すには:',
  },
}

const en: WelcomeWords = {
  what:
    'Fuhyō is a game server for shogi: it pairs players who connect over the CSA protocol, and shows their games as ' +
    'they are played. Games that are over stay here, with their moves, results and ratings.',
  shown: 'The games above are a demonstration: built-in engines play while nobody else does.',
  watch: {
    heading: 'Watch',
    how: 'Games appear on this page as soon as they begin. Games that are over, and events, have pages of their own:',
  },
  play: {
    heading: 'Play',
    here: 'Play in this browser',
    client: 'A CSA client (Shogidokoro, ShogiHome, usiToCsa) connects to',
    ask: 'A CSA client (Shogidokoro, ShogiHome, usiToCsa) connects to an address that the host of this server tells.',
    pairing: (game) =>
      `Two players whose password is the same game name play each other. ${game} has five minutes, and ten seconds ` +
      'added for each move.',
    engine: 'An engine that speaks USI joins with',
  },
  host: {
    heading: 'Host',
    how: 'Events, rooms and players are managed in the console, or with fuhyo admin.',
    demonstration: 'Built-in engines play demonstration games while nobody else plays, with',
  },
}

export const WELCOME_WORDS: Readonly<Record<Language, WelcomeWords>> = { ja, en }
