import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commentCode, commentText } from './comment.ts'

test.each([
  ['Net, in EUR', 'Net, in EUR'],
  ['two\r\nlines\u2028more', 'two lines more'],
  ['*/ alert(1) /*', '*\\/ alert(1) /*'],
  ['@deprecated now', '\\@deprecated now'],
  ['{@link x} a@b.c', '{\\@link x} a@b.c'],
  ['turned \u202Eround', 'turned round'],
])('%j becomes %j', (text, written) => {
  expect(commentText(text)).toBe(written)
})

test('backticks do not end inline code', () => {
  expect(commentCode('a`b')).toBe("`a'b`")
})

test('no text ends the comment or the line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(commentText(text)).not.toMatch(/\*\/|[\n\r\u2028\u2029]/)
    }),
  )
})
