import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askUntilDone, type Told } from './asking'

type Reply = [status: number, body?: unknown] | 'lost'

/** What was told of these replies, one after the other. */
async function told(replies: Reply[], stop = new AbortController()): Promise<Told<{ n: number }>[]> {
  const heard: Told<{ n: number }>[] = []
  vi.stubGlobal('fetch', () => {
    const next = replies.shift()
    if (!next) stop.abort()
    if (!next || next === 'lost') return Promise.reject(new TypeError('lost'))
    return Promise.resolve(new Response(JSON.stringify(next[1] ?? {}), { status: next[0] }))
  })
  const asked = askUntilDone<{ n: number }>('/x', (each) => heard.push(each), stop.signal)
  await vi.runAllTimersAsync()
  await asked
  return heard
}

describe('askUntilDone', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('asks again while there is a part only', async () => {
    const heard = await told([
      [202, { n: 1 }],
      [202, { n: 2 }],
      [200, { n: 3 }],
    ])
    expect(heard.map(({ answer, done }) => [answer?.n, done])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
  })
  it('waits where others go first, and keeps what it has', async () => {
    const heard = await told([[202, { n: 1 }], [429], [200, { n: 2 }]])
    expect(heard.map(({ answer, busy }) => [answer?.n, busy])).toEqual([
      [1, false],
      [1, true],
      [2, false],
    ])
  })
  it('says what kind of trouble there is', async () => {
    const trouble = async (reply: Reply) => (await told([reply])).map((each) => each.trouble)
    expect(await trouble([404])).toEqual(['off'])
    expect(await trouble([409])).toEqual(['off'])
    expect(await trouble([422])).toEqual(['refused'])
    expect(await trouble([503])).toEqual(['away'])
    expect(await trouble('lost')).toEqual(['away'])
  })
  it('says nothing to whoever has gone', async () => {
    expect(await told([])).toEqual([])
  })
})
