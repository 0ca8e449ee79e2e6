import { describe, expect, it } from 'vitest'
import { faultOf, isWhole, lineOf, oneLine, quoted, startOf } from './line'
import { verbNamed } from './verbs'

describe('the line of a command', () => {
  it('is its words in order', () => {
    expect(lineOf(verbNamed('adjudicate'), { game: '12', verdict: 'draw', why: 'both agreed' })).toBe(
      'adjudicate 12 draw',
    )
    expect(lineOf(verbNamed('games'), {})).toBe('games')
    expect(lineOf(verbNamed('help'), { language: 'ja', command: '' })).toBe('help ja')
    expect(
      lineOf(verbNamed('start'), {
        black: 'alice',
        white: 'bob',
        gameName: 'cup-900-5F',
        from: 'set',
        position: 'tsec 3',
      }),
    ).toBe('start alice bob cup-900-5F set tsec 3')
  })
  it('judges nothing before somebody has', () => {
    const values = startOf(verbNamed('adjudicate'), { game: '12' })
    expect(values.verdict).toBe('')
    expect(faultOf(verbNamed('adjudicate'), values, 'verdict')).toBe('missing')
    expect(startOf(verbNamed('tournament-result')).verdict).toBe('')
  })
  it('stays one line, whatever was pasted', () => {
    expect(lineOf(verbNamed('tell'), { to: 'all', text: ' next round\r\nat 14:00 ' })).toBe(
      'tell all next round at 14:00',
    )
    expect(oneLine('\u0000\t')).toBe('')
  })
  it('has a text of several lines on one, as the server takes it', () => {
    expect(lineOf(verbNamed('tournament-check'), { language: '', eventText: 'name = "cup"\r\n\n# a\\b\tc\n' })).toBe(
      'tournament-check name = "cup"\\n\\n# a\\\\b\\tc',
    )
    expect(lineOf(verbNamed('tournament-write'), { file: 'cup.toml', eventText: 'a\nb' })).toBe(
      'tournament-write cup.toml a\\nb',
    )
    expect(isWhole(verbNamed('tournament-check'), { language: '', eventText: ' \n' })).toBe(false)
  })
  it('is sent as it is typed where it is typed', () => {
    expect(lineOf(verbNamed('line'), { line: ' counters ' })).toBe('counters')
  })
  it('quotes the settings of an engine', () => {
    expect(quoted('/usr/games/gpsusi')).toBe('/usr/games/gpsusi')
    expect(quoted("/opt/my engine/it's")).toBe("'/opt/my engine/it'\\''s'")
    expect(
      lineOf(verbNamed('seat'), { name: 'Gps', engine: '/usr/games/gpsusi --fast', game: 'club-900-5F', turn: '' }),
    ).toBe("seat name=Gps engine='/usr/games/gpsusi --fast' game=club-900-5F")
  })
})

describe('fields', () => {
  const kick = verbNamed('kick')
  it('begin with what the row says, or as they do', () => {
    expect(startOf(verbNamed('tell'))).toEqual({ to: 'all', text: '' })
    expect(startOf(verbNamed('account-role'), { name: 'alice', role: 'host' })).toEqual({ name: 'alice', role: 'host' })
  })
  it('that are one word hold no blank: it would be the next one', () => {
    expect(faultOf(kick, { name: 'alice bob' }, 'name')).toBe('blank')
    expect(faultOf(kick, { name: '' }, 'name')).toBe('missing')
    expect(isWhole(kick, { name: 'alice', why: '' })).toBe(true)
  })
  it('want a reason where the server does', () => {
    expect(faultOf(verbNamed('account-delete'), { name: 'alice', why: ' ' }, 'why')).toBe('missing')
    expect(isWhole(verbNamed('adjudicate'), { game: '1', verdict: 'void', why: '' })).toBe(false)
  })
  it('want numbers where the server does', () => {
    expect(faultOf(verbNamed('restart'), { game: '1', move: 'x' }, 'move')).toBe('number')
    expect(faultOf(verbNamed('audit'), { count: '' }, 'count')).toBe(null)
  })
  it('that follow an empty one would be taken for it', () => {
    const start = { black: 'a', white: 'b', gameName: 'c-1-1', from: '', position: 'startpos' }
    expect(faultOf(verbNamed('start'), start, 'position')).toBe('gap')
    expect(faultOf(verbNamed('help'), { language: '', command: 'pause' }, 'command')).toBe(null)
    expect(faultOf(verbNamed('seat'), { name: 'a', engine: 'b', turn: '', room: 'r' }, 'room')).toBe(null)
  })
})
