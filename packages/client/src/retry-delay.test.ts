import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { retryDelayMs, parseRetryAfter } from './retry-delay.ts'

const noon = Date.parse('2030-01-01T12:00:00Z')

describe('parseRetryAfter', () => {
  it.each([
    ['2', 2000],
    [' 120 ', 120_000],
    ['0', 0],
    ['1.5', 1500],
    ['1.25', 1250],
    ['Tue, 01 Jan 2030 12:00:30 GMT', 30_000],
    ['Tuesday, 01-Jan-30 12:00:30 GMT', 30_000],
    ['Tue Jan  1 12:00:30 2030', 30_000],
    ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
  ])('reads %j', (value, expected) => {
    expect(parseRetryAfter(value, noon)).toBe(expected)
  })

  it('reads every form of a date in GMT, wherever the machine is', () => {
    vi.stubEnv('TZ', 'America/New_York')
    expect(new Date(noon).getHours()).toBe(7)
    expect(parseRetryAfter('Tue Jan  1 12:00:30 2030', noon)).toBe(30_000)
    expect(parseRetryAfter('Tue, 01 Jan 2030 12:00:30 GMT', noon)).toBe(30_000)
  })

  it.each([
    [undefined],
    [''],
    ['  '],
    ['soon'],
    ['-3'],
    ['1e9'],
    ['0x10'],
    ['Infinity'],
    ['NaN'],
    ['try 5'],
    ['2 minutes'],
    ['maybe 12:00:00'],
    ['after Tue, 01 Jan 2030 12:00:30 GMT'],
    ['Tue, 99 Foo 2030 12:00:00 GMT'],
  ])('ignores %j', (value) => {
    expect(parseRetryAfter(value, noon)).toBeUndefined()
  })

  it('never returns a negative or invalid time', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const asked = parseRetryAfter(value, noon)
        expect(asked === undefined || asked >= 0).toBe(true)
      }),
    )
  })
})

describe('retryDelayMs', () => {
  const delay = (attempt: number, random: number, retryAfterMs?: number): number =>
    retryDelayMs(attempt, retryAfterMs, { baseDelayMs: 250, maxDelayMs: 15_000 }, () => random)

  it('doubles up to its limit, and keeps at least half of each step', () => {
    const attempts = [1, 2, 3, 6, 7, 99]
    expect(attempts.map((n) => delay(n, 0))).toEqual([125, 250, 500, 4000, 7500, 7500])
    expect(attempts.map((n) => delay(n, 1))).toEqual([250, 500, 1000, 8000, 15_000, 15_000])
  })

  it('follows Retry-After', () => {
    expect(delay(1, 0, 90_000)).toBe(90_000)
  })

  it('ignores a Retry-After of 0', () => {
    expect(delay(3, 1, 0)).toBe(1000)
  })
})
