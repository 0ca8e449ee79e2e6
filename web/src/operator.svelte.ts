// Whether somebody has logged in with this browser, as far as it can remember: the pages of viewers ask the server
// nothing about logins.
const KEY = 'fuhyo-operator'

function read(): number {
  try {
    return Number(localStorage.getItem(KEY)) || 0
  } catch {
    return 0
  }
}

class Operator {
  #until_ms = $state(read())

  /** A hint: what the server says counts. */
  get here(): boolean {
    return this.#until_ms > Date.now()
  }

  /** 0: nobody. */
  remember(until_ms: number): void {
    this.#until_ms = until_ms
    try {
      if (until_ms) localStorage.setItem(KEY, String(until_ms))
      else localStorage.removeItem(KEY)
    } catch {
      // The link is then shown until the page is left.
    }
  }
}

export const operator = new Operator()

/** Whether one can log in at this server: asked once, by whoever looks for the way in. */
let asked: Promise<boolean> | undefined
export const hasLogin = (): Promise<boolean> =>
  (asked ??= fetch('/api/v1/session').then(
    ({ status }) => status === 200 || status === 401,
    () => {
      asked = undefined
      return false
    },
  ))
