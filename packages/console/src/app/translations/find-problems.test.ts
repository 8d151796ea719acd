import { expect, it } from 'vitest'
import { findProblems } from './find-problems.ts'

const find = (keys: Record<string, readonly [string, string]>, maxLength?: number) =>
  findProblems({
    module: 'cart',
    defaultLanguage: 'en-US',
    languages: ['en-US', 'de-DE'],
    keys: Object.entries(keys).map(([key, translations]) => ({
      key,
      translations,
      ...(maxLength !== undefined && { maxLength }),
    })),
  }).map(({ key, language, kind }) => `${key} ${language} ${kind}`)

it('finds copies of the source text, but not names and single words', () => {
  expect(find({ A: ['Add to cart now', 'Add to cart now'], B: ['Status', 'Status'] })).toEqual([
    'A de-DE copied',
  ])
})

it('finds placeholders that a translation lacks', () => {
  expect(find({ A: ['Hello {{name}}', 'Hallo'], B: ['Hello {{name}}', 'Hallo {{name}}'] })).toEqual(
    ['A de-DE placeholders'],
  )
})

it('reports a problem at each plural form', () => {
  const found = find({
    ITEMS_one: ['{{count}} item of {{shop}}', '{{count}} Artikel'],
    ITEMS_other: ['{{count}} items of {{shop}}', '{{count}} Artikel'],
  })
  expect(found).toEqual(['ITEMS_one de-DE placeholders', 'ITEMS_other de-DE placeholders'])
})

it('finds translations that are too long, without counting placeholders', () => {
  expect(find({ A: ['Pay {{amount}}', 'Bezahlen {{amount}}'] }, 9)).toEqual([])
  expect(find({ A: ['Pay', 'Jetzt bezahlen'] }, 9)).toEqual(['A de-DE tooLong'])
})
