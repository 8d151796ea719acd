import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { addKeys, type Catalog, detectFolder, openProject, openWriter } from '../src/index.ts'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'

type Texts = Readonly<Record<string, string>>
/** Texts by module and language. */
type Model = Readonly<Record<string, Readonly<Record<string, Texts>>>>

interface Layout {
  readonly files: string
  readonly pathOf: (language: string, module: string) => string
  readonly isYaml?: boolean
  /** Everything in an object with the name of the language, as in Rails. */
  readonly hasRoot?: boolean
  /** All modules in one file. */
  readonly isOneModule?: boolean
}

const layouts: Readonly<Record<string, Layout>> = {
  'a folder for each language': {
    files: '{language}/{module}.json',
    pathOf: (language, module) => `${language}/${module}.json`,
  },
  'a file for each language': {
    files: '{language}.json',
    pathOf: (language) => `${language}.json`,
    isOneModule: true,
  },
  'the language at the end of the name': {
    files: '{module}.{language}.json',
    pathOf: (language, module) => `${module}.${language}.json`,
  },
  'a folder for each module': {
    files: '{module}/{language}.json',
    pathOf: (language, module) => `${module}/${language}.json`,
  },
  'YAML with the language at the top': {
    files: '{language}.yml',
    pathOf: (language) => `${language}.yml`,
    isYaml: true,
    hasRoot: true,
    isOneModule: true,
  },
  'YAML by module with the language at the top': {
    files: '{module}.{language}.yml',
    pathOf: (language, module) => `${module}.${language}.yml`,
    isYaml: true,
    hasRoot: true,
  },
  'YAML without the language': {
    files: '{language}/{module}.yaml',
    pathOf: (language, module) => `${language}/${module}.yaml`,
    isYaml: true,
  },
}

const languages = ['en', 'de', 'pt-BR', 'zh_Hant_TW', 'sr-Latn', 'kab', 'es-419', 'nb_NO']
const segment = fc
  .stringMatching(/^[a-z][a-z\d_-]{3,8}$/)
  // A folder `de-at` with a file `en.json` is either a language or a module.
  .filter((name) => !/^[a-z]{2,3}[_-]/.test(name))
const moduleName = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'))
const keyPart = fc.oneof(
  fc.stringMatching(/^[A-Za-z_]{4,9}$/),
  fc
    .string({ minLength: 4, unit: 'grapheme' })
    .filter((one) => !/[.[\]]/.test(one) && one.trim() !== ''),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '404',
    'null',
    '<<',
    'true',
    'yes',
    '1e3',
  ),
)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '1.0',
    'a: b',
    '# no comment',
    ' x ',
    'two\nlines',
    '{{name}}',
    '- a',
    "it's",
    '"q"',
  ),
)

/** Texts with dotted keys, none of which is inside another. */
const texts = fc
  .uniqueArray(fc.tuple(fc.array(keyPart, { minLength: 1, maxLength: 3 }), text), {
    minLength: 1,
    maxLength: 8,
    selector: ([[first]]) => first,
  })
  .map((entries) => Object.fromEntries(entries.map(([path, value]) => [path.join('.'), value])))

/** A catalog in which every language has every module, so that no language is unknown. */
const model = (isOneModule: boolean): fc.Arbitrary<Model> =>
  fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...languages), { minLength: 1, maxLength: 4 }),
      isOneModule
        ? fc.constant(['messages'])
        : fc.uniqueArray(moduleName, { minLength: 1, maxLength: 4 }).filter(hasNoFolderOfFile),
    )
    .chain(([codes, modules]) =>
      fc.record(
        Object.fromEntries(
          modules.map((module) => [
            module,
            fc.record(Object.fromEntries(codes.map((code) => [code, texts]))),
          ]),
        ),
      ),
    )

/** On any file system `cart` is either a file or a folder, whatever the layout. */
const hasNoFolderOfFile = (modules: readonly string[]): boolean =>
  modules.every((one) => modules.every((other) => !other.startsWith(`${one}/`)))

function nest(flat: Texts): Map<string, unknown> {
  const root = new Map<string, unknown>()
  for (const [key, value] of Object.entries(flat)) {
    const path = key.split('.')
    const name = path.pop()!
    let at = root
    for (const part of path) {
      if (!at.has(part)) at.set(part, new Map())
      at = at.get(part) as Map<string, unknown>
    }
    at.set(name, value)
  }
  return root
}

const plain = (value: unknown): unknown =>
  value instanceof Map
    ? Object.fromEntries([...value].map(([name, inner]) => [name, plain(inner)]))
    : value

/** Writes a model in a layout. */
async function writeModel(
  folder: string,
  catalog: Model,
  layout: Layout,
  { isNested, indent }: { readonly isNested: boolean; readonly indent: number },
): Promise<void> {
  for (const [module, byLanguage] of Object.entries(catalog)) {
    for (const [language, flat] of Object.entries(byLanguage)) {
      const content = isNested ? nest(flat) : new Map(Object.entries(flat))
      const whole = layout.hasRoot ? new Map([[language, content]]) : content
      const path = join(folder, layout.pathOf(language, module))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(
        path,
        layout.isYaml
          ? stringify(whole, {
              indent: Math.max(1, indent),
              // Without quotes, `<<` merges what is in it.
              defaultKeyType: JSON.stringify(plain(whole)).includes('<<') ? 'QUOTE_DOUBLE' : null,
            })
          : `${JSON.stringify(plain(whole), null, indent)}\n`,
      )
    }
  }
}

const textsOf = ({ modules }: Catalog): Model =>
  Object.fromEntries(
    modules.map(({ name, translations }) => [
      name,
      Object.fromEntries(
        [...translations].map(([code, found]) => [code, Object.fromEntries(found) as Texts]),
      ),
    ]),
  )

const detect = (folder: string) => {
  const detected = detectFolder(folder)
  if ('unknown' in detected) throw new Error(`unknown: ${JSON.stringify(detected)}`)
  return detected
}

describe.each(Object.entries(layouts))('a folder with %s', (_, layout) => {
  it('is detected, and read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        model(layout.isOneModule === true),
        fc.boolean(),
        fc.integer({ min: 0, max: 4 }),
        async (catalog, isNested, indent) => {
          const folder = await temporaryFolder()
          await writeModel(folder, catalog, layout, { isNested, indent })
          const { from, notTaken, syntax } = detect(folder)
          expect(from.files ?? '{language}/{module}.json').toBe(layout.files)
          expect(notTaken.filter((one) => one.includes('is not named'))).toEqual([])
          const project = openProject({ root: folder, from, syntax }, { environment: {} })
          const found = await project.folder!.read().catch((error: unknown) => error)
          // Random keys may have one export name, which is an error of its own.
          fc.pre(!(found instanceof Error && found.message.startsWith('Conflicting names')))
          if (found instanceof Error) throw found
          expect(textsOf((found as { model: { catalog: Catalog } }).model.catalog)).toEqual(catalog)
        },
      ),
      { numRuns: isDeep ? 200 : 20 },
    )
  })

  it('keeps every other text when keys are added, renamed and removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        model(layout.isOneModule === true),
        fc.boolean(),
        fc.integer({ min: 0, max: 4 }),
        async (catalog, isNested, indent) => {
          const folder = await temporaryFolder()
          await writeModel(folder, catalog, layout, { isNested, indent })
          const { from } = detect(folder)
          const { options } = openProject({ root: folder, from }, { environment: {} })
          const writer = openWriter(options)
          const [language] = Object.keys(Object.values(catalog)[0]!)
          const call = { language: language!, signal: new AbortController().signal }
          const [module] = Object.keys(catalog)
          const added = { module: module!, key: 'newSection.newKey', text: 'new: "text"' }
          expect(await writer.create([added], call)).toBe(true)
          const listed = await writer.list(call)
          expect(listed).toContainEqual(added)
          const renames = [{ module: module!, from: added.key, to: 'newSection.otherKey' }]
          expect(await writer.rename!(renames, call)).toBe(true)
          await writer.remove!([{ module: module!, key: 'newSection.otherKey' }], call)
          const source = openWriter(
            openProject({ root: folder, from }, { environment: {} }).options,
          )
          for (const code of Object.keys(catalog[module!]!)) {
            const after = await source.list({ ...call, language: code })
            const own = Object.fromEntries(
              after.filter((one) => one.module === module).map(({ key, text }) => [key, text]),
            )
            expect(own).toMatchObject(catalog[module!]![code]!)
            expect(own).not.toHaveProperty(['newSection.newKey'])
          }
        },
      ),
      { numRuns: isDeep ? 100 : 12 },
    )
  })

  it('gets no file outside, whatever the name of a module or key', async () => {
    const world = await temporaryFolder()
    const folder = join(world, 'app/locales')
    await writeModel(folder, { messages: { en: { HELLO: 'Hello' } } }, layout, {
      isNested: false,
      indent: 2,
    })
    const before = await bytesIn(world)
    const { from } = detect(folder)
    const project = openProject({ root: join(world, 'app'), from }, { environment: {} })
    const hostile = [
      '../../x',
      '..',
      '/etc/x',
      'a/../../../x',
      'C:\\x',
      '..\\..\\x',
      'con',
      '~/x',
      'a\0b',
    ]
    for (const name of hostile) {
      const draft = { module: name, key: name, text: 'text' }
      // A layout of one module refuses any other.
      const reasonOf = (error: Error): string => error.message
      const results = [
        await addKeys(project, [draft], { newModules: true }).catch(reasonOf),
        await addKeys(project, [{ ...draft, module: 'messages' }]).catch(reasonOf),
      ]
      for (const reason of results.filter((one) => typeof one === 'string')) {
        expect(reason).toMatch(/has no files for the module|cannot be|contains|same export name/)
      }
    }
    const after = await bytesIn(world)
    const outside = Object.keys(after).filter(
      (path) => !/^app\/(?:locales|\.servicekit)\//.test(path),
    )
    expect(outside).toEqual([])
    expect(Object.keys(after).length).toBeGreaterThanOrEqual(Object.keys(before).length)
    expect(await readdir(world)).toEqual(['app'])
    await project.load()
  })
})

it.each(['aa-000', 'de_XQ', 'de-Zxyy'])(
  'takes the folder %s for a module, whose name has a part that no language has',
  async (module) => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, module, 'texts'), { recursive: true })
    for (const language of ['en', 'es-419', 'zh_Hant_TW']) {
      await writeFile(join(folder, module, 'texts', `${language}.json`), '{}')
    }
    expect(detect(folder).from.files).toBe('{module}/{language}.json')
  },
)
