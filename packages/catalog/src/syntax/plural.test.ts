import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  categoriesOf,
  everydayCategoriesOf,
  groupKeys,
  localeOf,
  pluralCategories,
} from './plural.ts'

const plurals = (keys: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    groupKeys(keys).map(({ key, plural }) => [key, plural ? [...plural.keys()] : ['-']]),
  )

describe('groupKeys', () => {
  it.each([
    ['two forms', ['X_one', 'X_other'], { X: ['one', 'other'] }],
    ['other alone', ['X_other'], { X_other: ['-'] }],
    ['one alone', ['STEP_one'], { STEP_one: ['-'] }],
    ['no other', ['STEP_one', 'STEP_two'], { STEP_one: ['-'], STEP_two: ['-'] }],
    ['a base beside', ['X', 'X_one', 'X_other'], { X: ['one', 'other'] }],
    ['a base without forms', ['X', 'X_one'], { X: ['-'], X_one: ['-'] }],
    ['only a suffix', ['_one', '_other'], { _one: ['-'], _other: ['-'] }],
    [
      'a plural of a plural',
      ['X_one_one', 'X_one_other', 'X_other'],
      { X_one: ['one', 'other'], X_other: ['-'] },
    ],
    ['another case', ['X_One', 'X_OTHER'], { X_One: ['-'], X_OTHER: ['-'] }],
    [
      'more after the category',
      ['X_one_hint', 'X_other', 'X_two'],
      { X_one_hint: ['-'], X: ['other', 'two'] },
    ],
    ['a key of lines', ['a\nb_one', 'a\nb_other'], { 'a\nb': ['one', 'other'] }],
    [
      'dangerous names',
      ['__proto___one', '__proto___other', 'constructor'],
      { constructor: ['-'] },
    ],
  ])('reads %s', (_, keys, expected) => {
    expect(plurals(keys)).toMatchObject(expected)
  })

  it('includes the key without plural suffix', () => {
    const [group] = groupKeys(['X', 'X_one', 'X_other'])
    expect(group).toMatchObject({ key: 'X', base: 'X' })
    expect(groupKeys(['X_one', 'X_other'])[0]!.base).toBeUndefined()
  })

  it('distinguishes ordinal and cardinal forms', () => {
    const keys = ['X_one', 'X_other', 'X_ordinal_one', 'X_ordinal_other', 'Y_ordinal']
    expect(groupKeys(keys).map(({ key, ordinal }) => [key, ordinal])).toEqual([
      ['X', false],
      ['X_ordinal', true],
      ['Y_ordinal', false],
    ])
  })

  it('groups every key', () => {
    const key = fc
      .tuple(
        fc.constantFrom('A', 'B', 'A_one', '', '__proto__'),
        fc.constantFrom('', ...pluralCategories),
      )
      .map(([base, category]) => (category === '' ? base : `${base}_${category}`))
    fc.assert(
      fc.property(fc.uniqueArray(key), (keys) => {
        const groups = groupKeys(keys)
        const bases = groups.flatMap(({ base }) => base ?? [])
        const plain = groups.filter(({ plural }) => !plural).map((group) => group.key)
        const forms = groups.flatMap(({ plural }) => [...(plural?.values() ?? [])])
        expect(new Set([...plain, ...forms, ...bases])).toEqual(new Set(keys))
        // A base may also be a form of another message, like `A_one` of `A`. No other key
        // occurs twice.
        expect(new Set([...plain, ...forms]).size).toBe(plain.length + forms.length)
        expect(new Set(groups.map((group) => group.key)).size).toBe(groups.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('localeOf', () => {
  it.each([
    ['de_DE', 'de-DE'],
    ['key', 'en'],
    ['no such language', 'en'],
    ['', 'en'],
  ])('of %s is %s', (language, locale) => {
    expect(localeOf(language)).toBe(locale)
  })
})

describe('categoriesOf', () => {
  it.each([
    ['en-US', 'one other'],
    ['de_DE', 'one other'],
    ['ja', 'other'],
    ['pl', 'one few many other'],
    ['ru-RU', 'one few many other'],
    ['ar-EG', 'zero one two few many other'],
    ['cy', 'zero one two few many other'],
    ['key', 'one other'],
    ['no such language', 'one other'],
    ['', 'one other'],
  ])('of %s are %s', (language, categories) => {
    expect(categoriesOf(language).join(' ')).toBe(categories)
  })
})

describe('everydayCategoriesOf', () => {
  it.each([
    ['en-US', 'one other'],
    ['fr-FR', 'one other'],
    ['es', 'one other'],
    ['ja', 'other'],
    ['pl', 'one few many other'],
    ['cs', 'one few many other'],
    ['ar-EG', 'zero one two few many other'],
    ['lv', 'zero one other'],
  ])('of %s are %s', (language, categories) => {
    expect(everydayCategoriesOf(language).join(' ')).toBe(categories)
  })
})
