import fc from 'fast-check'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import type { Catalog } from '../model/catalog.ts'
import { emitPack } from '../emit/pack.ts'
import { inspect } from '../model/inspect.ts'
import { buildModel } from '../model/model.ts'
import { locateSyntaxError } from './message.ts'

const modelOf = (text: string, hasMarkup = true) => {
  const catalog: Catalog = {
    languages: [{ code: 'en', name: 'English' }],
    defaultLanguage: 'en',
    modules: [{ name: 'm', translations: new Map([['en', new Map([['A', text]])]]) }],
  }
  return buildModel(catalog, {
    syntax: 'icu',
    ...(hasMarkup && { markup: { framework: 'plain' } }),
  })
}

const args = {
  x: 'X',
  names: ['X'],
  n: 2,
  b: (children: readonly string[]) => `[b:${children.join('')}]`,
  i: (children: readonly string[]) => `[i:${children.join('')}]`,
}

/** Compiles and calls a message. */
function say(text: string, hasMarkup = true): string {
  const model = modelOf(text, hasMarkup)
  const pack = emitPack(model, model.modules[0]!.messages, 'en')
  const [entry] = new Function(pack.replace('export default', 'return'))() as [
    string | ((given: object, plural: unknown) => string | readonly string[]),
  ]
  const plural = (count: number) => new Intl.PluralRules('en').select(count)
  return typeof entry === 'string' ? entry : [entry(args, plural)].flat().join('')
}

const reference = (text: string, hasMarkup = true): string =>
  [new IntlMessageFormat(text, 'en', undefined, { ignoreTag: !hasMarkup }).format(args)]
    .flat()
    .join('')

describe('quotes of an ICU message with tags', () => {
  it.each([
    "'<b>x</b>' <b>{x}</b>",
    "'<b>'x'</b>' <b>{x}</b>",
    "<b>'<i>'{x}</b>",
    "<b>it''s '<b>' {x}</b>",
    "{n, plural, one {'<b>'} other {<b>'<b>' #</b>}}",
    "'{x}' <b>{x}</b>",
    "'<b>{x}</b>' <i>{x}</i>",
    "don't <b>press '<Enter>'</b>",
    "'<b>it''s</b>' <b>{x}</b>",
    "<b>{x}</b> '<b>",
    "{n, plural, other {'#'<b>#</b>}}",
    "{n, selectordinal, other {{x, select, other {# '<}'}}'#'<b>'#'</b>}}",
  ])('protect tags in %j, as in intl-messageformat', (text) => {
    expect(say(text)).toBe(reference(text))
    expect(inspect(modelOf(text)).filter(({ code }) => code === 'SYNTAX')).toEqual([])
  })

  it('protect tags in any message, as in intl-messageformat', () => {
    const piece = fc.constantFrom(
      "'<b>'",
      "'</b>'",
      "'<b>x</b>'",
      "''",
      "'{'",
      "'<{'",
      ' x ',
      '{x}',
      '<b>{x}</b>',
      "<i>'<b>'</i>",
    )
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const text = pieces.join(' ')
        expect(say(text)).toBe(reference(text))
      }),
    )
  })
})

describe('lists of an ICU message, which intl-messageformat does not have', () => {
  const call = (text: string): string => {
    const model = modelOf(text, false)
    const pack = emitPack(model, model.modules[0]!.messages, 'en')
    const [entry] = new Function(pack.replace('export default', 'return'))() as [
      string | ((given: object, ...formats: readonly unknown[]) => string),
    ]
    const format = (values: readonly string[]) => values.join(' and ')
    return typeof entry === 'string' ? entry : entry({ names: ['A', 'B'], x: 'X' }, format, format)
  }

  it.each([
    ["'#1 {names, list}", "'#1 A and B"],
    ["'|' {names, list}", "'|' A and B"],
    ["'{names, list}' {names, list}", '{names, list} A and B'],
    ["'<{names , list, disjunction }>'", '<{names , list, disjunction }>'],
    ["'>{names,list}' {x}", '>{names,list} X'],
  ])('are found in %j, and not in quotes', (text, expected) => {
    expect(call(text)).toBe(expected)
  })

  it('leave the place of an error where it is in the text', () => {
    const placeOf = (text: string) => locateSyntaxError(text, 'icu')?.offset
    expect(placeOf('{names, list} {x')).toBe(placeOf('{names, date} {x'))
  })

  it('are found in any message where a parameter would be', () => {
    const quotes = ["'", "''", "'<b>'", "'{", "}'", "'#'", '#', "'|", '<', '>', "'<"]
    const others = [
      '{x}',
      '{n, plural, other {',
      '}}',
      '<b>{x}</b>',
      '{names, list}',
      '{names,list , unit}',
    ]
    const piece = fc.constantFrom(...quotes, ...others)
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        (pieces, hasMarkup) => {
          const text = pieces.join('')
          const asParameter = (one: string) => one.replaceAll(/\{names[^}]*\}/g, '{x}')
          let expected: string
          try {
            expected = reference(asParameter(text), hasMarkup)
          } catch {
            return
          }
          expect(asParameter(say(text, hasMarkup))).toBe(expected)
        },
      ),
    )
  })
})
