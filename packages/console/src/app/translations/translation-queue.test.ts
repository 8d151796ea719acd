import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { messagesIn } from './messages.ts'
import { queueOf } from './translation-queue.ts'

const row = (key: string, texts: KeyRecord['texts'], more: Partial<KeyRecord> = {}): KeyRecord => ({
  module: 'm',
  key,
  texts,
  drafts: {},
  states: {},
  isRemoved: false,
  ...more,
})
const rows = [
  row('DONE', { en: 'Done', cs: 'Hotovo' }),
  row('GONE', { en: 'Gone' }, { isRemoved: true }),
  row('ITEMS_one', { en: '{{count}} item', cs: '{{count}} kus' }),
  row('ITEMS_other', { en: '{{count}} items', cs: '{{count}} kusů' }),
  row('PLACE_ordinal_one', { en: '{{count}}st' }),
  row('PLACE_ordinal_other', { en: '{{count}}th', cs: '{{count}}.' }),
  row('STEP_one', { en: 'Step one' }, { drafts: { cs: 'První krok' } }),
  row('TODO', { en: 'To do', cs: '[Key missing]' }),
]
const find = (language: string, filter: 'all' | 'missing' | 'changed', search = '') =>
  queueOf(rows, language, { search, module: '', filter }, { of: () => undefined }, new WeakMap())
const keysIn = (...given: Parameters<typeof find>) => find(...given).map(({ key }) => key)

it('offers the plural forms of the language as one message, also those that no language has', () => {
  const forms = (language: string, key: string) =>
    messagesIn(rows, language)
      .find((one) => one.key === key)!
      .forms.map(({ category, numbers }) => `${category} ${numbers.join(',')}`)
  expect(forms('cs', 'ITEMS')).toEqual(['one 1', 'few 2,3,4', 'many ', 'other 0,5,6'])
  expect(forms('en', 'ITEMS')).toEqual(['one 1', 'other 0,2,3'])
  expect(forms('ja', 'ITEMS')).toEqual(['other 0,1,2'])
  expect(forms('en', 'PLACE_ordinal')).toEqual([
    'one 1,21,31',
    'two 2,22,32',
    'few 3,23,33',
    'other 0,4,5',
  ])
  expect(messagesIn(rows, 'cs').map(({ key }) => key)).toEqual([
    'ITEMS',
    'PLACE_ordinal',
    'DONE',
    'STEP_one',
    'TODO',
  ])
})

it('lists the messages whose translation or plural form is missing in the language', () => {
  expect(keysIn('cs', 'all')).toEqual(['ITEMS', 'TODO'])
  expect(keysIn('cs', 'missing')).toEqual(['ITEMS', 'TODO'])
  expect(keysIn('cs', 'missing', 'item')).toEqual(['ITEMS'])
  expect(keysIn('ja', 'missing')).toHaveLength(5)
})

it('lists all messages of another filter', () => {
  expect(keysIn('cs', 'changed')).toEqual(['STEP_one'])
})
