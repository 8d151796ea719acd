import { describe, expect, it } from 'vitest'
import { type Catalog, keysOf, sizeOf, withTexts } from './catalog.ts'
import { buildModel, chainsOf, expectedArguments, wordingOf } from './model.ts'
import { normaliseFile } from './normalise.ts'
import { modelOf, updateModel } from './project.ts'

type Files = Record<string, Record<string, Record<string, string | null>>>

/**
 * Creates a catalog from translations by module and language. The first language is the
 * default.
 */
function catalogOf(files: Files): Catalog {
  const codes = [...new Set(Object.values(files).flatMap((texts) => Object.keys(texts)))]
  return {
    languages: codes.map((code) => ({ code, name: code })),
    defaultLanguage: codes[0] ?? 'en-US',
    modules: Object.entries(files).map(([name, languages]) => ({
      name,
      texts: new Map(
        Object.entries(languages).map(([language, texts]) => [
          language,
          normaliseFile(texts, { language, module: name }).texts,
        ]),
      ),
    })),
  }
}
const options = { syntax: 'double-brace' } as const
const messagesOf = (files: Files) => buildModel(catalogOf(files), options).modules[0]!.messages

describe('buildModel', () => {
  it('names each message, and knows its parameters', () => {
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

  it('takes the parameters of the default language, or of the first that has the text', () => {
    const [one, two] = messagesOf({
      m: { 'en-US': { A: '{{n}}', B: '' }, 'de-DE': { A: '{{m}}', B: '{{x}}' } },
    })
    expect([one!.params, two!.params]).toEqual([['n'], ['x']])
  })

  it('knows keys that only one language has', () => {
    const messages = messagesOf({ m: { 'en-US': { B: 'b' }, 'de-DE': { A: 'a' } } })
    expect(messages.map(({ key }) => key)).toEqual(['A', 'B'])
  })

  it('does not mind keys that look alike', () => {
    const keys = ['A_B', 'A-B', 'A.B', 'A B', 'delete', 'delete$', '__proto__', 'constructor']
    const texts = normaliseFile(
      JSON.parse(`{${keys.map((key) => `"${key}":"x"`).join()}}`) as object as Record<
        string,
        string
      >,
      { language: 'en', module: 'm' },
    ).texts
    const catalog: Catalog = {
      languages: [{ code: 'en', name: 'en' }],
      defaultLanguage: 'en',
      modules: [{ name: 'm', texts: new Map([['en', texts]]) }],
    }
    const model = buildModel(catalog, options)
    expect(model.problems).toEqual([])
    expect(new Set(model.modules[0]!.messages.map(({ name }) => name)).size).toBe(keys.length)
  })

  it.each([
    [['auth', 'Auth'], 'Auth: has the same file name as the module "auth" where case is ignored'],
    [['Server', 'server'], 'server: has the same file name as the module "Server"'],
  ])('refuses the modules %j', (modules, said) => {
    const catalog = catalogOf(Object.fromEntries(modules.map((name) => [name, { en: { A: 'a' } }])))
    expect(() => modelOf(catalog, { ...options, fallback: {} })).toThrow(said)
    expect(() => modelOf(catalog, { ...options, fallback: {} })).toThrow(
      /^Some keys cannot stand beside each other\n {2}1: /,
    )
  })

  it('keeps the text of a key that has plural forms too', () => {
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

describe('wordingOf', () => {
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
    const { group } = module!.messages.find((message) => message.key === key)!
    const wording = wordingOf(model, module!.source, group, chainsOf(model).get(language)!)
    return wording ? `${wording.language}: ${wording.other.join('')}` : 'nothing'
  }

  it('looks where the chain leads', () => {
    expect([say('A', 'de-AT'), say('B', 'de-AT'), say('A', 'de-DE')]).toEqual([
      'de-DE: de a',
      'en-US: en b',
      'de-DE: de a',
    ])
  })

  it('takes a plural as a whole: not one form of one language, one of another', () => {
    expect(say('N', 'de-DE')).toBe('en-US: en other')
  })

  it('is nothing where nobody has written the text', () => {
    const empty = buildModel(catalogOf({ m: { en: { A: null } } }), options)
    const { group } = empty.modules[0]!.messages[0]!
    expect(wordingOf(empty, empty.modules[0]!.source, group, ['en'])).toBeUndefined()
  })

  it('follows the fallback that was configured', () => {
    const other = buildModel(catalogOf(files), { ...options, fallback: { 'de-AT': ['en-US'] } })
    expect(chainsOf(other).get('de-AT')).toEqual(['de-AT', 'en-US'])
  })
})

describe('updateModel', () => {
  it('looks at changed modules only, and at all of their languages', () => {
    const before = modelOf(
      catalogOf({ a: { en: { A: 'a' }, de: { A: 'ä' } }, b: { en: { B: 'b' } } }),
      { ...options, fallback: {} },
    )
    const texts = normaliseFile({ A: '{{n}}', NEW: 'x' }, { language: 'en', module: 'a' }).texts
    const after = updateModel(before, [{ language: 'en', module: 'a', texts }])
    expect(after.modules[0]!.messages.map(({ key, params }) => [key, params])).toEqual([
      ['A', ['n']],
      ['NEW', []],
    ])
    expect(after.modules[0]!.source.texts.get('de')!.get('A')).toBe('ä')
    expect(after.modules[1]).toBe(before.modules[1])
    expect(after.catalog.modules[0]).toBe(after.modules[0]!.source)
    // The old model is unchanged.
    expect(before.modules[0]!.messages).toHaveLength(1)
  })
})

describe('a catalog', () => {
  it('counts keys once per module, and texts that are written', () => {
    const catalog = catalogOf({
      a: { en: { A: 'a', B: null, C: '' }, de: { A: 'ä', D: 'd' } },
      b: { en: {} },
      c: {},
    })
    expect(sizeOf(catalog)).toEqual({ languages: 2, modules: 3, keys: 4, texts: 3 })
    expect(keysOf(catalog.modules[0]!)).toEqual(['A', 'B', 'C', 'D'])
    expect(keysOf(catalog.modules[2]!)).toEqual([])
  })

  it('is replaced, not changed', () => {
    const before = catalogOf({ a: { en: { A: 'a' } } })
    const after = withTexts(before, { language: 'de', module: 'a' }, new Map([['A', 'ä']]))
    expect([...before.modules[0]!.texts.keys()]).toEqual(['en'])
    expect([...after.modules[0]!.texts.keys()]).toEqual(['en', 'de'])
    expect(withTexts(before, { language: 'de', module: 'x' }, new Map())).toEqual(before)
  })
})
