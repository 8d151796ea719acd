import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspect } from '../model/inspect.ts'
import { buildModel, type Model, type ModelOptions } from '../model/model.ts'
import { catalogOf } from '../snapshot/snapshot.ts'
import {
  createManifest,
  type BuildManifest,
  parseManifest,
  printManifest,
} from './build-manifest.ts'
import { emitPackFiles, type PackFile } from '../emit/pack-files.ts'
import { repack } from './repack.ts'

/** Translations by language, module and key; the first language is the default. */
type Texts = Record<string, Record<string, Record<string, string>>>

/** Returns a file with own keys, also `__proto__`. */
const fileOf = (names: readonly string[], values: readonly (string | undefined)[]) =>
  Object.fromEntries(
    names.flatMap((name, index) => {
      const value = values[index]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )

const catalogFrom = (texts: Texts) => {
  const codes = Object.keys(texts)
  return catalogOf(
    {
      defaultLanguage: codes[0]!,
      languages: Object.fromEntries(codes.map((code) => [code, `Language ${code}`])),
      modules: [...new Set(Object.values(texts).flatMap((modules) => Object.keys(modules)))],
    },
    ({ language, module }) => {
      const file = texts[language]?.[module]
      return file && new Map(Object.entries(file).sort(([a], [b]) => (a < b ? -1 : 1)))
    },
  )
}

const messageIn = (model: Model, module: string, key: string) =>
  model.modules.find(({ name }) => name === module)!.messages.find((one) => one.key === key)!

const everyKey = (model: Model): [string, string][] =>
  model.modules.flatMap(({ name, messages }) =>
    messages.map(({ key }): [string, string] => [name, key]),
  )

/** Builds an application whose chunks show these keys; one chunk with every key by default. */
function build(
  texts: Texts,
  options: Partial<ModelOptions> = {},
  chunks?: readonly (readonly [string, string])[][],
) {
  const model = buildModel(catalogFrom(texts), { syntax: 'double-brace', ...options })
  const built = (chunks ?? [everyKey(model)]).map((keys) => ({
    keys,
    ...emitPackFiles(
      model,
      keys.map(([module, key]) => messageIn(model, module, key)),
    ),
  }))
  const manifest = createManifest(model, built, (module, key) => messageIn(model, module, key))
  return { model, built, manifest: parseManifest(printManifest(manifest)) }
}

/** Compiles newer translations and returns the messages of the first chunk by language. */
function entriesOf(manifest: BuildManifest, texts: Texts) {
  const { packs, problems, pointer } = repack(manifest, catalogFrom(texts))
  const entries = Object.fromEntries(
    packs.map(({ language, source }) => [language, source.slice('export default '.length, -1)]),
  )
  return { entries, problems, pointer, packs }
}

const sorted = (packs: readonly PackFile[]): readonly PackFile[] =>
  [...packs].sort((a, b) => (a.name < b.name ? -1 : 1))

const german = (key: string, text: string, english = 'Hello {{name}}'): Texts => ({
  'en-US': { m: { [key]: english } },
  'de-DE': { m: { [key]: text } },
})

describe('repack', () => {
  it('compiles the files, with the names, that a build from these translations has', () => {
    const chunks = [
      [['cart', 'ITEMS'] as const, ['cart', 'TITLE'] as const],
      [['auth', 'HELLO'] as const],
    ]
    const texts = (mark: string): Texts => ({
      'en-US': {
        cart: { ITEMS_one: `${mark}one`, ITEMS_other: `${mark}{{count}}`, TITLE: `${mark}Cart` },
        auth: { HELLO: `${mark}Hello {{name}}`, UNUSED: 'x' },
      },
      'de-DE': {
        cart: { ITEMS_one: `${mark}ein`, ITEMS_other: `${mark}{{count}} St.`, TITLE: 'Korb' },
        auth: { HELLO: `Hallo {{name}}${mark}` },
      },
    })
    const { manifest } = build(texts(''), {}, chunks)
    const rebuilt = build(texts('!'), {}, chunks).built.flatMap(({ packs }) => packs)
    const { packs, pointer, problems } = repack(manifest, catalogFrom(texts('!')))
    expect(sorted(packs)).toEqual(sorted(rebuilt))
    expect(problems).toEqual([])
    expect(Object.keys(pointer.packs)).toEqual(manifest.chunks.map(({ hash }) => hash))
    for (const { name } of packs) expect(Object.values(pointer.packs)).toContain(name.slice(5, 13))
  })

  it('compiles nothing from the translations of the build', () => {
    const texts = german('HELLO', 'Hallo {{name}}')
    const { manifest } = build(texts)
    const { packs, pointer } = repack(manifest, catalogFrom(texts))
    expect(packs).toEqual([])
    expect(pointer).toEqual({
      version: 1,
      languages: { 'en-US': 'Language en-US', 'de-DE': 'Language de-DE' },
      rtl: [],
      packs: {},
    })
  })

  it('has the same result as a build for any translations with the same arguments', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', ' ', 'Hi {{name}}', '{{name}} {{name}}', '<b>{{name}}</b>', '__proto__'),
    )
    const key = fc.constantFrom('A', 'B', 'C_one', 'C_other', '__proto__', '404', 'x.y')
    // The same keys before and after: a build keeps what a removed or changed key was.
    const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 4 })
    const projectOf = (names: readonly string[]) => {
      const file = (value: fc.Arbitrary<string | undefined>) =>
        fc.tuple(...names.map(() => value)).map((values) => fileOf(names, values))
      const translated = file(fc.option(text, { nil: undefined }))
      return fc.record({ 'en-US': file(text), 'de-DE': translated, 'ar-EG': translated })
    }
    const projects = keys.chain((names) => fc.tuple(projectOf(names), projectOf(names)))
    fc.assert(
      fc.property(projects, ([before, after]) => {
        const wrap = (files: typeof before): Texts =>
          Object.fromEntries(Object.entries(files).map(([code, one]) => [code, { m: one }]))
        const { manifest } = build(wrap(before))
        expect(repack(manifest, catalogFrom(wrap(before))).packs).toEqual([])
        const { packs, problems } = repack(manifest, catalogFrom(wrap(after)))
        fc.pre(problems.length === 0 && manifest.chunks[0]!.keys.length > 0)
        const model = buildModel(catalogFrom(wrap(after)), { syntax: 'double-brace' })
        // Refused for a message without the parameter, before or after.
        const models = [model, buildModel(catalogFrom(wrap(before)), { syntax: 'double-brace' })]
        fc.pre(models.flatMap(inspect).every(({ code }) => code !== 'PARAMETER_UNKNOWN'))
        const messages = manifest.chunks[0]!.keys.map(([module, one]) =>
          messageIn(model, module, one),
        )
        const { hash, packs: rebuilt } = emitPackFiles(model, messages)
        expect(packs).toEqual(hash === manifest.chunks[0]!.hash ? [] : rebuilt)
      }),
      { numRuns: isDeep ? 500 : 40 },
    )
  })

  it('shows keys if the build does', () => {
    const { manifest } = build(german('HELLO', 'Hallo {{name}}'), { showKeys: true })
    expect(repack(manifest, catalogFrom(german('HELLO', 'Neu {{name}}'))).packs).toEqual([])
  })

  it('adds languages that the build does not have, with its fallback', () => {
    const { manifest } = build({ 'en-US': { m: { A: 'a', B: 'b' } } })
    const { entries, pointer } = entriesOf(manifest, {
      'en-US': { m: { A: 'a', B: 'b' } },
      'ar-EG': { m: { A: 'ا' } },
    })
    expect(entries).toEqual({ 'en-US': '["a","b"]', 'ar-EG': '["ا","b"]' })
    expect(pointer.languages).toEqual({ 'en-US': 'Language en-US', 'ar-EG': 'Language ar-EG' })
    expect(pointer.rtl).toEqual(['ar-EG'])
  })

  it('keeps the text of a removed key and reports it', () => {
    const { manifest } = build({
      'en-US': { m: { A: 'a', B: 'b' }, gone: { C: 'c' } },
      'de-DE': { m: { A: 'A', B: 'B' }, gone: { C: 'C' } },
    })
    const { entries, problems } = entriesOf(manifest, {
      'en-US': { m: { A: 'new' } },
      'de-DE': { m: { A: 'neu' } },
    })
    expect(manifest.chunks[0]!.keys).toEqual([
      ['gone', 'C'],
      ['m', 'A'],
      ['m', 'B'],
    ])
    expect(entries).toEqual({ 'en-US': '["c","new","b"]', 'de-DE': '["C","neu","B"]' })
    expect(problems).toEqual(
      [
        ['gone', 'C'],
        ['m', 'B'],
      ].map(([module, key]) => ({
        severity: 'warning',
        code: 'KEY_REMOVED',
        module,
        key,
        message: 'no longer exists; the built translations remain',
      })),
    )
  })

  it('shows the built text of a removed key in languages that the build does not have', () => {
    const { manifest } = build({ 'en-US': { m: { A: 'a', B: 'b' } } })
    const { entries } = entriesOf(manifest, { 'pt-BR': { m: { A: 'novo' } } })
    expect(entries).toEqual({ 'pt-BR': '["novo","b"]' })
  })

  it.each([
    ['another parameter', 'Hallo {{vorname}}', 'the build passes no parameter vorname'],
    [
      'another type of a parameter',
      'Hallo {{name, datetime}}',
      'the parameter name is of the type date, and was value in the build',
    ],
  ])('refuses a translation with %s', (_, text, reason) => {
    const { manifest } = build(german('HELLO', 'Hallo {{name}}'))
    const { entries, problems } = entriesOf(manifest, german('HELLO', text, 'Hi {{name}}'))
    expect(entries).toEqual({
      'en-US': '[a=>"Hi "+a.name]',
      'de-DE': '[a=>"Hallo "+a.name]',
    })
    expect(problems).toEqual([
      {
        severity: 'warning',
        code: 'TRANSLATION_REFUSED',
        language: 'de-DE',
        module: 'm',
        key: 'HELLO',
        message: `${reason}; the built translation remains`,
      },
    ])
  })

  it('accepts a translation that leaves out a parameter, or shows a number as it is', () => {
    const { manifest } = build(german('N', '{{n, number}} Stück', '{{n, number}} items'))
    const { entries, problems } = entriesOf(manifest, german('N', 'viele', '{{n}} items'))
    expect(entries).toEqual({ 'en-US': '[a=>""+a.n+" items"]', 'de-DE': '["viele"]' })
    expect(problems).toEqual([])
  })

  it('refuses plural forms for a message that gets no count', () => {
    const { manifest } = build({ 'en-US': { m: { X: 'things' } } })
    const { packs, problems } = entriesOf(manifest, {
      'en-US': { m: { X_one: 'thing', X_other: '{{count}} things' } },
    })
    expect(packs).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([
      'the build passes no parameter count; the built translation remains',
    ])
  })

  it('accepts one form for a message that gets a count, and other forms', () => {
    const { manifest } = build({ 'en-US': { m: { X_one: 'one', X_other: '{{count}}' } } })
    const single = entriesOf(manifest, { 'en-US': { m: { X: 'any {{count}}' } } })
    expect(single.entries).toEqual({ 'en-US': '[a=>"any "+a.count]' })
    const three = { X_few: 'few', X_one: 'one', X_other: 'many' }
    const { entries, problems } = entriesOf(manifest, { pl: { m: three } })
    expect(entries.pl).toContain('"few"')
    expect([...single.problems, ...problems]).toEqual([])
  })

  it('keeps a translation without count while the application may call it so', () => {
    const both = { X: 'things', X_one: 'one', X_other: '{{count}} things' }
    const { manifest } = build({ 'en-US': { m: both } })
    const { X: _, ...plural } = both
    const { packs, problems } = entriesOf(manifest, { 'en-US': { m: plural } })
    expect(packs).toEqual([])
    expect(problems).toEqual([
      expect.objectContaining({ code: 'TRANSLATION_REFUSED', module: 'm', key: 'X' }),
    ])
    const changed = entriesOf(manifest, { 'en-US': { m: { ...both, X: 'new {{x}}' } } })
    expect(changed.packs).toEqual([])
    expect(changed.problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('no parameter x') }),
    ])
  })

  it.each([
    ['a missing tag', 'AGB', 'the tag <link> is missing'],
    ['an unknown tag', '<link>AGB</link> <b>!</b>', 'the build passes no such tag <b>'],
    ['another kind of tag', '<link/>', 'the build passes no such tag <link>'],
  ])('refuses a translation with %s', (_, text, reason) => {
    const options = { markup: { framework: 'plain', selfClosing: true } } as const
    const texts = (translation: string) => german('T', translation, '<link>terms</link>')
    const { manifest } = build(texts('<link>Bedingungen</link>'), options)
    const { packs, problems } = entriesOf(manifest, texts(text))
    expect(packs).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([
      `${reason}; the built translation remains`,
    ])
  })

  it('does not report what the build already had', () => {
    const texts = german('HELLO', 'Hallo {{vorname}}')
    const { manifest } = build(texts)
    expect(repack(manifest, catalogFrom(texts))).toMatchObject({ packs: [], problems: [] })
  })

  it('uses the options of the build: syntax, fallback and pseudo-locales', () => {
    const options = {
      syntax: 'icu',
      fallback: { 'fr-FR': ['de-DE'] },
      pseudo: { ltr: 'en-XA' },
    } as const
    const texts = (text: string): Texts => ({
      'en-US': { m: { A: `${text} {n, number}` } },
      'de-DE': { m: { A: `${text} de {n, number}` } },
      'fr-FR': { m: {} },
    })
    const { manifest } = build(texts('old'), options)
    expect(Object.keys(manifest.languages)).toEqual(['en-US', 'de-DE', 'fr-FR'])
    const { packs } = repack(manifest, catalogFrom(texts('new')))
    expect(packs).toEqual(build(texts('new'), options).built[0]!.packs)
    expect(packs.map(({ language }) => language)).toEqual(['en-US', 'de-DE', 'fr-FR', 'en-XA'])
    const models = [options, { syntax: 'double-brace' } as const].map((own) =>
      buildModel(catalogFrom(texts('new')), own),
    )
    for (const model of models) expect(repack(manifest, model).packs).toEqual(packs)
  })
})

describe('a manifest', () => {
  it('lists the keys, arguments, packs and translations of each chunk, and no others', () => {
    const { manifest } = build(
      {
        'en-US': { m: { A: 'Hi {{name}}', N_one: '1', N_other: '{{count}}', UNUSED: 'u' } },
        'de-DE': { m: { A: 'Hallo' } },
      },
      {},
      [
        [
          ['m', 'A'],
          ['m', 'N'],
        ],
        [['m', 'A']],
      ],
    )
    expect(manifest).toMatchObject({
      version: 1,
      defaultLanguage: 'en-US',
      languages: { 'en-US': 'Language en-US', 'de-DE': 'Language de-DE' },
      options: { syntax: 'double-brace' },
      messages: {
        m: { A: { params: { name: 'value' }, tags: {} }, N: { params: { count: 'number' } } },
      },
      translations: {
        m: {
          'en-US': { A: 'Hi {{name}}', N_one: '1', N_other: '{{count}}' },
          'de-DE': { A: 'Hallo' },
        },
      },
    })
    expect(JSON.stringify(manifest)).not.toContain('UNUSED')
    expect(manifest.chunks.map(({ keys }) => keys.length).sort()).toEqual([1, 2])
    const [{ hash, packs }] = manifest.chunks as [(typeof manifest.chunks)[0]]
    expect(packs['de-DE']).toEqual({
      file: `uilm-${hash}.de-DE.js`,
      integrity: expect.stringMatching(/^sha256-[\w+/]{43}=$/),
    })
  })

  it.each([
    ['not JSON', '{'],
    ['another file', '{"name": "app"}'],
    ['a newer version', '{"version": 2, "chunks": []}'],
    ['incomplete', '{"version": 1, "defaultLanguage": "en", "chunks": []}'],
  ])('is refused if it is %s', (_, text) => {
    expect(() => parseManifest(text, 'dist/uilm-manifest.json')).toThrow(
      'dist/uilm-manifest.json is not a build manifest',
    )
  })
})
