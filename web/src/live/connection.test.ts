import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Feed } from './connection.svelte'

/** A line to the server, as browsers make them. */
class Source extends EventTarget {
  static open = new Set<Source>()
  constructor(readonly address: string) {
    super()
    Source.open.add(this)
  }
  close() {
    Source.open.delete(this)
  }
}

describe('the stream of a page', () => {
  let page: EventTarget & { hidden: boolean }
  const turn = (hidden: boolean) => {
    page.hidden = hidden
    page.dispatchEvent(new Event('visibilitychange'))
  }
  const lines = () => Source.open.size
  const addresses = () => [...Source.open].map(({ address }) => address)
  let sound = false
  let feed: Feed

  beforeEach(() => {
    vi.useFakeTimers()
    const window = new EventTarget()
    page = Object.assign(new EventTarget(), { hidden: false })
    vi.stubGlobal('document', page)
    vi.stubGlobal('EventSource', Source)
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
    sound = false
    feed = new Feed('all', () => sound)
    feed.start()
  })
  afterEach(() => {
    feed.stop()
    expect(lines()).toBe(0)
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('asks for more at once, and for less after a while', () => {
    expect(addresses()).toEqual(['/api/v1/events'])
    feed.games.known = true
    feed.follow(7)
    vi.advanceTimersByTime(9_999)
    expect(addresses()).toEqual(['/api/v1/events'])
    feed.follow('all') // somebody is back
    vi.advanceTimersByTime(60_000)
    expect(addresses()).toEqual(['/api/v1/events'])
    feed.follow('none')
    vi.advanceTimersByTime(10_000)
    expect(addresses()).toEqual(['/api/v1/events?games=0'])
    expect(feed.games.known).toBe(true)
    feed.follow(8)
    expect(addresses()).toEqual(['/api/v1/events?games=8'])
    expect(feed.games.known).toBe(false) // an empty list says nothing
    feed.follow('all')
    expect(addresses()).toEqual(['/api/v1/events'])
  })
  it('that is not seen asks for what is wanted when it is', () => {
    turn(true)
    vi.advanceTimersByTime(10_000)
    feed.follow(7)
    vi.advanceTimersByTime(60_000)
    expect(lines()).toBe(0)
    turn(false)
    expect(addresses()).toEqual(['/api/v1/events?games=7'])
  })
  it('that is not seen is given back after a while, and comes again when somebody looks', () => {
    turn(true)
    vi.advanceTimersByTime(9_999)
    expect(lines()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(lines()).toBe(0)
    expect(feed.connection).toBe('connecting')
    turn(false)
    expect(lines()).toBe(1)
  })
  it('stays if somebody looks soon, and is one', () => {
    turn(true)
    vi.advanceTimersByTime(9_999)
    turn(false)
    vi.advanceTimersByTime(60_000)
    expect(lines()).toBe(1)
  })
  it('stays as long as it is heard', () => {
    sound = true
    turn(true)
    vi.advanceTimersByTime(60_000)
    expect(lines()).toBe(1)
    sound = false
    vi.advanceTimersByTime(10_000)
    expect(lines()).toBe(0)
  })
})
