import { describe, expect, it } from 'vitest'
import { type MessageSyntax, parseMessage } from '../message.ts'
import { buildModel, chainsOf, ownWording, type Wording } from '../model.ts'
import { groupKeys } from '../plural.ts'
import { normaliseFile } from '../normalise.ts'
import { emitPack } from './pack.ts'
import { wordingExpression } from './wording.ts'

/**
 * Compiles the message `N` for a pack of `language` from translations in the language
 * `written`.
 */
function compile(
  texts: Record<string, string>,
  written: string,
  language = written,
  syntax: MessageSyntax = 'double-brace',
) {
  const module = {
    name: 'test',
    texts: new Map([[written, normaliseFile(texts, { language: written, module: 'test' }).texts]]),
  }
  const [group] = groupKeys([...module.texts.get(written)!.keys()])
  const { key, plural, ordinal } = group!
  const message = { key, plural: plural !== undefined, ordinal }
  const model = { catalog: { defaultLanguage: written }, options: { syntax } }
  const wording = ownWording(model, module, group!, written)
  return wordingExpression(wording, message, language)
}

/** Evaluates the expression with the plural rules of `current`, unless it names others. */
const say = (expression: string, args: object, current: string): string => {
  const plural = (count: number, language = current) => new Intl.PluralRules(language).select(count)
  const value = new Function(`'use strict'; return ${expression}`)() as
    | string
    | ((args: object, plural: unknown) => string)
  return typeof value === 'string' ? value : value(args, plural)
}

/** Each form contains the name of its category, so that a wrong one is visible. */
const forms = (...categories: string[]): Record<string, string> =>
  Object.fromEntries(categories.map((one) => [`N_${one}`, `${one} {{count}}`]))
const all = ['zero', 'one', 'two', 'few', 'many', 'other']

describe('an ordinal', () => {
  const places = (...categories: string[]): Record<string, string> =>
    Object.fromEntries(categories.map((one) => [`N_ordinal_${one}`, `${one} {{count}}`]))

  it.each(['en', 'it', 'sv', 'de', 'ja', 'cy', 'fr-FR', 'hi', 'no such language'])(
    'of %s goes by the places of the language, not by its numbers',
    (language) => {
      const expression = compile(places(...all), language)
      const locale = language.includes(' ') ? 'en' : language
      const rules = new Intl.PluralRules(locale, { type: 'ordinal' })
      for (let count = 0; count <= 130; count++) {
        expect(say(expression, { count }, 'xx')).toBe(`${rules.select(count)} ${count}`)
      }
    },
  )

  it('has no form for zero of its own, as in i18next', () => {
    const expression = compile(places('zero', 'one', 'other'), 'en')
    expect(say(expression, { count: 0 }, 'en')).toBe('other 0')
  })

  it('keeps its rules, and those of numbers inside it', () => {
    const expression = compile({ N_ordinal_one: 'st', N_ordinal_other: 'th' }, 'en')
    expect(expression).toBe(
      '((f0)=>a=>(c=>c=="one"?"st":"th")((f0??=new Intl.PluralRules("en",{type:"ordinal"})).select(a.count)))()',
    )
    const nested = compile(
      {
        N_ordinal_one: '{count, plural, one {a} other {b}}',
        N_ordinal_other: '{m, plural, one {c} other {d}}',
      },
      'en',
      'en',
      'icu',
    )
    const shown = [1, 21, 2].map((count) => say(nested, { count, m: 1 }, 'en'))
    expect(shown).toEqual(['a', 'b', 'c'])
  })
})

describe('a plain text', () => {
  it.each([
    [{ A: 'Sign in' }, '"Sign in"'],
    [{ A: 'Hello {{name}}!' }, 'a=>"Hello "+a.name+"!"'],
    [{ A: '{{a}}{{b}}' }, 'a=>""+a.a+a.b'],
    [{ A: '{{first name}}' }, 'a=>""+a["first name"]'],
    [{ A: '{{count}} items' }, 'a=>""+a.count+" items"'],
    [{ A: '</script>{{x}}' }, String.raw`a=>"\x3C/script>"+a.x`],
  ])('of %j is %s', (texts, expected) => {
    expect(compile(texts as Record<string, string>, 'en')).toBe(expected)
  })

  it('is its key where nobody has written it', () => {
    expect(wordingExpression(undefined, { key: 'SIGN_IN', plural: false }, 'en')).toBe('"SIGN_IN"')
  })

  it('puts numbers beside each other, and adds nothing up', () => {
    expect(say(compile({ A: '{{a}}{{b}}' }, 'en'), { a: 1, b: 2 }, 'en')).toBe('12')
  })

  it('shows hostile arguments as they are', () => {
    const text = compile({ A: '{{a}}|{{__proto__}}' }, 'en')
    expect(say(text, Object.create(null, { a: { value: '`${x}\u2028' } }) as object, 'en')).toBe(
      '`${x}\u2028|undefined',
    )
  })
})

describe('a plural', () => {
  it.each(['ar', 'ru', 'pl', 'ja', 'en', 'cy', 'de-DE', 'lv', 'sl', 'fr'])(
    'says what its language says for every number, in %s',
    (language) => {
      const { pluralCategories: used } = new Intl.PluralRules(language).resolvedOptions()
      const texts = forms(...all.filter((one) => used.includes(one as Intl.LDMLPluralRule)))
      const expression = compile({ ...texts, N_other: 'other {{count}}', N_x: '' }, language)
      for (const count of [...Array(130).keys(), 1000, 1_000_000, 0.5, 1.5, -1]) {
        const category = new Intl.PluralRules(language).select(count)
        expect(say(expression, { count }, language)).toBe(`${category} ${count}`)
      }
    },
  )

  it('has only what a language can ask for', () => {
    // Japanese has a single form, so no category is requested whatever else is defined.
    expect(compile(forms('one', 'few', 'other'), 'ja')).toBe('a=>"other "+a.count')
    expect(compile(forms('one', 'few', 'other'), 'en')).toBe(
      '(a,p)=>(p=p(a.count),p=="one"?"one "+a.count:"other "+a.count)',
    )
  })

  it('shows the form for other where a form was not written', () => {
    const expression = compile(forms('one', 'other'), 'ru')
    expect([1, 2, 5, 21].map((count) => say(expression, { count }, 'ru'))).toEqual([
      'one 1',
      'other 2',
      'other 5',
      'one 21',
    ])
  })

  it('shows a zero form for 0, as i18next does, where the grammar has none', () => {
    const english = compile(forms('zero', 'one', 'other'), 'en')
    expect([0, 1, 2].map((count) => say(english, { count }, 'en'))).toEqual([
      'zero 0',
      'one 1',
      'other 2',
    ])
    const japanese = compile(forms('zero', 'other'), 'ja')
    expect([0, 1].map((count) => say(japanese, { count }, 'ja'))).toEqual(['zero 0', 'other 1'])
    // Latvian has a zero category and uses it for 10 and 20 too.
    const latvian = compile(forms('zero', 'one', 'other'), 'lv')
    expect([0, 1, 2, 10].map((count) => say(latvian, { count }, 'lv'))).toEqual([
      'zero 0',
      'one 1',
      'other 2',
      'zero 10',
    ])
  })

  it.each(['ar', 'ru', 'ja', 'cy', 'pl'])(
    'keeps the rules of the language that it is written in, in a pack of %s',
    (language) => {
      const expression = compile(forms('one', 'other'), 'en-US', language)
      expect(expression).toContain('"en-US"')
      for (const count of [0, 1, 2, 5, 11, 21, 100]) {
        expect(say(expression, { count }, language)).toBe(
          `${count === 1 ? 'one' : 'other'} ${count}`,
        )
      }
    },
  )

  it('knows a language that is written with an underscore, or that nobody knows', () => {
    const russian = compile(forms('one', 'few', 'many', 'other'), 'ru_RU')
    expect([1, 2, 5].map((count) => say(russian, { count }, 'ru_RU'))).toEqual([
      'one 1',
      'few 2',
      'many 5',
    ])
    const unknown = compile(forms('one', 'other'), 'key')
    expect([1, 2].map((count) => say(unknown, { count }, 'key'))).toEqual(['one 1', 'other 2'])
  })

  it('takes the base text where there is no form for other', () => {
    const texts = { N: 'base {{count}}', N_one: 'one {{count}}', N_other: '' }
    const expression = compile(texts, 'en')
    expect([1, 2].map((count) => say(expression, { count }, 'en'))).toEqual(['one 1', 'base 2'])
  })

  it('is a string where all forms are one and say no number', () => {
    const wording: Wording = {
      language: 'ja',
      other: parseMessage('some'),
      forms: new Map([['one', parseMessage('one')]]),
    }
    expect(wordingExpression(wording, { key: 'N', plural: true }, 'ja')).toBe('"some"')
  })

  it('fills in other parameters in every form', () => {
    const expression = compile(
      { N_one: '{{name}} has {{count}}', N_other: '{{count}} of {{name}}' },
      'en',
    )
    expect(say(expression, { count: 1, name: 'Ada' }, 'en')).toBe('Ada has 1')
    expect(say(expression, { count: 3, name: 'Ada' }, 'en')).toBe('3 of Ada')
  })
})

describe('a key that has plural forms and a text of its own', () => {
  /** Formats the message `N` as in the pack of a language. */
  const sayIn = (language: string, args?: object): string => {
    const texts = {
      en: { N: 'Items', N_one: '{{count}} item', N_other: '{{count}} items', M: 'of {{x}}' },
      de: { N: 'Artikel von {{x}}', N_one: 'ein Artikel', N_other: '{{count}} Artikel' },
      fr: { N_one: '{{count}} article', N_other: '{{count}} articles' },
    }
    const model = buildModel(
      {
        languages: Object.keys(texts).map((code) => ({ code, name: code })),
        defaultLanguage: 'en',
        modules: [
          {
            name: 'm',
            texts: new Map(
              Object.entries(texts).map(([code, file]) => [code, new Map(Object.entries(file))]),
            ),
          },
        ],
      },
      { syntax: 'double-brace' },
    )
    const [module] = model.modules
    const message = module!.messages.find(({ key }) => key === 'N')!
    const chain = chainsOf(model).get(language)!
    const code = emitPack(model, [{ source: module!.source, message }], language, chain)
    const [say] = new Function(code.replace('export default', 'return'))() as [
      (args: object | undefined, plural: (count: number, language?: string) => string) => string,
    ]
    return say(args, (count, of = language) => new Intl.PluralRules(of).select(count))
  }

  it('says that text where no number is given, and counts where one is', () => {
    expect(sayIn('en')).toBe('Items')
    expect([0, 1, 2].map((count) => sayIn('en', { count }))).toEqual([
      '0 items',
      '1 item',
      '2 items',
    ])
    expect(sayIn('de', { x: 'Ada' })).toBe('Artikel von Ada')
    expect(sayIn('de', { count: 1 })).toBe('ein Artikel')
  })

  it('falls back to another language for each of the two', () => {
    expect(sayIn('fr')).toBe('Items')
    expect(sayIn('fr', { count: 2 })).toBe('2 articles')
  })
})
