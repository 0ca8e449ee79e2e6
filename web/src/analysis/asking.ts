// Asks until there is all of an answer. Without reactive parts, so that it can be tested.

/** off: not here; refused: no answer can be given; away: the engine, the server or the line is. */
export type Trouble = 'off' | 'refused' | 'away'

export interface Told<Answer> {
  /** As much as there is; null: nothing yet. */
  answer: Answer | null
  done: boolean
  /** Others go first. */
  busy: boolean
  trouble: Trouble | null
}

const AGAIN_MS = 400
const BUSY_MS = 1_500

const troubleOf = (status: number): Trouble =>
  status === 404 || status === 409 ? 'off' : status < 500 ? 'refused' : 'away'

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

/** `tell` hears every part of the answer, and in the end all of it or the trouble; nothing after `signal`. */
export async function askUntilDone<Answer>(
  path: string,
  tell: (told: Told<Answer>) => void,
  signal: AbortSignal,
): Promise<void> {
  let answer: Answer | null = null
  while (!signal.aborted) {
    const response = await fetch(path, { signal }).catch(() => null)
    const said = response?.ok ? ((await response.json().catch(() => null)) as Answer | null) : null
    if (signal.aborted) return
    const busy = response?.status === 429
    if (!busy && (!response || !said)) {
      tell({
        answer: null,
        done: false,
        busy: false,
        trouble: response && !response.ok ? troubleOf(response.status) : 'away',
      })
      return
    }
    answer = said ?? answer
    const done = response?.status === 200
    tell({ answer, done, busy, trouble: null })
    if (done) return
    await pause(busy ? BUSY_MS : AGAIN_MS, signal)
  }
}
