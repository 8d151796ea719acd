import { describe, expect, it } from 'vitest'
import { translationExpression } from '../emit/translation.ts'
import { parseIcu } from './icu.ts'
import { parametersOfTranslation } from '../model/parse-translation.ts'
import { buildModel } from '../model/model.ts'
import { pseudoParts } from '../model/pseudo.ts'

/** Compiles a message for `language` and evaluates it. */
function say(
  text: string,
  args: object = {},
  language = 'en',
  syntax: 'icu' | 'double-brace' = 'icu',
): string {
  const model = buildModel(
    {
      languages: [{ code: language, name: language }],
      defaultLanguage: language,
      modules: [{ name: 'm', translations: new Map([[language, new Map([['K', text]])]]) }],
    },
    { syntax },
  )
  const message = model.modules[0]!.messages[0]!
  const expression = translationExpression(message.translations.get(language), message, language)
  const value = new Function(`'use strict'; return ${expression}`)() as
    | string
    | ((args: object, plural: unknown) => string)
  const plural = (count: number, of = language) => new Intl.PluralRules(of).select(count)
  return typeof value === 'string' ? value : value(args, plural)
}

describe('an ICU message', () => {
  it.each([
    ['Plain text, with "quotes"', {}, 'Plain text, with "quotes"'],
    [' white  space\n', {}, ' white  space\n'],
    ['Hello {name}!', { name: 'Ada' }, 'Hello Ada!'],
    ["It''s '{name}'", {}, "It's {name}"],
    ['<b>{x}</b>', { x: 1 }, '<b>1</b>'],
    ['{n, plural, one {# item} other {# items}}', { n: 1 }, '1 item'],
    ['{n, plural, one {# item} other {# items}}', { n: 1200 }, '1,200 items'],
    ['{n, plural, =0 {none} one {one} other {#}}', { n: 0 }, 'none'],
    [
      '{n, plural, offset:1 =0 {nobody} =1 {you} one {you and # more} other {you and # more}}',
      { n: 4 },
      'you and 3 more',
    ],
    ['{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 23 }, '23rd'],
    ['{g, select, female {She} male {He} other {They}} left', { g: 'male' }, 'He left'],
    ['{g, select, female {She} other {They}}', { g: 'toString' }, 'They'],
    ['{new, select, true {New} false {Used} other {?}}', { new: true }, 'New'],
    ['{new, select, true {New} false {Used} other {?}}', { new: false }, 'Used'],
    ['{g, select, a {{n, plural, one {x} other {y #}}} other {z}}', { g: 'a', n: 5 }, 'y 5'],
    ['{n, plural, one {{m, plural, one {1/1} other {1/#}}} other {#/n}}', { n: 1, m: 7 }, '1/7'],
    ['{n, number}', { n: 1234.5 }, '1,234.5'],
    ['{n, number, percent}', { n: 0.25 }, '25%'],
    ['{n, number, ::currency/EUR}', { n: 3 }, '€3.00'],
    ['{n, number, ::scale/100}', { n: 3 }, '300'],
    ['{d, date, ::yMMMd}', { d: new Date(2024, 0, 2) }, 'Jan 2, 2024'],
    ['{d, date, short}', { d: new Date(2024, 0, 2) }, '1/2/24'],
    ['{who, list}', { who: ['a', 'b', 'c'] }, 'a, b, and c'],
    ['{who, list, disjunction}', { who: ['a', 'b'] }, 'a or b'],
    ["'{who, list}' {who, list}", { who: ['a'] }, '{who, list} a'],
  ])('evaluates %j', (text, args, expected) => {
    expect(say(text, args)).toBe(expected)
  })

  it('formats numbers, dates and lists for the language', () => {
    expect(say('{n, number}', { n: 1234.5 }, 'de-DE')).toBe('1.234,5')
    expect(say('{n, plural, other {#}}', { n: 1200 }, 'de-DE')).toBe('1.200')
    expect(say('{who, list}', { who: ['a', 'b'] }, 'de-DE')).toBe('a und b')
    expect(say('{n, plural, few {F #} many {M #} other {O}}', { n: 3 }, 'pl')).toBe('F 3')
  })

  it('derives the type of each parameter', () => {
    const { parts } = parseIcu(
      '{n, plural, other {{w} #}} {d, date} {l, list} {s, select, other {}} {f, select, true {} other {}}',
    )
    expect(
      Object.fromEntries(
        parametersOfTranslation({ language: 'en', other: parts, forms: new Map() }, false),
      ),
    ).toEqual({
      n: 'number',
      w: 'value',
      d: 'date',
      l: 'list',
      s: 'value',
      f: 'flag',
    })
  })

  it('is shown unchanged if it is invalid, with the reason', () => {
    expect(parseIcu('{n, plural, one {x}}').error).toMatch(/missing other/)
    expect(say('{n, plural, one {x}}')).toBe('{n, plural, one {x}}')
    expect(parseIcu('{').error).toBeDefined()
  })
})

describe('formats of i18next', () => {
  it.each([
    ['{{n, number}}', { n: 1234.5 }, '1,234.5'],
    ['{{n, number(minimumFractionDigits: 2)}}', { n: 1 }, '1.00'],
    ['{{n, currency(EUR)}}', { n: 1 }, '€1.00'],
    ['{{who, list}}', { who: ['a', 'b'] }, 'a and b'],
    ['{{n, relativetime(day)}}', { n: -2 }, '2 days ago'],
    ['{{d, datetime(year: numeric)}}', { d: new Date(2024, 5, 5) }, '2024'],
    ['{{n, uppercase}}', { n: 'x' }, 'x'],
  ])('%s', (text, args, expected) => {
    expect(say(text, args, 'en', 'double-brace')).toBe(expected)
  })
})

describe('pseudoParts', () => {
  it('marks both ends and preserves parameters, tags and entities', () => {
    expect(pseudoParts([' Save <b>all</b> &amp; ', { param: 'name' }, ' now\n'], 'ltr')).toEqual([
      ' ⟦',
      'Šàṽé <b>àļļ</b> &amp; ',
      { param: 'name' },
      ' ñöŵ',
      ' one two three⟧\n',
    ])
    expect(pseudoParts([' '], 'ltr')).toEqual([' '])
  })

  it('reverses words for right to left', () => {
    expect(pseudoParts(['Save 2'], 'rtl')).toEqual([
      '\u200f\u202eSave\u202c\u200f \u200f\u202e2\u202c\u200f',
    ])
  })
})
