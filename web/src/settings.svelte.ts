// What a viewer has chosen, kept in this browser. Each is one of its values, whatever lies in the store.
import { PIECE_SETS, type PieceSet } from './board/pieces'
import { LANGUAGES, WORDS, type Language, type Words } from './i18n/words'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
export const NOTATIONS = ['japanese', 'western'] as const
export type Notation = (typeof NOTATIONS)[number]
export const BOARD_COUNTS = ['automatic', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const
export type BoardCount = (typeof BOARD_COUNTS)[number]

export const ORDERS = ['automatic', 'mine', 'rating', 'close', 'haste'] as const
export type Order = (typeof ORDERS)[number]

const KEY = 'fuhyo'

interface Stored {
  language: Language
  theme: Theme
  pieces: PieceSet
  notation: Notation
  boards: BoardCount
  order: Order
  /** Names of the players that are his. */
  mine: string
  sound: boolean
  arrows: boolean
}

const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T =>
  values.find((one) => one === value) ?? otherwise

function read(): Stored {
  let found: Record<string, unknown> = {}
  try {
    found = JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}
  } catch {
    // Storage that is forbidden or holds something else: as if nothing had been chosen.
  }
  const language = navigator.languages.some((tag) => tag.startsWith('ja')) ? 'ja' : 'en'
  const chosen = oneOf(LANGUAGES, found.language, language)
  return {
    language: chosen,
    theme: oneOf(THEMES, found.theme, 'system'),
    pieces: oneOf(PIECE_SETS, found.pieces, 'one'),
    notation: oneOf(NOTATIONS, found.notation, chosen === 'ja' ? 'japanese' : 'western'),
    boards: oneOf(BOARD_COUNTS, found.boards, 'automatic'),
    order: oneOf(ORDERS, found.order, 'automatic'),
    mine: typeof found.mine === 'string' ? found.mine : '',
    sound: found.sound === true,
    arrows: found.arrows !== false,
  }
}

class Settings {
  #stored = $state<Stored>(read())

  get language(): Language {
    return this.#stored.language
  }
  set language(value: Language) {
    this.#keep({ language: value })
  }
  get theme(): Theme {
    return this.#stored.theme
  }
  set theme(value: Theme) {
    this.#keep({ theme: value })
  }
  get pieces(): PieceSet {
    return this.#stored.pieces
  }
  set pieces(value: PieceSet) {
    this.#keep({ pieces: value })
  }
  get notation(): Notation {
    return this.#stored.notation
  }
  set notation(value: Notation) {
    this.#keep({ notation: value })
  }
  get boards(): BoardCount {
    return this.#stored.boards
  }
  set boards(value: BoardCount) {
    this.#keep({ boards: value })
  }
  get order(): Order {
    return this.#stored.order
  }
  set order(value: Order) {
    this.#keep({ order: value })
  }
  get mine(): string {
    return this.#stored.mine
  }
  set mine(value: string) {
    this.#keep({ mine: value })
  }
  get arrows(): boolean {
    return this.#stored.arrows
  }
  set arrows(value: boolean) {
    this.#keep({ arrows: value })
  }
  get sound(): boolean {
    return this.#stored.sound
  }
  set sound(value: boolean) {
    this.#keep({ sound: value })
  }

  /** For this page alone, as its address says; nothing of it is kept. */
  override(change: Partial<Pick<Stored, 'language' | 'theme'>>): void {
    Object.assign(this.#stored, change)
  }

  get words(): Words {
    return WORDS[this.language]
  }

  #keep(change: Partial<Stored>): void {
    Object.assign(this.#stored, change)
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#stored))
    } catch {
      // It holds for this page then.
    }
  }
}

export const settings = new Settings()
