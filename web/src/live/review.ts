// What an engine says of a finished game, as the parts of its page show it.
import type { Api } from '../api'
import type { Arrow } from '../board/geometry'

export type MarkKind = Api['MoveMark']['kind']

export interface Mark {
  readonly kind: MarkKind
  /** "??" */
  readonly sign: string
  /** The same in words. */
  readonly label: string
}

export interface Review {
  /** Black's chance to win after so many moves, by ply. */
  readonly curve: readonly { readonly ply: number; readonly rate: number }[]
  /** By ply of the move. */
  readonly marks: ReadonlyMap<number, Mark>
  /** What is best after so many moves. */
  best(ply: number): Arrow | null
  /** "+48" after so many moves. */
  valueAt(ply: number): string | null
}
