import type { TranslationProblem } from '@servicekit/catalog/inspection'
import { expect, it } from 'vitest'
import type { KeyRecord } from '../state/records.ts'
import { filterRows, type RowConditions } from './filter-rows.ts'

const row = (
  key: string,
  texts: Record<string, string | null>,
  drafts: Record<string, string | null> = {},
): KeyRecord => ({
  module: key.startsWith('C') ? 'cart' : 'auth',
  key,
  texts,
  drafts,
  states: {},
  isRemoved: false,
})

const copy: TranslationProblem = {
  rule: 'copy',
  severity: 'warning',
  module: 'm',
  key: 'SIGN_IN',
  keys: ['SIGN_IN'],
  language: 'de',
  message: 'is the same as the source text',
  isRefused: false,
}
const rows = [
  row('SIGN_IN', { en: 'Sign in', de: 'Anmelden' }),
  row('SIGN_OUT', { en: 'Sign out', de: '[ Key Missing ]\n' }),
  row('CART', { en: 'Cart' }, { de: 'Warenkorb' }),
]
const find = (conditions: Partial<RowConditions>): readonly string[] =>
  filterRows(
    rows,
    { search: '', module: '', filter: 'all', languages: ['en', 'de'], ...conditions },
    {
      of: ({ key }) => (key === 'SIGN_IN' ? new Map([['de', [copy]]]) : undefined),
    },
    new WeakMap(),
  ).map(({ key }) => key)

it('searches keys, served and drafted translations without regard to case', () => {
  expect(find({ search: 'sign_' })).toEqual(['SIGN_IN', 'SIGN_OUT'])
  expect(find({ search: 'ANMELDEN' })).toEqual(['SIGN_IN'])
  expect(find({ search: 'warenkorb' })).toEqual(['CART'])
})

it('searches all words, without regard to accents', () => {
  expect(find({ search: 'out sign' })).toEqual(['SIGN_OUT'])
  expect(find({ search: 'sign korb' })).toEqual([])
  const size = [row('SIZE', { de: 'Die Größe' })]
  const found = (search: string) =>
    filterRows(
      size,
      { search, module: '', filter: 'all', languages: [] },
      { of: () => undefined },
      new WeakMap(),
    ).length
  expect(['grosse', 'GRÖSSE', 'größe die', 'klein'].map(found)).toEqual([1, 1, 1, 0])
})

it('filters by the state of a translation', () => {
  const states = { de: 'reviewed', fr: 'needsReview' } as const
  const texts = { en: 'Save', de: 'Speichern', fr: 'Enregistrer' }
  const all = [{ ...row('SAVE', texts), states }, row('CLOSE', { en: 'Close', de: 'Schließen' })]
  const found = (filter: RowConditions['filter'], ...languages: string[]) =>
    filterRows(
      all,
      { search: '', module: '', filter, languages },
      { of: () => undefined },
      new WeakMap(),
    ).map(({ key }) => key)
  expect(found('reviewed', 'de', 'fr')).toEqual(['SAVE'])
  expect(found('reviewed', 'fr')).toEqual([])
  expect(found('needsReview', 'fr')).toEqual(['SAVE'])
  expect(found('translated', 'de')).toEqual(['CLOSE'])
  expect(found('missing', 'fr')).toEqual(['CLOSE'])
})

it('shows keys that are kept in any case', () => {
  const isKept = ({ key }: KeyRecord) => key === 'CART'
  expect(find({ filter: 'missing', search: 'sign', isKept })).toEqual(['SIGN_OUT', 'CART'])
})

it('filters by module, missing translations, changes and problems', () => {
  expect(find({ module: 'cart' })).toEqual(['CART'])
  expect(find({ filter: 'missing' })).toEqual(['SIGN_OUT'])
  expect(find({ filter: 'missing', languages: ['en'] })).toEqual([])
  expect(find({ filter: 'changed' })).toEqual(['CART'])
  expect(find({ filter: 'copied' })).toEqual(['SIGN_IN'])
  expect(find({ filter: 'problems' })).toEqual(['SIGN_IN'])
  expect(find({ filter: 'tooLong' })).toEqual([])
  expect(find({ filter: 'unused', isUnused: ({ key }) => key === 'CART' })).toEqual(['CART'])
})

it('misses keys that are no plural forms in the application', () => {
  const forms = ['one', 'few', 'other'].map((form) => row(`ITEMS_${form}`, { ar: 'x' }))
  const missing = (noPlural?: Record<string, readonly string[]>) =>
    filterRows(
      forms,
      { search: '', module: '', filter: 'missing', languages: ['en'], noPlural },
      { of: () => undefined },
      new WeakMap(),
    ).map(({ key }) => key)
  expect(missing()).toEqual(['ITEMS_one', 'ITEMS_other'])
  expect(missing({ auth: ['ITEMS'] })).toEqual(['ITEMS_one', 'ITEMS_few', 'ITEMS_other'])
  expect(missing({ other: ['ITEMS'] })).toEqual(['ITEMS_one', 'ITEMS_other'])
})

it('does not miss plural forms that a language does not use', () => {
  const forms = ['one', 'few', 'other'].map((form) => row(`ITEMS_${form}`, { ar: 'x' }))
  const missing = (language: string, all = [...forms, row('STEP_few', { ar: 'x' })]) =>
    filterRows(
      all,
      { search: '', module: '', filter: 'missing', languages: [language] },
      { of: () => undefined },
      new WeakMap(),
    ).map(({ key }) => key)
  expect(missing('en')).toEqual(['ITEMS_one', 'ITEMS_other', 'STEP_few'])
  expect(missing('ja')).toEqual(['ITEMS_other', 'STEP_few'])
  expect(missing('pl')).toEqual(['ITEMS_one', 'ITEMS_few', 'ITEMS_other', 'STEP_few'])
  expect(missing('ar')).toEqual([])
  const ordinals = ['one', 'other'].map((form) => row(`PLACE_ordinal_${form}`, {}))
  expect(missing('en', ordinals)).toEqual(['PLACE_ordinal_one', 'PLACE_ordinal_other'])
  expect(missing('de', ordinals)).toEqual(['PLACE_ordinal_other'])
})
