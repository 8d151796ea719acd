import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const noon = Date.parse('2030-01-01T12:00:00Z')

describe('retryAfterMs', () => {
  it.each([
    ['2', 2000],
    [' 120 ', 120_000],
    ['0', 0],
    ['1.5', 1500],
    ['Tue, 01 Jan 2030 12:00:30 GMT', 30_000],
    ['Tuesday, 01-Jan-30 12:00:30 GMT', 30_000],
    ['Tue Jan  1 12:00:30 2030', 30_000],
    ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
  ])('reads %j', (value, expected) => {
    expect(retryAfterMs(value, noon)).toBe(expected)
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
  ])('takes %j for nonsense', (value) => {
    expect(retryAfterMs(value, noon)).toBeUndefined()
  })

  it('never answers what is no time to wait', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const asked = retryAfterMs(value, noon)
        expect(asked === undefined || asked >= 0).toBe(true)
      }),
    )
  })
})
