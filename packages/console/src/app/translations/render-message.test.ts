import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  groupKeys,
  type ParseOptions,
  parseTranslation,
  plainGroup,
} from '@servicekit/catalog/inspection'
import { translationExpression } from '../../../../catalog/src/emit/translation.ts'
import { findError } from './find-error.ts'
import { type Arguments, type Rendered, renderMessage } from './render-message.ts'

type Compiled = string | ((values: Arguments, plural: unknown) => unknown)

/** Runs the code that the plugin emits. */
function compiled(texts: Record<string, string>, language: string, options: ParseOptions) {
  const keys = Object.keys(texts)
  const group = groupKeys(keys)[0] ?? plainGroup('A')
  const translation = parseTranslation(new Map(Object.entries(texts)), group, language, options)!
  const message = { key: group.key, plural: group.plural !== undefined, ordinal: group.ordinal }
  const isMarkup = translation.tags !== undefined
  const code = translationExpression(translation, message, language, isMarkup)
  // eslint-disable-next-line no-eval -- the code under test
  const run = (0, eval)(`(${code})`) as Compiled
  const plural = (count: number, code = language) => new Intl.PluralRules(code).select(count)
  return {
    preview: (values: Arguments) => renderMessage(translation, values, group.ordinal),
    application: (values: Arguments) => (typeof run === 'string' ? run : run(values, plural)),
  }
}

const flat = (rendered: Rendered): string =>
  rendered
    .map((part) =>
      typeof part === 'string' ? part : `<${part.tag}>${flat(part.children ?? [])}</${part.tag}>`,
    )
    .join('')

const date = new Date('2026-03-01T12:00')
const values = { name: 'Ada', n: 1234.5, count: 2, d: date, l: ['a', 'b', 'c'], on: true, g: 'f' }
const braces: ParseOptions = { syntax: 'double-brace' }

it.each([
  ['Hello {{name}}', braces],
  ['{{n, number}} {{n, currency(EUR)}} {{n, number(maximumFractionDigits: 0)}}', braces],
  ['{{d, datetime(dateStyle: full)}} {{l, list}} {{count, relativetime(day)}}', braces],
  [
    '{count, plural, offset:1 =1 {one} one {# item} few {# few} other {# items}}',
    { syntax: 'icu' },
  ],
  ['{count, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { syntax: 'icu' }],
  [
    '{g, select, f {she} m {he} other {they}} {on, select, true {yes} other {no}}',
    { syntax: 'icu' },
  ],
  ['{n, number, percent} {n, number, ::scale/100} {d, date, short}', { syntax: 'icu' }],
] as const)('shows %j as an application does', (text, options) => {
  for (const language of ['en-US', 'de-DE', 'ar-EG', 'ja-JP', 'xx']) {
    for (const count of [0, 1, 2, 3, 11, 21, 100]) {
      const { preview, application } = compiled({ A: text }, language, options)
      expect(flat(preview({ ...values, count }))).toBe(application({ ...values, count }))
    }
  }
})

it('chooses the plural forms of a language as an application does', () => {
  const category = fc.constantFrom('zero', 'one', 'two', 'few', 'many')
  const language = fc.constantFrom('en-US', 'ar-EG', 'ja-JP', 'pl-PL', 'fr-FR')
  const kind = fc.constantFrom('A_', 'A_ordinal_')
  const count = fc.oneof(fc.nat(130), fc.constantFrom(1_000_000, 1.5))
  const forms = fc.uniqueArray(category, { minLength: 1 })
  fc.assert(
    fc.property(forms, language, kind, count, (names, code, prefix, number) => {
      const texts = Object.fromEntries(
        [...names, 'other'].map((name) => [`${prefix}${name}`, `${name} {{count}}`]),
      )
      const { preview, application } = compiled(texts, code, braces)
      expect(flat(preview({ count: number }))).toBe(application({ count: number }))
    }),
  )
})

it('shows tags as elements', () => {
  const options: ParseOptions = { syntax: 'double-brace', markup: { framework: 'react' } }
  const { preview, application } = compiled(
    { A: 'I <b>accept <i>{{name}}</i></b>.' },
    'en',
    options,
  )
  const tag = (name: string) => (children: readonly string[]) =>
    `<${name}>${children.join('')}</${name}>`
  const expected = application({ name: 'it', b: tag('b'), i: tag('i') }) as readonly string[]
  expect(flat(preview({ name: 'it' }))).toBe(expected.join(''))
  expect(flat(preview({ name: 'it' }))).toBe('I <b>accept <i>it</i></b>.')
})

it('reports the position of a syntax error in a message', () => {
  expect(findError('Total 👍 {{n, currency(EURO)}}', braces)).toMatchObject({ character: 9 })
  expect(findError('{n, plural, one {x}}', { syntax: 'icu' })).toMatchObject({
    message: expect.stringMatching(/missing other/) as unknown,
    character: expect.any(Number) as unknown,
  })
  expect(findError('Hello {name', { syntax: 'icu' })!.character).toBeGreaterThan(5)
  expect(findError('Hello {{name}', braces)).toEqual({ character: 7 })
  expect(findError('<b><i></b></i>', braces, 'wrong order')).toEqual({
    character: 1,
    message: 'wrong order',
  })
  expect(findError('Hello {{name}}, {{n, number}}', braces)).toBeUndefined()
})

it('reads quotes before tags like builds with the option markup', () => {
  const text = "{'<"
  const reasonOf = (options: ParseOptions) => findError(text, options)?.message
  expect(reasonOf({ syntax: 'icu', markup: { framework: 'react' } })).toBe(
    'expect argument closing brace',
  )
  expect(reasonOf({ syntax: 'icu' })).toBe('malformed argument')
})
