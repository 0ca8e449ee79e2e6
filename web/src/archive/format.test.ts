import { describe, expect, it } from 'vitest'
import {
  countdownText,
  dayText,
  errorText,
  momentText,
  nameOf,
  percentText,
  rateText,
  utcText,
  zoneText,
} from './format'

describe('figures', () => {
  it('are whole, with their error, or a dash', () => {
    expect([rateText(2512.5), rateText(0), rateText(null)]).toEqual(['2513', '0', '–'])
    expect([errorText(30.6), errorText(null)]).toEqual(['± 31', ''])
  })
  it('count a draw as half a win', () => {
    expect(percentText({ wins: 6, losses: 3, draws: 1 })).toBe('65.0 %')
    expect(percentText({ wins: 0, losses: 0, draws: 0 })).toBe('–')
  })
})

describe('times', () => {
  it('lose their seconds', () => {
    const at = new Date(2026, 0, 2, 3, 4, 5).getTime()
    expect(dayText(at)).toBe('2026/01/02')
    expect(momentText(at)).toBe('2026/01/02 03:04')
    expect(utcText(Date.UTC(2026, 0, 2, 3, 4, 59))).toBe('2026-01-02 03:04 UTC')
  })
  it('are those of a zone that is named', () => {
    const zone = process.env.TZ
    const texts = ['Asia/Tokyo', 'America/St_Johns', 'UTC'].map((name) => {
      process.env.TZ = name
      return zoneText(Date.UTC(2026, 0, 2)).replace(/^.* \(/, '(')
    })
    process.env.TZ = zone ?? 'UTC'
    expect(texts).toEqual(['(UTC+9)', '(UTC−3:30)', 'UTC'])
  })
  it('count down to nothing and no further', () => {
    const text = (left_ms: number) => countdownText(left_ms, (days) => `${days}d`)
    expect(text(-5)).toBe('00:00')
    expect(text(1)).toBe('00:01')
    expect(text(59_000 + 60_000 * 59)).toBe('59:59')
    expect(text(3_600_000)).toBe('1:00:00')
    expect(text(86_400_000 * 2 + 3_600_000 * 3)).toBe('2d 03:00:00')
  })
})

describe('nameOf', () => {
  it('is what stands before the last plus', () => {
    expect(nameOf('gps+e29')).toBe('gps')
    expect(nameOf('a+b+c')).toBe('a+b')
    expect(nameOf('alone')).toBe('alone')
    expect(nameOf('+x')).toBe('+x')
  })
})
