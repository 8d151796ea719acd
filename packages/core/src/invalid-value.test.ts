import { expect, it } from 'vitest'
import { formatChoice, invalidValue } from './invalid-value.ts'

it.each([
  [
    '--port',
    'an integer between 0 and 65535',
    'abc',
    '--port must be an integer between 0 and 65535 (received "abc")',
  ],
  [
    'long',
    formatChoice(['number', 'bigint', 'string']),
    5,
    'long must be number, bigint or string (received 5)',
  ],
  ['output', formatChoice(['ts', 'js']), null, 'output must be ts or js (received null)'],
  [
    'pages',
    'an integer between 1 and 9',
    Number.NaN,
    'pages must be an integer between 1 and 9 (received NaN)',
  ],
])('names the option %s, what it must be, and what it is', (name, expected, value, message) => {
  expect(invalidValue(name, expected, value)).toBe(message)
})
