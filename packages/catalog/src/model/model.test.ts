import { describe, expect, it } from 'vitest'
import { type Catalog, keysOf, sizeOf, withTranslations } from './catalog.ts'
import { buildModel, chainsOf, expectedArguments, findTranslation } from './model.ts'
import { normaliseFile } from './normalise.ts'
import { modelOf, updateModel } from './model-of.ts'

type Files = Record<string, Record<string, Record<string, string | null>>>

/**
 * Creates a catalog from translations by module and language. The first language is the
 * default.
 */
function catalogOf(files: Files): Catalog {
  const codes = [
    ...new Set(Object.values(files).flatMap((translations) => Object.keys(translations))),
  ]
  return {
    languages: codes.map((code) => ({ code, name: code })),
    defaultLanguage: codes[0] ?? 'en-US',
    modules: Object.entries(files).map(([name, languages]) => ({
      name,
      translations: new Map(
        Object.entries(languages).map(([language, translations]) => [
          language,
          normaliseFile(translations, { language, module: name }).translations,
        ]),
      ),
    })),
  }
}
const options = { syntax: 'double-brace' } as const
const messagesOf = (files: Files) => buildModel(catalogOf(files), options).modules[0]!.messages

describe('buildModel', () => {
  it('has a message for each key of a pair that is declared to be no plural', () => {
    const files: Files = {
      orders: {
        'en-US': { type_one: 'Type 1', type_other: 'Other type', ITEMS_one: 'a', ITEMS_other: 'b' },
        'de-DE': { type_one: 'Typ 1', type_other: 'Anderer Typ' },
      },
      cart: { 'en-US': { type_one: 'a', type_other: 'b' } },
    }
    const build = (noPlural: Record<string, readonly string[]>) =>
      buildModel(catalogOf(files), { ...options, noPlural }).modules.map(({ messages }) =>
        messages.map(({ name, plural }) => (plural ? `${name} (plural)` : name)),
      )
    expect(build({})).toEqual([['ITEMS (plural)', 'type (plural)'], ['type (plural)']])
    expect(build({ orders: ['type'] })).toEqual([
      ['ITEMS (plural)', 'type_one', 'type_other'],
      ['type (plural)'],
    ])
  })

  it('lists the messages with their parameters', () => {
    const messages = messagesOf({
      cart: {
        'en-US': {
          'sort-by': '{{b}} {{a}}',
          ITEMS_one: '{{count}} for {{name}}',
          ITEMS_other: '{{count}}',
          'a.b': 'x',
        },
      },
    })
    expect(
      messages.map(({ key, name, params, plural }) => ({ key, name, params, plural })),
    ).toEqual([
      { key: 'ITEMS', name: 'ITEMS', params: ['name'], plural: true },
      { key: 'a.b', name: 'a$2e_b', params: [], plural: false },
      { key: 'sort-by', name: 'sort$2d_by', params: ['b', 'a'], plural: false },
    ])
  })

  it('uses the parameters of the first language that has a translation', () => {
    const [one, two] = messagesOf({
      m: { 'en-US': { A: '{{n}}', B: '' }, 'de-DE': { A: '{{m}}', B: '{{x}}' } },
    })
    expect([one!.params, two!.params]).toEqual([['n'], ['x']])
  })

  it('includes keys that exist in only one language', () => {
    const messages = messagesOf({ m: { 'en-US': { B: 'b' }, 'de-DE': { A: 'a' } } })
    expect(messages.map(({ key }) => key)).toEqual(['A', 'B'])
  })

  it('distinguishes similar keys', () => {
    const keys = ['A_B', 'A-B', 'A.B', 'A B', 'delete', 'delete$', '__proto__', 'constructor']
    const translations = normaliseFile(
      JSON.parse(`{${keys.map((key) => `"${key}":"x"`).join()}}`) as object as Record<
        string,
        string
      >,
      { language: 'en', module: 'm' },
    ).translations
    const catalog: Catalog = {
      languages: [{ code: 'en', name: 'en' }],
      defaultLanguage: 'en',
      modules: [{ name: 'm', translations: new Map([['en', translations]]) }],
    }
    const model = buildModel(catalog, options)
    expect(model.problems).toEqual([])
    expect(new Set(model.modules[0]!.messages.map(({ name }) => name)).size).toBe(keys.length)
  })

  it.each([
    [
      ['auth', 'Auth'],
      'Auth: has the same file name as module "auth" on case-insensitive file systems',
    ],
    [['Server', 'server'], 'server: has the same file name as module "Server"'],
  ])('rejects the modules %j', (modules, said) => {
    const catalog = catalogOf(Object.fromEntries(modules.map((name) => [name, { en: { A: 'a' } }])))
    expect(() => modelOf(catalog, { ...options, fallback: {} })).toThrow(said)
    expect(() => modelOf(catalog, { ...options, fallback: {} })).toThrow(
      /^Conflicting names of keys or modules\n {2}1: /,
    )
  })

  it('keeps the translation of a key that also has plural forms', () => {
    const [message] = messagesOf({
      cart: { en: { N: 'All {{name}}', N_one: '{{count}} a', N_other: '{{count}} {{b}}' } },
    })
    expect(message).toMatchObject({
      key: 'N',
      plural: true,
      params: ['b'],
      base: { key: 'N', plural: false, params: ['name'] },
    })
    expect(expectedArguments(message!, ['name'])).toEqual(['name'])
    expect(expectedArguments(message!, ['count'])).toEqual(['count', 'b'])
  })
})

describe('findTranslation', () => {
  const files = {
    m: {
      'en-US': { A: 'en a', B: 'en b', N_one: 'en one', N_other: 'en other' },
      'de-DE': { A: 'de a', B: null, N_one: 'de one', N_other: '' },
      'de-AT': { A: '', B: null },
    },
  }
  const model = buildModel(catalogOf(files), options)
  const [module] = model.modules
  const say = (key: string, language: string): string => {
    const message = module!.messages.find((one) => one.key === key)!
    const translation = findTranslation(message, chainsOf(model).get(language)!)
    return translation ? `${translation.language}: ${translation.other.join('')}` : 'nothing'
  }

  it('follows the fallback chain', () => {
    expect([say('A', 'de-AT'), say('B', 'de-AT'), say('A', 'de-DE')]).toEqual([
      'de-DE: de a',
      'en-US: en b',
      'de-DE: de a',
    ])
  })

  it('never mixes plural forms of several languages', () => {
    expect(say('N', 'de-DE')).toBe('en-US: en other')
  })

  it('returns undefined for a missing translation', () => {
    const empty = buildModel(catalogOf({ m: { en: { A: null } } }), options)
    expect(findTranslation(empty.modules[0]!.messages[0]!, ['en'])).toBeUndefined()
  })

  it('parses a translation with parameters once', () => {
    const [message] = messagesOf({ m: { en: { A: 'Hello {{name}}' } } })
    const first = message!.translations.get('en')
    expect(first!.other).toEqual(['Hello ', { param: 'name' }])
    expect(message!.translations.get('en')).toBe(first)
  })

  it('follows configured fallbacks', () => {
    const other = buildModel(catalogOf(files), { ...options, fallback: { 'de-AT': ['en-US'] } })
    expect(chainsOf(other).get('de-AT')).toEqual(['de-AT', 'en-US'])
  })
})

describe('updateModel', () => {
  it('rebuilds only changed modules, with all of their languages', () => {
    const before = modelOf(
      catalogOf({ a: { en: { A: 'a' }, de: { A: 'ä' } }, b: { en: { B: 'b' } } }),
      { ...options, fallback: {} },
    )
    const translations = normaliseFile(
      { A: '{{n}}', NEW: 'x' },
      { language: 'en', module: 'a' },
    ).translations
    const after = updateModel(before, [{ language: 'en', module: 'a', translations }])
    expect(after.modules[0]!.messages.map(({ key, params }) => [key, params])).toEqual([
      ['A', ['n']],
      ['NEW', []],
    ])
    expect(after.modules[0]!.source.translations.get('de')!.get('A')).toBe('ä')
    expect(after.modules[1]).toBe(before.modules[1])
    expect(after.catalog.modules[0]).toBe(after.modules[0]!.source)
    // The old model is unchanged.
    expect(before.modules[0]!.messages).toHaveLength(1)
  })
})

describe('a catalog', () => {
  it('counts keys once per module, and non-empty translations', () => {
    const catalog = catalogOf({
      a: { en: { A: 'a', B: null, C: '' }, de: { A: 'ä', D: 'd' } },
      b: { en: {} },
      c: {},
    })
    expect(sizeOf(catalog)).toEqual({ languages: 2, modules: 3, keys: 4, translations: 3 })
    expect(keysOf(catalog.modules[0]!)).toEqual(['A', 'B', 'C', 'D'])
    expect(keysOf(catalog.modules[2]!)).toEqual([])
  })

  it('is immutable', () => {
    const before = catalogOf({ a: { en: { A: 'a' } } })
    const after = withTranslations(before, { language: 'de', module: 'a' }, new Map([['A', 'ä']]))
    expect([...before.modules[0]!.translations.keys()]).toEqual(['en'])
    expect([...after.modules[0]!.translations.keys()]).toEqual(['en', 'de'])
    expect(withTranslations(before, { language: 'de', module: 'x' }, new Map())).toEqual(before)
  })
})
