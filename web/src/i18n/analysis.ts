// The words of the analysis of finished games, which come with it. A missing one is a type error.
import type { Trouble } from '../analysis/asking'
import type { MarkKind } from '../live/review'
import type { Language } from './words'

export interface AnalysisWords {
  heading: string
  game: string
  gameHow: string
  queued: string
  busy: string
  progress(done: number, all: number): string
  again: string
  troubles: Record<Trouble, string>
  marks: Record<MarkKind, string>
  counts: string
  noMarks: string
  by(engine: string): string
  lost(percent: number): string
  better: string
  betterBoard: string
  position: string
  lines: string
  thinking: string
  depth(depth: number, nodes: number): string
  noMove: string
  declares: string
}

const ja: AnalysisWords = {
  heading: '解析',
  game: '対局全体を解析',
  gameHow: 'サーバーのエンジンが全局面の評価値と悪手を調べます。',
  queued: '順番待ち…',
  busy: 'エンジンが混んでいます。順番を待っています…',
  progress: (done, all) => `解析中… ${done} / ${all} 局面`,
  again: 'もう一度',
  troubles: {
    off: 'このサーバーでは、この対局を解析できません。',
    refused: 'エンジンはこの局面に答えられませんでした。',
    away: 'エンジンが今は応答していません。',
  },
  marks: { inaccuracy: '疑問手', mistake: '悪手', blunder: '大悪手' },
  counts: '疑問手・悪手・大悪手の数',
  noMarks: '疑問手や悪手はありません。',
  by: (engine) => `エンジン: ${engine}`,
  lost: (percent) => `勝率が ${percent} ポイント下がりました。`,
  better: '最善の手順',
  betterBoard: '最善の手順の局面',
  position: '表示中の局面を検討',
  lines: '候補手の数',
  thinking: '検討中…',
  depth: (depth, nodes) => `深さ ${depth} ・ ${nodes.toLocaleString('ja-JP')} 局面`,
  noMove: '指せる手がありません。',
  declares: '入玉宣言で勝ちです。',
}

const en: AnalysisWords = {
  heading: 'Analysis',
  game: 'Analyse the game',
  gameHow: "The server's engine looks at every position and for mistakes.",
  queued: 'Others go first…',
  busy: 'The engine is busy; waiting for it…',
  progress: (done, all) => `Analysing… ${done} of ${all} positions`,
  again: 'Try again',
  troubles: {
    off: 'This game cannot be analysed here.',
    refused: 'The engine has no answer to this.',
    away: 'The engine does not answer at the moment.',
  },
  marks: { inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder' },
  counts: 'Inaccuracies, mistakes and blunders',
  noMarks: 'No mistakes.',
  by: (engine) => `Engine: ${engine}`,
  lost: (percent) => `The chance to win fell by ${percent} points.`,
  better: 'Better was',
  betterBoard: 'Position in the better line',
  position: 'Look at the shown position',
  lines: 'Lines',
  thinking: 'Thinking…',
  depth: (depth, nodes) => `depth ${depth} · ${nodes.toLocaleString('en-GB')} nodes`,
  noMove: 'There is no move left.',
  declares: 'Entering king can be declared, and wins.',
}

export const ANALYSIS_WORDS: Readonly<Record<Language, AnalysisWords>> = { ja, en }
