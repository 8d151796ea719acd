import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { unknownPlaceholders } from './unknown-placeholders.ts'

const row = (key: string, en: string, de: string | null = null): KeyRecord => ({
  module: 'm',
  key,
  texts: { en, de },
  drafts: {},
  isRemoved: false,
})
const change = (key: string, value: string, language = 'de') => ({
  module: 'm',
  key,
  language,
  value,
  expected: null,
})
const rows = [
  row('PLAIN', 'Welcome'),
  row('NAMED', 'Hello {{name}}'),
  row('ITEMS_one', 'One of {{all}}'),
  row('ITEMS_other', '{{count}} of {{all}}'),
  row('EMPTY', ''),
  row('NOT_A_FORM_one', 'One'),
]

it.each([
  ['PLAIN', 'Willkommen {{name}}', ['name']],
  ['NAMED', '{{nmae}} und {{name}} und {{nmae}}', ['nmae']],
  ['NAMED', 'Hallo {{name}}', []],
  ['NAMED', 'Hallo', []],
  ['ITEMS_one', '{{count}} von {{all}}', []],
  ['ITEMS_one', '{{x}}', ['x']],
  ['EMPTY', '{{x}}', []],
  ['NOT_A_FORM_one', '{{count}}', ['count']],
  ['GONE', '{{x}}', []],
] as const)('finds the unknown placeholders of %s: %s', (key, value, names) => {
  const found = unknownPlaceholders(rows, [change(key, value)], 'en')
  expect(found.flatMap((one) => one.names)).toEqual(names)
})

it('compares with the source text as it is after the same changes', () => {
  const changes = [change('PLAIN', 'Welcome {{name}}', 'en'), change('PLAIN', 'Hallo {{name}}')]
  expect(unknownPlaceholders(rows, changes, 'en')).toEqual([])
  expect(unknownPlaceholders(rows, changes.toReversed(), 'en')).toEqual([])
})

it('does not compare the source text with itself', () => {
  expect(unknownPlaceholders(rows, [change('PLAIN', '{{new}}', 'en')], 'en')).toEqual([])
})
