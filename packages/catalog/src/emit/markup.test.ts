import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspect } from '../model/inspect.ts'
import { buildModel, type Model } from '../model/model.ts'
import { messageData } from './data.ts'
import { emitPack } from './pack.ts'
import { emitTypes } from './types.ts'

/** A catalog with one module; the first language is the default. */
function modelOf(
  languages: Record<string, Record<string, string>>,
  syntax: 'icu' | 'double-brace' = 'double-brace',
): Model {
  const codes = Object.keys(languages)
  return buildModel(
    {
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
    },
    { syntax, markup: { framework: 'plain', selfClosing: true } },
  )
}

/** Calls the first message in a language; tags return themselves and what is inside them. */
function call(model: Model, args: object, language: string): unknown {
  const { messages } = model.modules[0]!
  const code = emitPack(model, messages, language).replace('export default', 'return')
  const [entry] = new Function(`'use strict'; ${code}`)() as [
    string | ((args: object, plural: (count: number) => string) => unknown),
  ]
  if (typeof entry === 'string') return entry
  return entry(args, (count) => new Intl.PluralRules(language).select(count))
}

const tag =
  (name: string) =>
  (children?: readonly unknown[]): unknown => ({ [name]: children })
const tags = { link: tag('link'), b: tag('b'), br: tag('br') }

describe('a message with tags', () => {
  it('returns an array with what the functions of the tags return', () => {
    const model = modelOf({
      en: { A: 'Hello {{name}}, <link>read <b>the {{name}}</b></link><br/>.' },
    })
    expect(call(model, { name: 'terms', ...tags }, 'en')).toEqual([
      'Hello terms, ',
      { link: ['read ', { b: ['the terms'] }] },
      { br: undefined },
      '.',
    ])
  })

  it('can have its tags in plural forms and in choices', () => {
    const keys = modelOf({ en: { A_one: '<b>one</b> item', A_other: '<b>{{count}}</b> items' } })
    expect(call(keys, { count: 1, ...tags }, 'en')).toEqual([{ b: ['one'] }, ' item'])
    expect(call(keys, { count: 7, ...tags }, 'en')).toEqual([{ b: ['7'] }, ' items'])
    const icu = modelOf(
      {
        en: {
          A: 'So {n, plural, =0 {none} one {<b>one</b>} other {<b>#</b> or {x, select, y {<link>y</link>} other {z}}}}.',
        },
      },
      'icu',
    )
    expect(call(icu, { n: 0, ...tags }, 'en')).toEqual(['So ', 'none', '.'])
    expect(call(icu, { n: 1, ...tags }, 'en')).toEqual(['So ', { b: ['one'] }, '.'])
    expect(call(icu, { n: 5, x: 'y', ...tags }, 'en')).toEqual([
      'So ',
      { b: ['5'] },
      ' or ',
      { link: ['y'] },
      '.',
    ])
  })

  it.each([
    ['omits a tag', 'nur Text', 'TAG_MISSING'],
    ['has another tag', '<i>nur</i> <b>das</b>', 'TAG_UNKNOWN'],
    ['has a self-closing tag instead', 'nur <b/>', 'TAG_MISSING'],
    ['nests tags badly', '<b>nur <b>das</b>', 'TAG_INVALID'],
    ['does not close a tag', '<b>nur das', 'TAG_MISSING'],
  ])('is shown in the default language if a translation %s', (_, text, code) => {
    const model = modelOf({ en: { A: '<b>only</b> this' }, de: { A: text } })
    expect(call(model, tags, 'de')).toEqual([{ b: ['only'] }, ' this'])
    expect(inspect(model).map((problem) => problem.code)).toContain(code)
  })

  it('falls back for every form if one is wrong', () => {
    const model = modelOf({
      en: { A_one: '<b>one</b>', A_other: '<b>all</b>' },
      de: { A_one: '<b>eins</b>', A_other: 'alle</b> <b>' },
    })
    expect(call(model, { count: 1, ...tags }, 'de')).toEqual([{ b: ['one'] }])
  })

  it('returns an array with the key if there is no translation', () => {
    const model = modelOf({ en: {}, de: { A: '<b>nur</b>' } })
    expect(call(model, tags, 'en')).toEqual(['A'])
  })

  it('shows tags of the default language as text if they are wrong', () => {
    const model = modelOf({ en: { A: '<b>one <i>two</b></i>', B: '<name>{{name}}</name>' } })
    expect(call(model, {}, 'en')).toBe('<b>one <i>two</b></i>')
    expect(inspect(model).map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'TAG_INVALID: cannot be read: the tag i is opened and closed in wrong order; its tags are shown as text',
      'TAG_INVALID: cannot be read: the tag name has the name of a parameter; its tags are shown as text',
    ])
  })

  it('has its tags as parameters', () => {
    const { modules, catalog } = modelOf({
      en: {
        A: '<link>a</link><br/>',
        B: '<b>{{name}}</b>',
        C: 'text',
        D: '<b>{{n}}</b>',
        D_one: '<b>1</b>',
        D_other: '<b>{{count}}</b>',
      },
    })
    const { text } = emitTypes({
      module: modules[0]!,
      catalog,
      runtime: '~uilm',
      fileName: 'm.d.ts',
    })
    expect(text.split('\n').filter((line) => /^(?:export|import)/.test(line)))
      .toMatchInlineSnapshot(`
      [
        "import type { MarkupMessage, Message } from "~uilm"",
        "export const A: MarkupMessage<"link", "br", unknown>",
        "export const B: MarkupMessage<"b", never, { readonly "name": string | number }>",
        "export const C: Message",
        "export const D: MarkupMessage<"b", never, { readonly "n": string | number } | { readonly "count": number }>",
      ]
    `)
  })

  it('travels as JSON', () => {
    const model = modelOf({ en: { A: 'x <b>{{name}}</b><br/>' } })
    expect(messageData(model, model.modules[0]!.messages[0]!, 'en')).toEqual([
      'x ',
      { tag: 'b', children: [['name']] },
      { tag: 'br' },
    ])
  })
})

describe('a hostile translation', () => {
  const pieces = [
    '<b>',
    '</b>',
    '<script>',
    '</script>',
    '<img src=x onerror=y>',
    '<b onclick="x">',
    '{{name}}',
    '<br/>',
    '"',
    '`',
    '${x}',
    '</',
    '<!--',
    "'",
    '\\',
    '\u2028',
  ]

  it('adds no element: only strings, and what the declared tags return', () => {
    const own = Symbol('element')
    const isText = (part: unknown): boolean => typeof part === 'string' || part === own
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), (parts) => {
        const model = modelOf({ en: { A: 'a <b>{{name}}</b>' }, de: { A: parts.join('') } })
        const found: unknown[] = []
        const b = (children: readonly unknown[]): unknown => {
          found.push(...children)
          return own
        }
        const shown = call(model, { b, name: '<script>' }, 'de') as readonly unknown[]
        expect([...shown, ...found].every(isText)).toBe(true)
        expect(shown.filter((part) => part === own)).not.toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})
