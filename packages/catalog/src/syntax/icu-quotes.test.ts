import fc from 'fast-check'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import type { Catalog } from '../model/catalog.ts'
import { emitPack } from '../emit/pack.ts'
import { inspect } from '../model/inspect.ts'
import { buildModel } from '../model/model.ts'

const modelOf = (text: string) => {
  const catalog: Catalog = {
    languages: [{ code: 'en', name: 'English' }],
    defaultLanguage: 'en',
    modules: [{ name: 'm', translations: new Map([['en', new Map([['A', text]])]]) }],
  }
  return buildModel(catalog, { syntax: 'icu', markup: { framework: 'plain' } })
}

const args = {
  x: 'X',
  n: 2,
  b: (children: readonly string[]) => `[b:${children.join('')}]`,
  i: (children: readonly string[]) => `[i:${children.join('')}]`,
}

/** Compiles and calls a message. */
function say(text: string): string {
  const model = modelOf(text)
  const pack = emitPack(model, model.modules[0]!.messages, 'en')
  const [entry] = new Function(pack.replace('export default', 'return'))() as [
    string | ((given: object, plural: unknown) => string | readonly string[]),
  ]
  const plural = (count: number) => new Intl.PluralRules('en').select(count)
  return typeof entry === 'string' ? entry : [entry(args, plural)].flat().join('')
}

const reference = (text: string): string =>
  [new IntlMessageFormat(text, 'en').format(args)].flat().join('')

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
