import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/arbitrary.ts'
import {
  type MessageParts,
  type MessageSyntax,
  parametersOf,
  parseMessage,
  type Parameter,
  locateSyntaxError,
  syntaxErrorOf,
} from './message.ts'
import { parametersOfTranslation } from '../model/parse-translation.ts'

const syntaxes: readonly MessageSyntax[] = ['double-brace', 'single-brace']

describe('parseMessage', () => {
  it.each([
    ['Hello {{name}}!', ['Hello ', { param: 'name' }, '!']],
    ['{{a}}{{b}}', [{ param: 'a' }, { param: 'b' }]],
    [' {{ name }} ', [' ', { param: 'name' }, ' ']],
    ['{{- html}}', [{ param: 'html' }]],
    [
      '{{price, currency(EUR)}}',
      [
        {
          param: 'price',
          format: { kind: 'number', options: { style: 'currency', currency: 'EUR' } },
        },
      ],
    ],
    ['{{first name}}', [{ param: 'first name' }]],
    ['{{user.name}}', [{ param: 'user.name' }]],
    ['{{\n name\t}}', [{ param: 'name' }]],
    ['', ['']],
    ['  \n ', ['  \n ']],
    ['{{}}', ['{{}}']],
    ['{{ }}', ['{{ }}']],
    ['{{,x}}', ['{{,x}}']],
    ['{{name}', ['{{name}']],
    ['{name}', ['{name}']],
    ['a {{ b', ['a {{ b']],
    ['{{{name}}}', ['{', { param: 'name' }, '}']],
    ['{{a{{b}}c}}', ['{{a', { param: 'b' }, 'c}}']],
    ['$t(other) {{__proto__}}', ['$t(other) ', { param: '__proto__' }]],
  ] as [string, MessageParts][])('takes %j apart', (text, parts) => {
    expect(parseMessage(text)).toEqual(parts)
  })

  it.each([
    ['Hello {name}!', ['Hello ', { param: 'name' }, '!']],
    ['{ name }', [{ param: 'name' }]],
    ['{}', ['{}']],
    ['{ }', ['{ }']],
    ['{a, plural}', ['{a, plural}']],
    ['{a', ['{a']],
  ] as [string, MessageParts][])('takes %j apart, with single braces', (text, parts) => {
    expect(parseMessage(text, 'single-brace')).toEqual(parts)
  })

  it('preserves every character of a message', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...syntaxes), (text, syntax) => {
        const parts = parseMessage(text, syntax)
        // Each part occurs in the text after the previous one.
        let at = 0
        for (const part of parts) {
          const piece = typeof part === 'string' ? part : (part as Parameter).param
          at = text.indexOf(piece, at)
          expect(at).toBeGreaterThanOrEqual(0)
          at += piece.length
        }
        const literal = parts.filter((part) => typeof part === 'string').join('')
        expect(parametersOf(parts).length > 0 || literal === text).toBe(true)
        expect(parts.filter((part) => part === '')).toHaveLength(text === '' ? 1 : 0)
      }),
      { numRuns: 500 },
    )
  })

  it('finds exactly the parameters of a message', () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[^{}]{1,9}$/),
      fc.record({ param: fc.stringMatching(/^[A-Za-z_][\w.]{0,5}$/) }),
    )
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom(...syntaxes), (pieces, syntax) => {
        const [open, close] = syntax === 'double-brace' ? ['{{', '}}'] : ['{', '}']
        const text = pieces
          .map((one) =>
            typeof one === 'string' ? one : `${open}${(one as Parameter).param}${close}`,
          )
          .join('')
        const parts = parseMessage(text, syntax)
        const again = parts
          .map((one) =>
            typeof one === 'string' ? one : `${open}${(one as Parameter).param}${close}`,
          )
          .join('')
        expect(again).toBe(text)
        expect(parts.filter((one) => typeof one !== 'string')).toEqual(
          pieces.filter((one) => typeof one !== 'string'),
        )
      }),
    )
  })

  it.each(['{{a', '{{ ', '{{a,', '{', '{{', '{{a {', '{a '])(
    // In quadratic time it would take minutes.
    'parses many repetitions of %j in linear time',
    (part) => {
      for (const syntax of syntaxes) {
        for (const text of [part.repeat(100_000), `${part}${' '.repeat(200_000)}`]) {
          expect(parseMessage(text, syntax).join('')).toHaveLength(text.length)
        }
      }
    },
  )
})

it('lists each parameter once, in order', () => {
  expect(parametersOf(parseMessage('{{b}} {{a}} {{b}}'))).toEqual(['b', 'a'])
})

it('finds the type of each parameter', () => {
  const types = (text: string, syntax: MessageSyntax = 'icu') =>
    Object.fromEntries(
      parametersOfTranslation(
        { language: 'en', other: parseMessage(text, syntax), forms: new Map() },
        false,
      ),
    )
  expect(
    types(
      '{a} {b, number} {c, date, short} {d, plural, other {#}} {e, selectordinal, one {{x}} other {y}}',
    ),
  ).toEqual({ a: 'value', b: 'number', c: 'date', d: 'number', e: 'number', x: 'value' })
  expect(
    types('{f, select, true {1} other {}} {g, select, false {1} other {}} {h, select, other {}}'),
  ).toEqual({ f: 'flag', g: 'flag', h: 'value' })
  expect(types('{{l, list}} {{r, relativetime(day)}}', 'double-brace')).toEqual({
    l: 'list',
    r: 'number',
  })
  // A parameter that is used more than once has its narrowest type.
  expect(types('{a, number} {a} {b} {b, number} {b}')).toEqual({ a: 'number', b: 'number' })
})

describe('syntaxErrorOf', () => {
  it('describes the error of an ICU message with its place', () => {
    expect(syntaxErrorOf('{n, plural, one {x}}', 'icu')).toMatch(/\bother\b/i)
    expect(locateSyntaxError('Hi {n', 'icu')).toMatchObject({
      offset: expect.any(Number) as number,
    })
    expect(locateSyntaxError('Hi {n', 'icu')!.offset).toBeGreaterThan(0)
    expect(locateSyntaxError('Hi {n}', 'icu')).toBeUndefined()
  })

  it('describes a format that Intl rejects', () => {
    const text = 'ab {{x}} {{n, currency(EURO)}}'
    expect(locateSyntaxError(text, 'double-brace')).toEqual({
      error: expect.stringContaining('EURO') as string,
      offset: 9,
      effect: 'the value is shown unformatted',
    })
    expect(syntaxErrorOf(text, 'double-brace')).toContain('EURO')
  })

  it.each([
    ['{{n, nubmer}}', 'double-brace', 'unknown format "nubmer"'],
    ['{{n, number, custom}}', 'double-brace', 'unknown format "number, custom"'],
    ['{{n, number(minimumDigits: 2)}}', 'double-brace', 'unknown option "minimumDigits"'],
    ['{{d, datetime(dateStile: short)}}', 'double-brace', 'unknown option "dateStile"'],
    ['{{l, list(typ: unit)}}', 'double-brace', 'unknown option "typ"'],
    ['{{n, relativetime(range: day; numerik: auto)}}', 'double-brace', 'unknown option "numerik"'],
    ['{n, number, integr}', 'icu', 'unknown style "integr"'],
    ['{n, number, currency}', 'icu', 'unknown style "currency"'],
    ['{d, date, kurz}', 'icu', 'unknown style "kurz"'],
    ['{d, time, constructor}', 'icu', 'unknown style "constructor"'],
    ['{n, number, ::curency/EUR}', 'icu', 'unknown word "curency/EUR" in a skeleton'],
    ['{n, number, ::percent ,00}', 'icu', 'unknown word ",00" in a skeleton'],
    ['{n, number, ::precision-increment/5}', 'icu', 'unknown word "precision-increment/5"'],
    ['{d, date, ::yMMMdT}', 'icu', 'unknown word "T" in a skeleton'],
    ['{n, plural, one {{d, date, kurz}} other {}}', 'icu', 'unknown style "kurz"'],
    ['{l, list, konjunktion}', 'icu', 'konjunktion'],
  ] as const)('describes what has no effect in %s', (text, syntax, error) => {
    expect(syntaxErrorOf(text, syntax)).toContain(error)
  })

  it.each([
    ['{{n, currency(EUR)}} {{m}}', 'double-brace'],
    ['{{n, relativetime(range: day; numeric: auto)}} {{n,}}', 'double-brace'],
    ['{{d, datetime(dateStyle: short; hourCycle: h23; timeZone: UTC)}}', 'double-brace'],
    ['{n, number, ::currency/EUR .00 group-auto sign-always}', 'icu'],
    ["{d, date, ::yMMMd 'T'} {d, time, ::jmsz} {d, time, full} {n, number, percent}", 'icu'],
    ['{l, list, unit} {l, list}', 'icu'],
    ['no parameter', 'double-brace'],
    ['{n, currency(EURO)} {{n, currency(EURO)}}', 'single-brace'],
  ] as const)('finds none in %s', (text, syntax) => {
    expect(syntaxErrorOf(text, syntax)).toBeUndefined()
  })
})
