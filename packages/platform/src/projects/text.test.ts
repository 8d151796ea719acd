import { expect, it } from 'vitest'
import { jsonFault, textFault } from './text.ts'

it.each(['', 'plain', '\u{1f600}', '\ufffd', '\u0001\u001f\u007f', '\u2028'])(
  'finds nothing wrong with %j',
  (text) => expect(textFault(text)).toBeUndefined(),
)

it.each(['\0', 'a\0b', '\ud800', 'a\udc00b', '\udc00\ud800'])('finds %j cannot be stored', (text) =>
  expect(textFault(text)).toBeDefined(),
)

it('says where in a value the fault is', () => {
  expect(jsonFault({ a: [{ b: 'ok' }, { c: 'x\0' }] })).toMatch(/^a\.1\.c /)
  expect(jsonFault({ a: { 'x\0': 1 } })).toMatch(/^the name "a\.x\\u0000" /)
  expect(jsonFault({ a: [1, null, true, 'x'] })).toBeUndefined()
})
