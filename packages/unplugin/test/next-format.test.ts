import {
  emitPack,
  type MessageData,
  messageData,
  type MessageModel,
  modelOf,
} from '@servicekit/catalog'
import { describe, expect, it } from 'vitest'

const { format } = (await import(new URL('../runtime/next/format.js', import.meta.url).href)) as {
  format: (message: MessageData, args: unknown, language: string, timeZone?: string) => unknown
}
const languages = ['en-US', 'de-DE', 'ar-EG', 'cy']

const model = (syntax: 'icu' | 'double-brace', texts: Record<string, string>) =>
  modelOf(
    {
      languages: languages.map((code) => ({ code, name: code })),
      defaultLanguage: 'en-US',
      modules: [
        { name: 'shop', translations: new Map([['en-US', new Map(Object.entries(texts))]]) },
      ],
    },
    { syntax, fallback: {}, markup: { framework: 'react', selfClosing: true } },
  )

/** Shows a message as the packs of bundles do. */
function fromPack(
  of: ReturnType<typeof model>,
  message: MessageModel,
  language: string,
  timeZone: string | undefined,
) {
  const code = emitPack(of, [message], language).replace('export default', 'return')
  const [text] = new Function(code)() as [string | ((args: unknown, plural: unknown) => string)]
  const plural = Object.assign(
    (count: number, locale = language) => new Intl.PluralRules(locale).select(count),
    { timeZone },
  )
  return (args: unknown) => (typeof text === 'string' ? text : text(args, plural))
}

describe('messages that travel as JSON show the same as those in packs', () => {
  it.each([
    ['double-brace', { A: 'Hello' }],
    ['double-brace', { A: '{{n}}' }],
    ['double-brace', { A: '{{n}} and {{missing}}' }],
    ['double-brace', { A_one: '{{count}} item', A_other: '{{count}} items' }],
    ['double-brace', { A: 'Items', A_one: 'one', A_other: '{{count}} items' }],
    ['double-brace', { A_zero: 'none', A_one: 'one', A_other: 'many {{n}}' }],
    ['double-brace', { A_ordinal_one: '{{count}}st', A_ordinal_other: '{{count}}th' }],
    ['icu', { A: '{n, number, percent} {n, number, ::scale/100}' }],
    ['icu', { A: '{d, date, long} {d, time, short}' }],
    [
      'icu',
      { A_one: '{d, date, long}', A_other: '{d, time, short} {n, selectordinal, other {#}}' },
    ],
    ['double-brace', { A: '{{d, datetime(dateStyle: medium; timeZone: America/Lima)}}' }],
    ['icu', { A: '{n, plural, =0 {none} one {# item} other {# items of {name}}}' }],
    ['icu', { A: '{n, plural, offset:1 one {# more} other {# others}}' }],
    ['icu', { A: '{n, selectordinal, one {#st} two {#nd} other {#th}}' }],
    ['icu', { A: '{name, select, Ada {she} constructor {it} other {they}}' }],
    ['icu', { A: '{isNew, select, true {New} other {Old}}' }],
    ['icu', { A: 'a <b>{n} <i>{name}</i></b><br/>{n, plural, one {<b>#</b>} other {<i>#</i>}}' }],
    ['double-brace', { A_one: '<b>{{count}}</b> item', A_other: '<b>{{count}}</b> items' }],
  ] as const)('%s %o', (syntax, texts) => {
    const of = model(syntax, texts)
    for (const [index, language] of languages.entries()) {
      const timeZone = [undefined, 'Asia/Tokyo', 'Pacific/Apia', 'UTC'][index]
      for (const message of of.modules[0]!.messages) {
        const data = JSON.parse(JSON.stringify(messageData(of, message, language))) as MessageData
        const expected = fromPack(of, message, language, timeZone)
        for (const count of [0, 1, 2, 3, 5, 11, 1_000, 1.5]) {
          const tag = (name: string) => (children: unknown) => ({ [name]: children })
          const tags = { b: tag('b'), i: tag('i'), br: tag('br') }
          const args = { count, n: count, name: 'Ada', d: new Date(0), isNew: count === 1, ...tags }
          expect(format(data, args, language, timeZone)).toEqual(expected(args))
        }
      }
    }
  })

  it('shows a message without its number as the plain one', () => {
    const of = model('double-brace', { A: 'Items', A_one: 'one', A_other: 'many' })
    const data = messageData(of, of.modules[0]!.messages[0]!, 'de-DE')
    expect(format(data, undefined, 'de-DE')).toBe('Items')
  })
})
