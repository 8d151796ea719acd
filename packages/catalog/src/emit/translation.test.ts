import { describe, expect, it } from 'vitest'
import { type MessageParts, type MessageSyntax, parseMessage } from '../syntax/message.ts'
import { buildModel } from '../model/model.ts'
import type { Translation } from '../model/parse-translation.ts'
import { normaliseFile } from '../model/normalise.ts'
import { emitPack } from './pack.ts'
import { translationExpression } from './translation.ts'

/**
 * Compiles the message `N` for a pack of `language` from translations in the language
 * `written`.
 */
function compile(
  translations: Record<string, string>,
  written: string,
  language = written,
  syntax: MessageSyntax = 'double-brace',
) {
  const model = buildModel(
    {
      languages: [{ code: written, name: written }],
      defaultLanguage: written,
      modules: [
        {
          name: 'test',
          translations: new Map([
            [
              written,
              normaliseFile(translations, { language: written, module: 'test' }).translations,
            ],
          ]),
        },
      ],
    },
    { syntax },
  )
  const message = model.modules[0]!.messages[0]!
  return translationExpression(message.translations.get(written), message, language)
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

  it.each(['en', 'it', 'sv', 'de', 'ja', 'cy', 'fr-FR', 'hi', '1x'])(
    'in %s uses the ordinal categories, not the cardinal ones',
    (language) => {
      const expression = compile(places(...all), language)
      const locale = language === '1x' ? 'en' : language
      const rules = new Intl.PluralRules(locale, { type: 'ordinal' })
      for (let count = 0; count <= 130; count++) {
        expect(say(expression, { count }, 'xx')).toBe(`${rules.select(count)} ${count}`)
      }
    },
  )

  it('ignores the zero form, like i18next', () => {
    const expression = compile(places('zero', 'one', 'other'), 'en')
    expect(say(expression, { count: 0 }, 'en')).toBe('other 0')
  })

  it('supports choices by number inside a form', () => {
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

describe('a message without plural', () => {
  it.each([
    [{ A: 'Sign in' }, '"Sign in"'],
    [{ A: 'Hello {{name}}!' }, 'a=>"Hello "+a.name+"!"'],
    [{ A: '{{a}}{{b}}' }, 'a=>""+a.a+a.b'],
    [{ A: '{{first name}}' }, 'a=>""+a["first name"]'],
    [{ A: '{{count}} items' }, 'a=>""+a.count+" items"'],
    [{ A: '</script>{{x}}' }, String.raw`a=>"\x3C/script>"+a.x`],
  ])('converts %j to %s', (translations, expected) => {
    expect(compile(translations as Record<string, string>, 'en')).toBe(expected)
  })

  it('is the key if there is no translation', () => {
    expect(translationExpression(undefined, { key: 'SIGN_IN', plural: false }, 'en')).toBe(
      '"SIGN_IN"',
    )
  })

  it('concatenates numbers instead of adding them', () => {
    expect(say(compile({ A: '{{a}}{{b}}' }, 'en'), { a: 1, b: 2 }, 'en')).toBe('12')
  })

  it('inserts any argument unchanged', () => {
    const text = compile({ A: '{{a}}|{{__proto__}}' }, 'en')
    expect(say(text, Object.create(null, { a: { value: '`${x}\u2028' } }) as object, 'en')).toBe(
      '`${x}\u2028|undefined',
    )
  })
})

describe('a message with choices and formats', () => {
  const icu = (text: string) => compile({ N: text }, 'en', 'en', 'icu')

  it.each([
    ['no branch of a category that the language lacks', '{n, plural, few {f} other {o}}', '("o")'],
    ['no category for a single branch', '{n, plural, =3 {x} other {o}}', '(a.n==3?"x":"o")'],
    ['a branch by value', '{s, select, x {y} other {o}}', '(a.s=="x"?"y":"o")'],
    ['only the branch other', '{s, select, other {o}}', '("o")'],
    ['booleans as strings', '{s, select, true {y} other {n}}', '(a.s+""=="true"?"y":"n")'],
    ['other values as they are', '{s, select, untrue {y} other {n}}', '(a.s=="untrue"?"y":"n")'],
    ['names that begin alike', '{s, select, falsely {y} other {n}}', '(a.s=="falsely"?"y":"n")'],
  ])('has %s', (_, text, expression) => {
    expect(icu(text)).toBe(`a=>${expression}`)
  })

  it('subtracts the offset before the category is chosen', () => {
    const text = icu('{n, plural, offset:1 =0 {none} one {you and # more} other {# more}}')
    expect([0, 2, 5].map((n) => say(text, { n }, 'en'))).toEqual([
      'none',
      'you and 1 more',
      '4 more',
    ])
    const plain = icu('{n, plural, one {x} other {y}}')
    expect(plain).toBe('(a,p)=>((c=>c=="one"?"x":"y")(p(a.n)))')
  })

  it('needs no empty string before a choice or a formatted value', () => {
    expect(icu('{n, plural, =1 {x} other {y}}{a}')).toBe('a=>(a.n==1?"x":"y")+a.a')
    expect(compile({ N: '{{n, number}}{{a}}' }, 'en')).toBe(
      '((f0)=>a=>(f0??=new Intl.NumberFormat("en")).format(a.n)+a.a)()',
    )
  })

  it('creates one Intl object for equal formats', () => {
    const text = compile(
      { N: '{{a, number}} {{b, list}} {{c, number}} {{d, list}} {{e, number}}' },
      'en',
    )
    expect(text).toMatch(/^\(\(f0,f1\)=>a=>/)
    expect(text.match(/f0\?\?=new Intl\.NumberFormat/g)).toHaveLength(3)
    expect(text.match(/f1\?\?=new Intl\.ListFormat/g)).toHaveLength(2)
    expect(say(text, { a: 1, b: ['x', 'y'], c: 2, d: ['z'], e: 3 }, 'en')).toBe('1 x and y 2 z 3')
  })

  it('scales numbers, except by 1', () => {
    expect(icu('{n, number, ::scale/1}')).not.toContain('*')
    expect(say(icu('{n, number, ::scale/100}'), { n: 0.5 }, 'en')).toBe('50')
  })

  /** Compiles a message that no syntax produces. */
  const build = (...other: MessageParts) =>
    translationExpression(
      { language: 'en', other, forms: new Map() },
      { key: 'N', plural: false },
      'en',
    )

  it('omits undefined options, and counts days without a unit', () => {
    expect(
      build({ param: 'n', format: { kind: 'number', options: { style: undefined, x: 1 } } }),
    ).toBe('((f0)=>a=>(f0??=new Intl.NumberFormat("en",{x:1})).format(a.n))()')
    expect(say(build({ param: 'n', format: { kind: 'relative' } }), { n: -1 }, 'en')).toBe(
      '1 day ago',
    )
  })

  it('has tags only as markup', () => {
    expect(() => build({ tag: 'b', children: ['x'] })).toThrow('A tag cannot be concatenated')
  })
})

describe('a plural', () => {
  it('is cardinal by default', () => {
    const translation: Translation = {
      language: 'en',
      other: ['many'],
      forms: new Map([['two', ['two']]]),
    }
    // English has `two` only among its ordinal categories.
    expect(translationExpression(translation, { key: 'N', plural: true }, 'en')).toBe('"many"')
  })

  it('compares with 0 only in a language without the category zero', () => {
    expect(compile(forms('zero', 'one', 'other'), 'lv')).not.toContain('===0')
    expect(compile(forms('zero', 'one', 'other'), 'en')).toContain('a.count===0?')
  })

  it.each(['ar', 'ru', 'pl', 'ja', 'en', 'cy', 'de-DE', 'lv', 'sl', 'fr'])(
    'has the form of every number in %s',
    (language) => {
      const { pluralCategories: used } = new Intl.PluralRules(language).resolvedOptions()
      const translations = forms(...all.filter((one) => used.includes(one as Intl.LDMLPluralRule)))
      const expression = compile({ ...translations, N_other: 'other {{count}}', N_x: '' }, language)
      for (const count of [...Array(130).keys(), 1000, 1_000_000, 0.5, 1.5, -1]) {
        const category = new Intl.PluralRules(language).select(count)
        expect(say(expression, { count }, language)).toBe(`${category} ${count}`)
      }
    },
  )

  it('contains only plural forms of the language', () => {
    // Japanese has a single form, so no category is requested whatever else is defined.
    expect(compile(forms('one', 'few', 'other'), 'ja')).toBe('a=>"other "+a.count')
    expect(compile(forms('one', 'few', 'other'), 'en')).toBe(
      '(a,p)=>(p=p(a.count),p=="one"?"one "+a.count:"other "+a.count)',
    )
  })

  it('uses the form other for a missing form', () => {
    const expression = compile(forms('one', 'other'), 'ru')
    expect([1, 2, 5, 21].map((count) => say(expression, { count }, 'ru'))).toEqual([
      'one 1',
      'other 2',
      'other 5',
      'one 21',
    ])
  })

  it('uses the zero form for 0 in languages without that category, like i18next', () => {
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
    'uses the plural rules of its own language in a pack of %s',
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

  it('supports language codes with an underscore and unknown languages', () => {
    const russian = compile(forms('one', 'few', 'many', 'other'), 'ru_RU')
    expect([1, 2, 5].map((count) => say(russian, { count }, 'ru_RU'))).toEqual([
      'one 1',
      'few 2',
      'many 5',
    ])
    const unknown = compile(forms('one', 'other'), 'key')
    expect([1, 2].map((count) => say(unknown, { count }, 'key'))).toEqual(['one 1', 'other 2'])
  })

  it('uses the translation of the key without suffix if the form other is missing', () => {
    const translations = { N: 'base {{count}}', N_one: 'one {{count}}', N_other: '' }
    const expression = compile(translations, 'en')
    expect([1, 2].map((count) => say(expression, { count }, 'en'))).toEqual(['one 1', 'base 2'])
  })

  it('is a string if the language has only one form without a number', () => {
    const translation: Translation = {
      language: 'ja',
      other: parseMessage('some'),
      forms: new Map([['one', parseMessage('one')]]),
    }
    expect(translationExpression(translation, { key: 'N', plural: true }, 'ja')).toBe('"some"')
  })

  it('inserts other parameters in every form', () => {
    const expression = compile(
      { N_one: '{{name}} has {{count}}', N_other: '{{count}} of {{name}}' },
      'en',
    )
    expect(say(expression, { count: 1, name: 'Ada' }, 'en')).toBe('Ada has 1')
    expect(say(expression, { count: 3, name: 'Ada' }, 'en')).toBe('3 of Ada')
  })
})

describe('a key with a translation and plural forms', () => {
  /** Formats the message `N` as in the pack of a language. */
  const sayIn = (language: string, args?: object): string => {
    const translations = {
      en: { N: 'Items', N_one: '{{count}} item', N_other: '{{count}} items', M: 'of {{x}}' },
      de: { N: 'Artikel', N_one: 'ein Artikel', N_other: '{{count}} Artikel' },
      fr: { N_one: '{{count}} article', N_other: '{{count}} articles' },
    }
    const model = buildModel(
      {
        languages: Object.keys(translations).map((code) => ({ code, name: code })),
        defaultLanguage: 'en',
        modules: [
          {
            name: 'm',
            translations: new Map(
              Object.entries(translations).map(([code, file]) => [
                code,
                new Map(Object.entries(file)),
              ]),
            ),
          },
        ],
      },
      { syntax: 'double-brace' },
    )
    const [module] = model.modules
    const message = module!.messages.find(({ key }) => key === 'N')!
    const code = emitPack(model, [message], language)
    const [say] = new Function(code.replace('export default', 'return'))() as [
      (args: object | undefined, plural: (count: number, language?: string) => string) => string,
    ]
    return say(args, (count, of = language) => new Intl.PluralRules(of).select(count))
  }

  it('uses the plural forms only if a count is given', () => {
    expect(sayIn('en')).toBe('Items')
    expect([0, 1, 2].map((count) => sayIn('en', { count }))).toEqual([
      '0 items',
      '1 item',
      '2 items',
    ])
    expect(sayIn('de')).toBe('Artikel')
    expect(sayIn('de', { count: 1 })).toBe('ein Artikel')
  })

  it('falls back separately for the translation and the plural forms', () => {
    expect(sayIn('fr')).toBe('Items')
    expect(sayIn('fr', { count: 2 })).toBe('2 articles')
  })
})
