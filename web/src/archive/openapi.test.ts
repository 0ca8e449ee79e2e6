import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operationsOf, typeText, type Document } from './openapi'

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as Document

describe('the page of the API', () => {
  it('has every operation, with all of its parameters', () => {
    const operations = operationsOf(document)
    expect(operations).toHaveLength(Object.values(document.paths).flatMap(Object.keys).length)
    for (const { id, summary, responses } of operations) {
      expect(summary, id).toBeTruthy()
      expect(responses.length, id).toBeGreaterThan(0)
    }
    const games = operations.find(({ id }) => id === 'games')
    expect(games?.method).toBe('GET')
    expect(games?.parameters.map(({ name }) => name)).toContain('ended_from_ms')
  })
  it('writes types as they are read', () => {
    expect(typeText({ type: ['integer', 'null'] })).toBe('integer | null')
    expect(typeText({ type: 'array', items: { $ref: '#/components/schemas/Game' } })).toBe('Game[]')
    expect(typeText({ enum: ['black', 'white'] })).toBe('black | white')
    expect(typeText({ oneOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string | null')
  })
})
