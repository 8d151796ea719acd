import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasSamePlaceholders, placeholdersOf, withPlaceholdersOf } from './placeholders.ts'

it.each([
  ['Hello {{name}}, you have %d of {count}', ['{{name}}', '%d', '{count}']],
  ['<0>Terms</0> and <br/>', ['<0>', '</0>', '<br/>']],
  ['%{smart_count} of %1$s', ['%{smart_count}', '%1$s']],
  ['100% sure, a < b', []],
  ['{ not one }', []],
])('finds the placeholders of %s', (text, found) => {
  expect(placeholdersOf(text)).toEqual(found)
})

it('compares placeholders in any order, and counts them', () => {
  expect(hasSamePlaceholders('{{a}} {{b}}', '{{b}}: {{a}}')).toBe(true)
  expect(hasSamePlaceholders('{{a}}', '{{a}} {{a}}')).toBe(false)
})

it('replaces the placeholders of a translation by those of another text', () => {
  const put = (text: string, original: string, translation: string) =>
    withPlaceholdersOf(text, original, translation)
  expect(put('Hello {{user}}', 'Hello {{name}}', 'Hallo {{name}}')).toBe('Hallo {{user}}')
  expect(put('{x} of {y}', '{a} of {b}', '{b}中{a}')).toBe('{y}中{x}')
  expect(put('{x} {y}', '{a} {a}', '{a}+{a}')).toBe('{x}+{y}')
  expect(put('Hello', 'Hello {{name}}', 'Hallo {{name}}')).toBeUndefined()
  expect(put('{x}', '{a}', 'none')).toBeUndefined()
})

it('keeps the placeholders of a text that is its own source', () => {
  const one = fc.constantFrom('{{a}}', '{b}', '%s', '<0>', 'word', ' ')
  const text = fc.array(one, { maxLength: 8 }).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(text, (original) => {
      expect(withPlaceholdersOf(original, original, original)).toBe(original)
    }),
  )
})
