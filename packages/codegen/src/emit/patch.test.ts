import { expect, test } from 'vitest'
import { patch } from './patch.ts'

test.each([
  ['a\nb\nc', [1, -1, 'B', 1], 'a\nB\nc'],
  ['a\nb\nc', [3], 'a\nb\nc'],
  ['a\nb\nc', ['x\ny', 1, -2], 'x\ny\na'],
  ['a\nb\n', [-1, 1, 'c', 1], 'b\nc\n'],
  ['a', [-1], ''],
])('%j with %j is %j', (text, edits, expected) => {
  expect(patch(text, edits)).toBe(expected)
})
