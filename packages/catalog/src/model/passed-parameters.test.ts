import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Catalog } from './catalog.ts'
import { messageData } from '../emit/data.ts'
import { emitPack } from '../emit/pack.ts'
import { inspect } from './inspect.ts'
import type { MessageSyntax, ParameterType } from '../syntax/message.ts'
import { buildModel, type MessageModel, type Model } from './model.ts'
import { passedParameters } from './passed-parameters.ts'

/** Builds the messages of one module from texts by language; the first one is the default. */
function modelOf(
  languages: Record<string, Record<string, string>>,
  syntax: MessageSyntax = 'double-brace',
): Model {
  const codes = Object.keys(languages)
  const catalog: Catalog = {
    languages: codes.map((code) => ({ code, name: code })),
    defaultLanguage: codes[0]!,
    modules: [
      {
        name: 'm',
        translations: new Map(
          codes.map((code) => [code, new Map(Object.entries(languages[code]!))]),
        ),
      },
    ],
  }
  return buildModel(catalog, { syntax })
}

/** Compiles a message for a language and calls it, as a page does. */
function say(model: Model, language: string, args?: Record<string, unknown>): string {
  const pack = emitPack(model, model.modules[0]!.messages, language)
  const [text] = new Function(pack.replace('export default', 'return'))() as [
    string | ((args: unknown, plural: unknown) => string),
  ]
  const plural = (count: number, code = language) => new Intl.PluralRules(code).select(count)
  return typeof text === 'string' ? text : text(args, plural)
}

const problemsIn = (model: Model): readonly string[] =>
  inspect(model)
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, language, message }) => `${code} ${language} ${message.split(':')[0]}`)

describe('a translation with a parameter that calls do not pass', () => {
  it('falls back to the default language, and is reported', () => {
    const model = modelOf({ en: { A: 'Welcome' }, de: { A: 'Willkommen {{name}}' } })
    expect(say(model, 'de')).toBe('Welcome')
    expect(messageData(model, model.modules[0]!.messages[0]!, 'de')).toBe('Welcome')
    expect(problemsIn(model)).toEqual([
      'PARAMETER_UNKNOWN de uses the unknown parameter name; its fallback is shown',
    ])
  })

  it('falls back if the name is mistyped', () => {
    const model = modelOf({ en: { A: 'Hi {{name}}' }, de: { A: 'Hallo {{nmae}}' } })
    expect(say(model, 'de', { name: 'Ann' })).toBe('Hi Ann')
  })

  it('falls back to a related language that fits', () => {
    const model = modelOf({
      en: { A: 'Hi {{name}}' },
      de: { A: 'Hallo {{name}}' },
      'de-AT': { A: 'Servus {{nmae}}' },
    })
    expect(say(model, 'de-AT', { name: 'Ann' })).toBe('Hallo Ann')
  })

  it('falls back if the parameter is in a plural form', () => {
    const model = modelOf({
      en: { A_one: '{{count}} item', A_other: '{{count}} items' },
      de: { A_one: 'ein {{ding}}', A_other: '{{count}} Dinge' },
    })
    expect(say(model, 'de', { count: 1 })).toBe('1 item')
  })

  it.each([
    ['a date', '{at, date}', 'PARAMETER_TYPE'],
    ['a list', '{at, list}', 'PARAMETER_TYPE'],
    ['a date in a choice', '{at, select, x {{at, date}} other {}}', 'PARAMETER_TYPE'],
    [
      'an argument of a choice',
      '{gender, select, male {Er} other {Sie}} {at}',
      'PARAMETER_UNKNOWN',
    ],
  ])('falls back if calls pass a string and it needs %s', (_, text, code) => {
    const model = modelOf({ en: { A: 'At {at}' }, de: { A: text } }, 'icu')
    expect(say(model, 'de', { at: 'noon' })).toBe('At noon')
    expect(problemsIn(model)[0]).toMatch(new RegExp(`^${code} de `))
  })

  it.each([
    ['a plural without other', '{n, plural, one {eins}}'],
    ['a select without other', '{n, select, 1 {eins}}'],
    ['a currency that does not exist', '{n, number, ::currency/EURO}'],
    ['a field that Intl has not', '{n, date, ::SSS}'],
    ['a scale that is no number', '{n, number, ::scale/x}'],
    ['a type that does not exist', '{n, spellout}'],
    ['an open brace', '{n, number'],
  ])('falls back for %s, which is no valid message', (_, text) => {
    const model = modelOf({ en: { A: '{n, number} items' }, de: { A: text } }, 'icu')
    expect(say(model, 'de', { n: 5 })).toBe('5 items')
    expect(problemsIn(model)[0]).toMatch(/^SYNTAX de is not a valid ICU message/)
  })

  it('shows the text of an invalid message that has no other', () => {
    const model = modelOf({ en: { A: '{n, spellout}' }, de: {} }, 'icu')
    expect([say(model, 'en'), say(model, 'de')]).toEqual(['{n, spellout}', '{n, spellout}'])
  })

  it('does not fall back for plurals of a number that the default language shows as it is', () => {
    const model = modelOf(
      { en: { A: '{n} selected' }, de: { A: '{n, plural, one {eins} other {# viele}} gewählt' } },
      'icu',
    )
    expect(say(model, 'de', { n: 1 })).toBe('eins gewählt')
    expect(problemsIn(model)).toEqual([])
  })

  it('does not fall back if a parameter is omitted', () => {
    const model = modelOf({ en: { A: 'Hi {{name}}' }, de: { A: 'Hallo' } })
    expect(say(model, 'de', { name: 'Ann' })).toBe('Hallo')
  })
})

const values: Readonly<Record<ParameterType, fc.Arbitrary<unknown>>> = {
  value: fc.oneof(fc.integer(), fc.constantFrom('Ann', '', '3')),
  number: fc.integer(),
  date: fc.oneof(fc.date({ noInvalidDate: true }), fc.integer({ min: 0, max: 2 ** 41 })),
  list: fc.array(fc.constantFrom('a', 'b')),
  flag: fc.oneof(fc.boolean(), fc.constantFrom('true', 'x'), fc.integer()),
}

const anyArguments = (message: MessageModel): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries([...passedParameters(message)].map(([name, type]) => [name, values[type]])),
  )

const anyName = fc.constantFrom('a', 'b', 'count')
const anyIcu = fc
  .array(
    fc.oneof(
      fc.constantFrom('text', ' ', '{a}'),
      anyName.map((name) => `{${name}}`),
      fc
        .tuple(anyName, fc.constantFrom('number', 'date', 'time', 'list', 'number, percent'))
        .map(([name, type]) => `{${name}, ${type}}`),
      anyName.map((name) => `{${name}, plural, one {# {a}} other {#}}`),
      anyName.map((name) => `{${name}, select, true {yes {b}} other {no}}`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))

describe('any translation', () => {
  it('neither throws nor shows "undefined" when it is called as its types require', () => {
    fc.assert(
      fc.property(
        anyIcu.chain((source) => {
          const model = modelOf({ en: { A: source } }, 'icu')
          return fc.tuple(fc.constant(source), anyIcu, anyArguments(model.modules[0]!.messages[0]!))
        }),
        ([source, text, args]) => {
          const model = modelOf({ en: { A: source }, de: { A: text } }, 'icu')
          expect(say(model, 'de', args)).not.toContain('undefined')
        },
      ),
      { numRuns: 2000 },
    )
  })
})
