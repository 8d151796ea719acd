import { describe, expect, it } from 'vitest'
import { wordingExpression } from './emit/wording.ts'
import { parseIcu } from './icu.ts'
import { parameterTypesOf } from './message.ts'
import { ownWording } from './model.ts'
import { pseudoParts } from './pseudo.ts'

/** Compiles a message for `language` and evaluates it. */
function say(
  text: string,
  args: object = {},
  language = 'en',
  syntax: 'icu' | 'double-brace' = 'icu',
): string {
  const module = { name: 'm', texts: new Map([[language, new Map([['K', text]])]]) }
  const model = { catalog: { defaultLanguage: language }, options: { syntax } }
  const group = { key: 'K', plural: undefined, ordinal: false, base: undefined }
  const expression = wordingExpression(
    ownWording(model, module, group, language),
    { key: 'K', plural: false },
    language,
  )
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
  ])('%j says it', (text, args, expected) => {
    expect(say(text, args)).toBe(expected)
  })

  it('shows numbers, dates and lists as its language does', () => {
    expect(say('{n, number}', { n: 1234.5 }, 'de-DE')).toBe('1.234,5')
    expect(say('{n, plural, other {#}}', { n: 1200 }, 'de-DE')).toBe('1.200')
    expect(say('{who, list}', { who: ['a', 'b'] }, 'de-DE')).toBe('a und b')
    expect(say('{n, plural, few {F #} many {M #} other {O}}', { n: 3 }, 'pl')).toBe('F 3')
  })

  it('knows what may stand for each parameter', () => {
    const { parts } = parseIcu(
      '{n, plural, other {{w} #}} {d, date} {l, list} {s, select, other {}} {f, select, true {} other {}}',
    )
    expect(Object.fromEntries(parameterTypesOf(parts))).toEqual({
      n: 'number',
      w: 'value',
      d: 'date',
      l: 'list',
      s: 'value',
      f: 'flag',
    })
  })

  it('that is none is shown as it stands, and says why', () => {
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
  it('shows what is cut off, and leaves parameters, tags and entities alone', () => {
    expect(pseudoParts([' Save <b>all</b> &amp; ', { param: 'name' }, ' now\n'], 'ltr')).toEqual([
      ' ⟦',
      'Šàṽé <b>àļļ</b> &amp; ',
      { param: 'name' },
      ' ñöŵ',
      ' one two three⟧\n',
    ])
    expect(pseudoParts([' '], 'ltr')).toEqual([' '])
  })

  it('turns words around', () => {
    expect(pseudoParts(['Save 2'], 'rtl')).toEqual([
      '\u200f\u202eSave\u202c\u200f \u200f\u202e2\u202c\u200f',
    ])
  })
})
