import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPlatform, type Platform } from '@servicekit/platform'
import { temporaryFolder } from '@servicekit/testing/folder'
import { isDeep } from '@servicekit/testing/is-deep'
import { projectOver } from '@servicekit/testing/translation-service'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyText } from './arbitrary.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [] })
})
afterAll(() => platform?.close())

const control = async (method: string, path: string, body?: unknown) => {
  const response = await platform.fetch(
    new Request(`http://platform.test/_platform${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  expect([200, 201, 400], `${method} ${path}: ${response.status} ${text}`).toContain(
    response.status,
  )
  return response.ok
}

/** Names of a project to create. */
interface Names {
  readonly codes: readonly string[]
  readonly modules: readonly string[]
  readonly keys: readonly string[]
}

/** Adds the names one by one, as the console does; those that the platform refuses are missing. */
async function createByRoutes(projectKey: string, { codes, modules, keys }: Names) {
  await control('POST', '/projects', { projectKey, name: 'Names' })
  const on = (method: string, path: string, body?: unknown) =>
    control(method, `/projects/${projectKey}${path}`, body)
  const accepted = { codes: [] as string[], modules: [] as string[], keys: [] as string[] }
  for (const languageCode of codes) {
    if (await on('POST', '/languages', { languageCode })) accepted.codes.push(languageCode)
  }
  for (const moduleName of modules) {
    if (await on('POST', '/modules', { moduleName })) accepted.modules.push(moduleName)
  }
  const [module] = accepted.modules
  const [language] = accepted.codes
  for (const [index, key] of keys.entries()) {
    const edit = [{ module, language, key, value: 'text' }]
    const path = index % 2 === 0 ? '/drafts' : '/texts'
    if (await on('PUT', path, edit)) accepted.keys.push(key)
  }
  await on('POST', '/publish')
  return accepted
}

const memberNames = ({ codes, modules }: Names) => ({
  languages: codes.map((languageCode, index) => ({
    itemId: `l${index}`,
    languageName: languageCode,
    languageCode,
    isDefault: index === 0,
  })),
  modules: modules.map((moduleName, index) => ({ itemId: `m${index}`, moduleName })),
})

/** Not an object literal, in which the key `__proto__` has another meaning. */
const textsOf = (keys: readonly string[]): object =>
  JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:"text"`).join(',')}}`) as object

/** Creates the project from one value, all or nothing. */
async function createByImport(projectKey: string, names: Names) {
  const isCreated = await control('POST', '/projects', {
    projectKey,
    name: 'Names',
    ...memberNames(names),
    texts: Object.fromEntries([
      [names.codes[0]!, Object.fromEntries([[names.modules[0]!, textsOf(names.keys)]])],
    ]),
  })
  return isCreated ? names : undefined
}

/** Imports translations into an empty project, as those of a CSV or XLIFF file, all or nothing. */
async function createByTranslations(projectKey: string, names: Names) {
  await control('POST', '/projects', { projectKey, name: 'Names' })
  const [language] = names.codes
  const [module] = names.modules
  const isImported = await control('POST', `/projects/${projectKey}/imports`, {
    languages: names.codes.map((languageCode, at) => ({ languageCode, isDefault: at === 0 })),
    modules: names.modules,
    drafts: names.keys.map((key) => ({ module, key, language, value: 'text', expected: null })),
  })
  if (!isImported) return undefined
  await control('POST', `/projects/${projectKey}/publish`)
  return names
}

/** Creates the project from a folder, all or nothing. Its keys are in a module that any folder has. */
async function createByFolder(projectKey: string, names: Names) {
  const folder = await temporaryFolder()
  const write = (file: string, value: unknown) =>
    writeFile(join(folder, file), JSON.stringify(value))
  const all = { ...names, codes: ['en', ...names.codes], modules: ['plain', ...names.modules] }
  const { languages, modules } = memberNames(all)
  await mkdir(join(folder, 'uilm/en'), { recursive: true })
  await write('project.json', { projectKey, name: 'Names' })
  await write('languages.json', languages)
  await write('modules.json', modules)
  await write('uilm/en/plain.json', textsOf(names.keys))
  const isRefused = await platform.loadProject(folder).then(
    () => false,
    (error: unknown) => {
      if ((error as { code?: string }).code === 'PROJECT_INVALID') return true
      throw error
    },
  )
  return isRefused ? undefined : all
}

const code = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^[a-z]{2,3}(?:[-_][A-Z]{2})?$/) },
  fc.constantFrom('english', 'xx', 'pt_BR', 'de-DE', 'de-de', 'DE_de', 'key', 'en US', 'en-', '-'),
  fc.constantFrom('a'.repeat(64), 'a'.repeat(65), 'constructor', '123', 'x-private', 'ｅｎ'),
  anyText,
)
const name = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z][a-z-]{0,6}$/) },
  fc.constantFrom('auth', 'Auth', 'AUTH', 'shop/cart', 'shop', 'react', 'runtime', ' auth', '   '),
  anyText,
)
const someOf = (text: fc.Arbitrary<string>) => fc.uniqueArray(text, { minLength: 1, maxLength: 4 })
const anyNames = fc.record({
  codes: someOf(code),
  modules: someOf(name),
  keys: someOf(
    fc.oneof(
      { weight: 6, arbitrary: fc.stringMatching(/^[A-Z_]{1,9}$/) },
      fc.string({ unit: 'binary', minLength: 200, maxLength: 4000 }),
      anyText,
    ),
  ),
})

describe('every project that the platform accepts can be pulled', () => {
  let count = 0
  it.each([
    ['one name at a time', createByRoutes],
    ['one value', createByImport],
    ['an import of translations', createByTranslations],
    ['a folder', createByFolder],
  ])('if it was created from %s', async (_, create) => {
    let pulled = 0
    await fc.assert(
      fc.asyncProperty(anyNames, async (names) => {
        const projectKey = `P${count++}`
        const accepted = await create(projectKey, names)
        if (!accepted || accepted.codes.every((one) => one === 'key')) return
        const project = projectOver((request) => platform.fetch(request), {
          root: await temporaryFolder(),
          projectKey,
        })
        await project.pull({ types: true })
        pulled++
        const { catalog } = await project.load()
        expect(catalog.languages.map((one) => one.code).toSorted()).toEqual(
          accepted.codes.filter((one) => one !== 'key').toSorted(),
        )
        expect(catalog.modules.map((one) => one.name).toSorted()).toEqual(
          accepted.modules.toSorted(),
        )
        const found = catalog.modules.flatMap((one) => [
          ...(one.translations.get(accepted.codes[0]!)?.keys() ?? []),
        ])
        // The language "key" is not pulled.
        const expected = accepted.codes[0] === 'key' ? [] : accepted.keys
        expect(found.toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: isDeep ? 300 : 20 },
    )
    expect(pulled).toBeGreaterThan(5)
  })
})
