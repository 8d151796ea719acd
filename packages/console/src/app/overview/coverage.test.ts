import { expect, it } from 'vitest'
import { coverageOf } from './coverage.ts'

const language = (languageCode: string) => ({
  itemId: languageCode,
  languageCode,
  languageName: languageCode,
  isDefault: false,
  isDraft: false,
  written: 0,
  keys: 0,
})

it('counts the missing translations of each language and module', () => {
  const modules = [
    {
      itemId: '1',
      moduleName: 'auth',
      isDraft: false,
      keys: 8,
      written: { en: 8, de: 6 },
      unusedForms: { de: 1 },
    },
    {
      itemId: '2',
      moduleName: 'cart',
      isDraft: false,
      keys: 2,
      written: { en: 2 },
      unusedForms: {},
    },
    { itemId: '3', moduleName: 'empty', isDraft: true, keys: 0, written: {}, unusedForms: {} },
  ]
  const rows = coverageOf(['en', 'de', 'key'].map(language), modules)
  expect(rows.map((row) => [row.language.languageCode, row.missing])).toEqual([
    ['en', 0],
    ['de', 3],
  ])
  expect(rows[1]!.cells.map(({ missing, level }) => [missing, level])).toEqual([
    [1, 1],
    [2, 4],
    [0, 0],
  ])
})
