import { expect, it } from 'vitest'
import { jsonProblem, stringProblem } from './storable.ts'

it.each(['', 'plain', '\u{1f600}', '\ufffd', '\u0001\u001f\u007f', '\u2028'])(
  'accepts the string %j',
  (text) => expect(stringProblem(text)).toBeUndefined(),
)

it.each(['\0', 'a\0b', '\ud800', 'a\udc00b', '\udc00\ud800'])('rejects the string %j', (text) =>
  expect(stringProblem(text)).toMatch(/U\+0000|surrogate/),
)

it('names the path of the problem in a value', () => {
  expect(jsonProblem({ a: [{ b: 'ok' }, { c: 'x\0' }] })).toMatch(/^a\.1\.c /)
  expect(jsonProblem({ a: { 'x\0': 1 } })).toMatch(/^the name "a\.x\\u0000" /)
  expect(jsonProblem({ a: [1, null, true, 'x'] })).toBeUndefined()
})
