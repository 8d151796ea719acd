import { expect, it } from 'vitest'
import { checkTranslations } from './check-translations.ts'

const languages = ['en-US', 'de-DE', 'ar-EG']
const problems = (keys: Record<string, readonly (string | null)[]>, maxLength?: number) =>
  checkTranslations({
    module: 'cart',
    defaultLanguage: 'en-US',
    languages,
    keys: Object.entries(keys).map(([key, texts]) => ({
      key,
      translations: languages.map((_, index) => texts[index] ?? null),
      ...(maxLength !== undefined && { maxLength }),
    })),
  })
const find = (...given: Parameters<typeof problems>): readonly string[] =>
  problems(...given).map(({ keys, language, rule, severity }) =>
    [...keys, language, rule, severity].join(' '),
  )

it.each([
  ['an unknown placeholder', ['Hello {{name}}', 'Hallo {{name}} {{nme}}'], 'parameter error'],
  ['a placeholder that is not closed', ['Hello {{name}}', 'Hallo {{name'], 'parameter error'],
  ['a placeholder that is left out', ['Hello {{name}}', 'Hallo'], 'parameter error'],
  ['a tag that is left out', ['Read <b>this</b>', 'Lesen'], 'tag error'],
  ['a tag that is not closed', ['Read <b>this</b>', 'Lesen <b>hier'], 'tag error'],
  ['an unknown tag', ['Read this', 'Lesen <b>hier</b>'], 'tag error'],
  ['an unknown format', ['{{n, number}}', '{{n, currency(EURO)}}'], 'syntax error'],
  ['a translated format', ['{{n, number}}', '{{n, Zahl}}'], 'syntax error'],
  ['white space at the end', ['Save now', 'Sichern '], 'spacing warning'],
  ['two spaces', ['Save now', 'Jetzt  sichern'], 'spacing warning'],
  ['a copy of the source text', ['Add to cart now', 'Add to cart now'], 'copy warning'],
])('finds %s', (_, texts, expected) => {
  expect(find({ A: texts })).toEqual([`A de-DE ${expected}`])
})

it.each([
  ['plural form', 'eins {#} other {#}', '{n, plural, one {#} other {#}}', 'plural'],
  ['plural form', 'one {#} few {#} 0 {#} other {#}', '{n, plural, one {#} other {#}}', 'plural'],
  ['ordinal form', 'erste {#} other {#}', '{n, selectordinal, other {#}}', 'selectordinal'],
  ['case', 'männlich {Er} other {Sie}', '{n, select, male {He} other {They}}', 'select'],
])('finds a translated name of a %s, which is never shown: %s', (_, cases, source, kind) => {
  const translation = `{n, ${kind}, ${cases}}`
  const keys = [{ key: 'A', translations: [source, translation] }]
  const given = { module: 'cart', defaultLanguage: 'en-US', languages: ['en-US', 'de-DE'], keys }
  const found = checkTranslations(given, { syntax: 'icu' })
  expect(found).toContainEqual(
    expect.objectContaining({ rule: 'syntax', severity: 'error', language: 'de-DE' }),
  )
})

it.each([
  ['further cases', '{n, select, male {Er} guest {Gast} other {Sie}}'],
  ['fewer cases', '{n, select, other {Sie}}'],
])('accepts %s than in the source text', (_, translation) => {
  const keys = [{ key: 'A', translations: ['{n, select, male {He} other {They}}', translation] }]
  const given = { module: 'cart', defaultLanguage: 'en-US', languages: ['en-US', 'de-DE'], keys }
  expect(checkTranslations(given, { syntax: 'icu' })).toEqual([])
})

it.each([
  ['names and single words', ['Status', 'Status']],
  ['a missing translation', ['Hello {{name}}']],
  ['comparisons, which are no tags', ['a <b and c> d', 'a <b und c> d']],
  ['tags of a source text that cannot be read', ['<a><b></a></b>', 'ohne']],
  ['a text without a source text', [null, '{{x}}']],
])('reports nothing about %s', (_, texts) => {
  expect(find({ A: texts })).toEqual([])
})

it('finds plural forms that a language lacks, and reports each problem at every form', () => {
  expect(
    find({
      ITEMS_one: ['{{count}} item', '{{count}} Artikel von {{all}}', 'واحد'],
      ITEMS_other: ['{{count}} items', '{{count}} Artikel', '{{count}} عنصر'],
    }),
  ).toEqual([
    'ITEMS_one ITEMS_other de-DE parameter error',
    'ITEMS_one ITEMS_other ar-EG plural warning',
  ])
})

it('measures the length without placeholders', () => {
  expect(find({ A: ['Pay {{amount}}', 'Zahlen {{amount}}'] }, 9)).toEqual([])
  expect(find({ A: ['Pay', 'Jetzt bezahlen'] }, 9)).toEqual(['A de-DE length warning'])
})

it('tells which translations applications replace by a fallback', () => {
  const refused = problems({ A: ['Hello {{name}}', '{{nme}}'] }).filter((one) => one.isRefused)
  expect(refused.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^uses the unknown parameter nme; its fallback is shown/),
  ])
})
