import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSame, recentEvents } from './webhook-receiver.ts'

describe('isSame', () => {
  it('compares any two strings', () => {
    const strings = fc.string({ minLength: 1 })
    fc.assert(
      fc.property(fc.string(), strings, (a, b) => {
        expect(isSame(b, b)).toBe(true)
        expect(isSame(a, b)).toBe(a === b)
      }),
    )
  })

  it('distinguishes a string from its repetition and its prefix', () => {
    for (const given of ['', 'a', 'ab', 'abcabc', 'abcabcabc', 'abd', 'bbc']) {
      expect(isSame(given, 'abc')).toBe(false)
    }
  })
})

describe('recentEvents', () => {
  it('remembers the last events until they are deleted', () => {
    const seen = recentEvents(2)
    expect([seen.add('a'), seen.add('a'), seen.add('b'), seen.add('c')]).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(seen.add('c')).toBe(false)
    expect(seen.add('a')).toBe(true)
    seen.delete('a')
    expect(seen.add('a')).toBe(true)
  })
})
