// The time, for what shows running clocks: four times a second, as long as anybody looks.

class Ticker {
  #tick = $state(0)
  #timer: ReturnType<typeof setInterval> | undefined

  start(): void {
    const set = () => {
      clearInterval(this.#timer)
      this.#tick += 1
      if (document.visibilityState === 'visible') this.#timer = setInterval(() => (this.#tick += 1), 250)
    }
    document.addEventListener('visibilitychange', set)
    set()
  }

  /** Whoever reads it is drawn anew with each tick. */
  read(): number {
    return this.#tick
  }
}

export const ticker = new Ticker()
