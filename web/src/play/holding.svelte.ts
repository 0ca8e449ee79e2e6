// The pointer over a board: two presses, or a drag, make a move; where there is a choice, or the player wants to be
// asked on touch, he is asked.
import {
  pieceAt,
  same,
  type Kind,
  type Move,
  type Piece,
  type Position,
  type Side,
  type Square,
} from '../shogi/position'
import { movesTo, pickedAt, squareUnder, targetsOf, type Picked } from './hold'

/** So far a pointer moves before a press is a drag. */
const DRAG_PX = 7

interface Board {
  readonly position: Position
  readonly side: Side
  /** That may be made, now or ahead; none: nothing can be picked. */
  readonly moves: readonly Move[]
  /** Whether every move by touch is asked for once more. */
  readonly confirm: boolean
}

export class Holding {
  picked = $state.raw<Picked | null>(null)
  drag = $state.raw<{ x: number; y: number; size: number; piece: Piece } | null>(null)
  /** Moves of which the player is asked for one. */
  choice = $state.raw<{ moves: readonly Move[]; x: number; y: number } | null>(null)
  readonly targets = $derived.by(() => (this.picked ? targetsOf(this.board().moves, this.picked) : []))
  #pressed: { x: number; y: number; before: boolean } | null = null

  /** `elsewhere`: a press where there is nothing to do. */
  constructor(
    private readonly board: () => Board,
    private readonly play: (move: Move) => void,
    private readonly elsewhere: () => void,
  ) {}

  clear(): void {
    this.picked = null
    this.choice = null
  }

  /** The position is another one: what was picked may be gone. */
  changed(): void {
    const { position, side } = this.board()
    const one = this.picked
    if (one && !pickedAt(position, side, 'from' in one ? one.from : one.kind)) this.picked = null
    this.choice = null
  }

  choose(move: Move): void {
    this.clear()
    this.play(move)
  }

  down(event: PointerEvent, stage: HTMLElement): void {
    if (event.button !== 0 || this.board().moves.length === 0) return
    this.choice = null
    const at = this.#square(event, stage) ?? this.#held(event)
    if (at === null) return
    event.preventDefault()
    if (this.picked && typeof at !== 'string' && this.#put(this.picked, at, event)) return
    const { position, side } = this.board()
    const next = pickedAt(position, side, at)
    if (!next) this.elsewhere()
    const before = next !== null && JSON.stringify(next) === JSON.stringify(this.picked)
    this.picked = next
    this.#pressed = next && { x: event.clientX, y: event.clientY, before }
    if (next) stage.setPointerCapture(event.pointerId)
  }

  move({ clientX: x, clientY: y }: PointerEvent, stage: HTMLElement): void {
    const [pressed, one] = [this.#pressed, this.picked]
    if (!pressed || !one) return
    if (!this.drag && Math.hypot(x - pressed.x, y - pressed.y) < DRAG_PX) return
    const { position, side } = this.board()
    const piece = 'from' in one ? pieceAt(position, one.from) : { kind: one.kind, promoted: false, side }
    this.drag = piece && { x, y, size: (this.#box(stage)?.width ?? 0) / 9, piece }
  }

  up(event: PointerEvent, stage: HTMLElement): void {
    const [pressed, one, dragged] = [this.#pressed, this.picked, this.drag !== null]
    this.cancel()
    if (!pressed || !one) return
    const to = this.#square(event, stage)
    // Let go where it was, it stays picked; a second press there puts it down.
    const home = to !== null && 'from' in one && same(to, one.from)
    if (dragged && !home) {
      if (!to || !this.#put(one, to, event)) this.picked = null
    } else if (pressed.before) {
      this.picked = null
    }
  }

  cancel(): void {
    this.#pressed = null
    this.drag = null
  }

  /** Whether the piece may go there at all. */
  #put(one: Picked, to: Square, { clientX: x, clientY: y, pointerType }: PointerEvent): boolean {
    const { moves, confirm } = this.board()
    const ways = movesTo(moves, one, to)
    const [only] = ways
    if (!only) return false
    if (ways.length === 1 && !(confirm && pointerType === 'touch')) this.choose(only)
    else this.choice = { moves: ways, x, y }
    return true
  }

  #box(stage: HTMLElement): DOMRect | undefined {
    return stage.querySelector('.squares')?.getBoundingClientRect()
  }

  #square({ clientX, clientY }: PointerEvent, stage: HTMLElement): Square | null {
    const box = this.#box(stage)
    return box ? squareUnder(box, clientX, clientY, this.board().side === 'w') : null
  }

  #held({ target }: PointerEvent): Kind | null {
    const held = (target as Element).closest('[data-held]')?.getAttribute('data-held') ?? ''
    return held.startsWith(this.board().side) ? (held.slice(1) as Kind) : null
  }
}
