import { expect, it } from 'vitest'
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
