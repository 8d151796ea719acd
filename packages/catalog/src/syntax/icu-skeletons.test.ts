import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { translationExpression } from '../emit/translation.ts'
import { parseIcu } from './icu.ts'
import { parseMessage } from './message.ts'

/** Compiles an ICU message for a language and formats it. */
type Formatter<Result> = (args: Record<string, unknown>) => Result

/** Compiles the message; a call formats it. */
function formatter(text: string, language: string): Formatter<string> {
  const translation = { language, other: parseMessage(text, 'icu'), forms: new Map() }
  const expression = translationExpression(translation, { key: 'K', plural: false }, language)
  const compiled = new Function(`'use strict'; return ${expression}`)() as
    | string
    | ((args: object, plural: object) => string)
  return (args) => (typeof compiled === 'string' ? compiled : compiled(args, {}))
}

/** Formats messages with the reference implementation; returns "throws" if it throws. */
function referenceFormatter(text: string, language: string): Formatter<unknown> {
  let message: IntlMessageFormat
  return (args) => {
    try {
      message ??= new IntlMessageFormat(text, language)
      return message.format(args as Record<string, string>)
    } catch {
      return 'throws'
    }
  }
}

const format = (text: string, args: Record<string, unknown>, language: string) =>
  formatter(text, language)(args)
const reference = (text: string, args: Record<string, unknown>, language: string) =>
  referenceFormatter(text, language)(args)

const languages = [
  'en-US',
  'en-GB',
  'de-DE',
  'fr-FR',
  'fr-CA',
  'ja-JP',
  'ar-EG',
  'bn-BD',
  'hi-IN',
  'ko-KR',
  'zh-TW',
  'es-MX',
  'pt-BR',
  'fa-IR',
]

const repeat = (letters: string, most: number): string[] =>
  [...letters].flatMap((letter) =>
    Array.from({ length: most }, (_, index) => letter.repeat(index + 1)),
  )

/** Every field of UTS 35 in every length, and common combinations. */
const dateSkeletons = [
  ...repeat('GyYuUrQqMLwWdDFgEecabBhHKkjJCmsSAzZOvVXx', 6),
  'jm',
  'jms',
  'jjmm',
  'jjmmss',
  'jmz',
  'yMMMdjm',
  'yMMMEdjm',
  'Ejm',
  'jjjm',
  'jjjjm',
  'Jm',
  'JJmm',
  'hm',
  'hma',
  'hhmmss',
  'Hm',
  'HHmmss',
  'Km',
  'km',
  'hmsz',
  'hmszzzz',
  'yMd',
  'yMMMd',
  'yyyyMMdd',
  'yMMMMEEEEd',
  'GyMMMd',
  'MMMd',
  'MMMMd',
  'yMMMM',
  'LLLL',
  'EEEE',
  'eeee',
  'cccc',
  'dMy',
  "yMMM'x'd",
  'EEEEMMMMdyHHmm',
]

const dates = [
  new Date(2026, 10, 22, 15, 6, 7),
  new Date(2025, 0, 3, 0, 30),
  new Date(2024, 1, 29, 12),
]

describe('a date skeleton', () => {
  const isSupported = (skeleton: string, type: string): boolean =>
    reference(`{d, ${type}, ::${skeleton}}`, { d: dates[0] }, 'en-US') !== 'throws'

  it.each(['date', 'time'])('formats a %s like intl-messageformat', (type) => {
    const supported = dateSkeletons.filter(
      // Fields that the reference drops silently are errors in our implementation.
      (skeleton) => isSupported(skeleton, type) && !/[SAgC]/.test(skeleton),
    )
    expect(supported.length).toBeGreaterThan(50)
    const different: string[] = []
    for (const skeleton of supported) {
      for (const language of languages) {
        const text = `{d, ${type}, ::${skeleton}}`
        const ours = formatter(text, language)
        const theirs = referenceFormatter(text, language)
        for (const d of dates) {
          const [actual, expected] = [ours({ d }), theirs({ d })]
          if (actual !== expected)
            different.push(`${skeleton} ${language}: ${actual} ≠ ${expected}`)
        }
      }
    }
    expect(different).toEqual([])
  })

  it('reports an unsupported field as an error', () => {
    const accepted = dateSkeletons.filter(
      (skeleton) =>
        (!isSupported(skeleton, 'date') || /[SAgC]/.test(skeleton)) &&
        parseIcu(`{d, date, ::${skeleton}}`).error === undefined,
    )
    expect(accepted).toEqual([])
    expect(parseIcu('{d, time, ::jmsSSS}').error).toMatch(/SSS/)
  })

  it('formats j in the hour cycle of the language', () => {
    const d = dates[0]
    expect(format('{d, time, ::jm}', { d }, 'en-US').replaceAll('\u202f', ' ')).toBe('3:06 PM')
    expect(format('{d, time, ::jm}', { d }, 'de-DE')).toBe('15:06')
  })
})

describe('a named style', () => {
  it.each(
    ['date', 'time'].flatMap((type) =>
      ['short', 'medium', 'long', 'full'].map((style) => `{d, ${type}, ${style}}`),
    ),
  )('%s formats as intl-messageformat does', (text) => {
    for (const language of languages) {
      expect(format(text, { d: dates[0] }, language)).toBe(
        reference(text, { d: dates[0] }, language),
      )
    }
  })
})

/** Stems and options of ICU number skeletons, in long and concise form. */
const numberSkeletons = [
  'percent',
  '%',
  '%x100',
  'permille',
  'base-unit',
  'currency/EUR',
  'currency/JPY',
  'measure-unit/length-meter',
  'unit/kilometer-per-hour',
  'unit/byte',
  'unit/liter',
  'compact-short',
  'K',
  'compact-long',
  'KK',
  'scientific',
  'engineering',
  'notation-simple',
  'scientific/sign-always',
  'engineering/sign-except-zero',
  'E0',
  'E+!00',
  'EE0',
  'EE+?00',
  'precision-integer',
  '.',
  '.00',
  '.00*',
  '.##',
  '.0#',
  '.00/w',
  '.00/@@r',
  '.##/@@@s',
  '@@@',
  '@@#',
  '@@+',
  '@#',
  'precision-unlimited',
  'precision-increment/0.05',
  'precision-currency-standard',
  'precision-currency-cash',
  'rounding-mode-ceiling',
  'rounding-mode-floor',
  'rounding-mode-down',
  'rounding-mode-up',
  'rounding-mode-half-even',
  'rounding-mode-half-down',
  'rounding-mode-half-up',
  'integer-width/*000',
  'integer-width/+000',
  '000',
  '0',
  'scale/100',
  'scale/0.5',
  'scale/1',
  'group-off',
  ',_',
  'group-min2',
  ',?',
  'group-auto',
  'group-on-aligned',
  ',!',
  'group-thousands',
  'sign-auto',
  'sign-always',
  '+!',
  'sign-never',
  '+_',
  'sign-accounting',
  '()',

  'sign-accounting-always',
  '()!',
  'sign-except-zero',
  '+?',
  'sign-accounting-except-zero',
  '()?',
  'decimal-auto',
  'decimal-always',
  'latin',
  'numbering-system/latn',
  'unit-width-narrow',
  'unit-width-short',
  'unit-width-full-name',
  'unit-width-iso-code',
]
const combinations = [
  'currency/EUR .00 sign-accounting',
  'currency/USD unit-width-narrow',
  'percent .0',
  'K .0',
  'currency/EUR unit-width-full-name',
  'currency/EUR unit-width-iso-code',
  'percent scale/100',

  'unit/kilometer unit-width-full-name .#',
  'compact-long currency/GBP',
  '.00 rounding-mode-floor',
]

describe('a number skeleton', () => {
  const all = [...numberSkeletons, ...combinations]

  it('formats like intl-messageformat', () => {
    let compared = 0
    const different: string[] = []
    for (const skeleton of all) {
      for (const language of languages) {
        const text = `{n, number, ::${skeleton}}`
        const ours = formatter(text, language)
        const theirs = referenceFormatter(text, language)
        for (const n of [0, 1, -1, 0.256, 1234.5, -98_765.4321, 1e9]) {
          const expected = theirs({ n })
          if (expected === 'throws') continue
          compared++
          const actual = ours({ n })
          if (actual !== expected)
            different.push(`${skeleton} ${language}: ${actual} ≠ ${expected}`)
        }
      }
    }
    expect(different).toEqual([])
    expect(compared).toBeGreaterThan(1000)
  })

  it.each([
    'currency/nothing',
    'unit/parsec',
    'measure-unit/energy-joule',
    '.##################################/w',
    'integer-width/000',
    'E',
  ])('reports a skeleton that Intl rejects as a syntax error: %s', (skeleton) => {
    const text = `{n, number, ::${skeleton}}`
    expect(reference(text, { n: 1 }, 'en-US')).toBe('throws')
    expect(parseIcu(text).error).toBeDefined()
    expect(format(text, { n: 1 }, 'en-US')).toBe(text)
  })
})
