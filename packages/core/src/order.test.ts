import { expect, it } from 'vitest'
import fc from 'fast-check'
import { byCodePoint } from './order.ts'

it('sorts by code point, independent of the locale', () => {
  expect(['b', 'a', 'B', '10', '9', 'ä', '', 'a'].sort(byCodePoint)).toEqual([
    '',
    '10',
    '9',
    'B',
    'a',
    'a',
    'b',
    'ä',
  ])
})

it('sorts as UTF-8 bytes do', () => {
  expect(['\u{10000}', '\u{FFFD}', '\u{D7FF}', 'z'].sort(byCodePoint)).toEqual([
    'z',
    '\u{D7FF}',
    '\u{FFFD}',
    '\u{10000}',
  ])
  const text = fc.string({ unit: 'binary', maxLength: 4 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    { numRuns: 2000 },
  )
})
