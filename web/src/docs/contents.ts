// Which documents of the repository the site under /docs shows, in the order of its navigation. A Japanese version
// (NAME.ja.md) stands beside its document by itself. `said` are the words around them; a missing one is a type error.
import type { Language } from '../i18n/words'

export interface Chapter {
  title: Record<Language, string>
  /** Paths from the repository's root. */
  documents: readonly string[]
}

const operations = (...names: string[]) => names.map((name) => `docs/operations/${name}.md`)

export const CHAPTERS: readonly Chapter[] = [
  {
    title: { en: 'Begin here', ja: 'はじめに' },
    documents: ['README.md', 'docs/first-evening.md', 'docs/first-engine/README.md', 'docs/tour.md'],
  },
  {
    title: { en: 'Running a server', ja: 'サーバーの運用' },
    documents: [
      'docs/operations.md',
      ...operations('settings', 'files', 'service', 'moving', 'upgrade', 'monitoring', 'standby', 'archive', 'relay'),
      ...operations('limits', 'caches'),
      'docs/scale.md',
    ],
  },
  {
    title: { en: 'Events, rounds and rooms', ja: '大会・ラウンド・部屋' },
    documents: [
      'docs/tournaments.md',
      ...operations('without-network', 'championship', 'rounds', 'rooms', 'commentator'),
    ],
  },
  {
    title: { en: 'Accounts and administration', ja: 'アカウントと管理' },
    documents: [...operations('accounts', 'permissions', 'administration', 'commands'), 'docs/security.md'],
  },
  {
    title: { en: 'Engines and built-in players', ja: 'エンジンと内蔵の対局者' },
    documents: [
      'docs/operations/builtin-players.md',
      'docs/engine-options.md',
      'engines/usi/LEVELS.md',
      'docs/other-machines.md',
      'server/host/WORKERS.md',
      'engines/nnue/SEARCH.md',
      'engines/mcts/SEARCH.md',
      'engines/mix/MIX.md',
      'engines/cluster/CLUSTER.md',
      'engines/book/BOOKS.md',
    ],
  },
  {
    title: { en: 'Matches and learning', ja: 'マッチと学習' },
    documents: [
      'engines/match/MATCH.md',
      'engines/match/TUNING.md',
      'engines/jobs/JOBS.md',
      'docker/workers/README.md',
      'engines/learn/LEARNING.md',
    ],
  },
  {
    title: { en: 'Reference', ja: 'リファレンス' },
    documents: ['server/csa/PROTOCOL.md', 'docs/records.md', 'docs/figures.md'],
  },
]

interface Words {
  documentation: string
  contents: string
  skip: string
  here: string
  previous: string
  next: string
  /** Of the other language, in that language. */
  other: string
  search: string
  /** Of the documents' sections, after a search. */
  found(count: number): string
  failed: string
}

export const DOCS_WORDS: Readonly<Record<Language, Words>> = {
  en: {
    documentation: 'Documentation',
    contents: 'Contents',
    skip: 'To the text',
    here: 'On this page',
    previous: 'Previous',
    next: 'Next',
    other: '日本語',
    search: 'Search',
    found: (count) => (count === 1 ? '1 section' : `${count} sections`),
    failed: 'The index does not come. Try again.',
  },
  ja: {
    documentation: 'マニュアル',
    contents: '目次',
    skip: '本文へ',
    here: 'このページの内容',
    previous: '前',
    next: '次',
    other: 'English',
    search: '検索',
    found: (count) => `${count}件`,
    failed: '検索データを読み込めません。もう一度お試しください。',
  },
}
