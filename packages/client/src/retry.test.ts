import type { Effect } from '@servicekit/contract/routes'
import { describe, expect, it } from 'vitest'
import { mayRetry } from './retry.ts'

describe('mayRetry', () => {
  const passing = [408, 425, 429, 500, 502, 503, 504]
  const final = [300, 304, 400, 401, 403, 404, 406, 409, 422, 501, 505]
  const after = (effect: Effect) => (status: number) => mayRetry(effect, status, false)

  it('retries reads and replacements after a transient failure', () => {
    for (const effect of ['read', 'replace'] as const) {
      expect(passing.filter(after(effect)), effect).toEqual(passing)
      expect(final.filter(after(effect)), effect).toEqual([])
      expect(mayRetry(effect, undefined, false)).toBe(true)
    }
  })

  it('retries a creation only if it cannot have happened', () => {
    expect([...passing, ...final].filter(after('create'))).toEqual([429])
    expect(mayRetry('create', undefined, false)).toBe(false)
    expect(mayRetry('create', undefined, true)).toBe(true)
  })
})
