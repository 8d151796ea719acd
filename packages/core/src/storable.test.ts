import { expect, it } from 'vitest'
import { stringProblem } from './storable.ts'

it.each(['', 'plain', '\u{1f600}', '\ufffd', '\u0001\u001f\u007f', '\u2028'])(
  'accepts the string %j',
  (text) => expect(stringProblem(text)).toBeUndefined(),
)

it.each(['\0', 'a\0b', '\ud800', 'a\udc00b', '\udc00\ud800'])('rejects the string %j', (text) =>
  expect(stringProblem(text)).toMatch(/U\+0000|surrogate/),
)
