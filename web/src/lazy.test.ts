import { expect, test } from 'vitest'
import { lazy } from './lazy'

test('what is there is asked for once, and what was not to be had again', async () => {
  let asked = 0
  const part = lazy(() => (++asked === 1 ? Promise.reject(new Error('the server is away')) : Promise.resolve('part')))
  await expect(part()).rejects.toThrow('away')
  expect(await part()).toBe('part')
  expect(await part()).toBe('part')
  expect(asked).toBe(2)
})
