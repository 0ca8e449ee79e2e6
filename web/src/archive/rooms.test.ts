import { describe, expect, it } from 'vitest'
import { titleOf } from './rooms'

describe('titleOf', () => {
  const room = (ja: string | null, en: string | null, name = 'club') => ({ name, title: { ja, en } })
  it('is in the language of the reader, or else what there is', () => {
    expect(titleOf(room('例会', 'The club'), 'ja', '本室')).toBe('例会')
    expect(titleOf(room('例会', 'The club'), 'en', 'Main room')).toBe('The club')
    expect(titleOf(room(null, 'The club'), 'ja', '本室')).toBe('The club')
    expect(titleOf(room(null, null), 'en', 'Main room')).toBe('club')
    expect(titleOf(room(null, null, 'main'), 'ja', '本室')).toBe('本室')
  })
})
