import type { Effect } from '@servicekit/contract/routes'
import { describe, expect, it } from 'vitest'
import { defaultRetry, mayRetry, retryDelayMs } from './retry.ts'

describe('retryDelayMs', () => {
  const delay = (attempt: number, random: number, askedMs?: number): number =>
    retryDelayMs(attempt, askedMs, defaultRetry, () => random)

  it('doubles up to its limit, and is between half a step and a whole one', () => {
    const attempts = [1, 2, 3, 6, 7, 99]
    expect(attempts.map((n) => delay(n, 0))).toEqual([125, 250, 500, 4000, 7500, 7500])
    expect(attempts.map((n) => delay(n, 1))).toEqual([250, 500, 1000, 8000, 15_000, 15_000])
  })

  it('is what the service asks for', () => {
    expect(delay(1, 0, 90_000)).toBe(90_000)
  })

  it('is our own where the service asks for nothing', () => {
    expect(delay(3, 1, 0)).toBe(1000)
  })
})

describe('mayRetry', () => {
  const passing = [408, 425, 429, 500, 502, 503, 504]
  const final = [300, 304, 400, 401, 403, 404, 406, 409, 422, 501, 505]
  const after = (effect: Effect) => (status: number) => mayRetry(effect, status, false)

  it('repeats what changes nothing, or the same, after a passing failure', () => {
    for (const effect of ['read', 'replace'] as const) {
      expect(passing.filter(after(effect)), effect).toEqual(passing)
      expect(final.filter(after(effect)), effect).toEqual([])
      expect(mayRetry(effect, undefined, false)).toBe(true)
    }
  })

  it('repeats what makes something new only where it cannot have been made', () => {
    expect([...passing, ...final].filter(after('create'))).toEqual([429])
    expect(mayRetry('create', undefined, false)).toBe(false)
    expect(mayRetry('create', undefined, true)).toBe(true)
  })
})
