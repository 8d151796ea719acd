import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  addKeys,
  emitDeclarations,
  emitPackFiles,
  emitProgram,
  type Model,
  openProject,
  parseManifest,
  readSnapshotSync,
  renameLocally,
  repack,
  writeFiles,
} from '../src/index.ts'
import { lockEntry } from '../src/snapshot/snapshot.ts'
import { snapshotPath } from '../src/model/snapshot-text.ts'
import { hostile } from './arbitrary.ts'
import { bytesIn, temporaryFolder } from '@servicekit/testing/folder'
import { isDeep } from '@servicekit/testing/is-deep'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

const climbing = [
  '/../../../victim',
  '../victim',
  '..',
  'de/../../victim',
  'de\\..\\..\\victim',
  '/victim',
  'C:\\victim',
  '%2e%2e%2fvictim',
  'de\0',
  'de\n',
  '.hidden',
  'd'.repeat(300),
]
const names = fc.oneof(
  fc.constantFrom(...climbing, ...hostile),
  fc
    .array(fc.constantFrom('..', '/', '\\', 'victim', 'de', '.', '%2f', '-', '$'), { maxLength: 8 })
    .map((parts) => parts.join('')),
)

let world: string
let root: string
beforeEach(async () => {
  world = await temporaryFolder()
  root = join(world, 'a/b/app')
  await write(world, {
    'victim.js': 'victim',
    'a/victim.js': 'victim',
    'a/b/victim.js': 'victim',
    'a/b/app/victim.js': 'victim',
    'secret.json': '{"SECRET": "s"}',
  })
})

async function write(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(folder, path), text)
  }
}

/** Writes a snapshot by hand, with the right hashes. */
async function commit(
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  lock: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const files = Object.entries(texts).flatMap(([language, modules]) =>
    Object.entries(modules).map(
      ([module, text]) => [snapshotPath(language, module), text] as const,
    ),
  )
  await write(join(root, 'uilm'), Object.fromEntries(files))
  await write(root, {
    'uilm.lock.json': {
      version: 1,
      defaultLanguage: Object.keys(texts)[0],
      languages: Object.fromEntries(Object.keys(texts).map((code) => [code, code])),
      modules: [...new Set(Object.values(texts).flatMap((modules) => Object.keys(modules)))],
      files: Object.fromEntries(files.map(([path, text]) => [path, lockEntry(text, 1)])),
      ...lock,
    },
  })
}

/** Writes everything that is made of a model, as a build and the commands do. */
async function emitAll(model: Model): Promise<void> {
  const outDir = join(root, 'out')
  const messages = model.modules.flatMap((module) => module.messages)
  const { packs } = emitPackFiles(model, messages)
  await writeFiles(
    packs.map(({ name, source }) => ({ path: join(root, 'dist', name), text: source })),
  )
  await writeFiles(
    emitProgram(model, { outDir, storageKey: 'language', sync: true, i18next: true }),
  )
  await writeFiles(emitDeclarations(model, { outDir, snapshotDir: join(root, 'uilm') }))
}

/** Folders that the project writes. */
const written = ['uilm', 'dist', 'out', '.servicekit']

/** Returns the files that the project must not touch. */
const outside = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(await bytesIn(world)).filter(
      ([file]) => !written.some((folder) => file.startsWith(`a/b/app/${folder}/`)),
    ),
  )

const text = '{\n  "A": "a"\n}\n'

describe('names in committed files', () => {
  const readers: Readonly<
    Record<string, (names: { language: string; module: string }) => Promise<void>>
  > = {
    async 'the lock file'({ language, module }) {
      await commit({ en: { [module]: text }, [language]: { [module]: text } })
      const project = openProject({ root }, { environment: {} })
      await emitAll(await project.load())
      await emitAll(await project.load({ onDrift: () => undefined }))
      await project.writeTypes(await project.load())
    },
    async 'the lock file of a linter'({ language, module }) {
      await commit({ en: { [module]: text }, [language]: { [module]: text } })
      const catalog = readSnapshotSync({
        snapshotDir: join(root, 'uilm'),
        lockFile: join(root, 'uilm.lock.json'),
      })
      const codes = catalog?.languages.map(({ code }) => code) ?? []
      expect(codes.every((code) => /^[\w-]+$/.test(code))).toBe(true)
    },
    async 'the paths of the lock file'({ language }) {
      await commit({ en: { a: text } }, { files: { [`${language}.json`]: lockEntry(text, 1) } })
      const fake = fakeService({ 'en/a': { A: 'a' } })
      await projectOver(fake.fetch, { root }).pull()
    },
    async 'the file of new keys'({ language, module }) {
      await commit({ en: { a: text } })
      const keys = {
        [module]: { A: { text: 'a', language } },
        a: { B: { text: 'b', language: 'en', renamedFrom: module } },
      }
      await write(root, { 'uilm.keys.json': keys })
      const project = openProject({ root }, { environment: {} })
      await emitAll(await project.load())
      await project.writeTypes(await project.load())
      const fake = fakeService({ 'en/a': { A: 'a' } })
      await projectOver(fake.fetch, { root }).pull({ types: true })
    },
    async 'the ETags of a pull'({ language, module }) {
      const fake = fakeService({ 'en/a': { A: 'a' } })
      await projectOver(fake.fetch, { root }).pull()
      const etags = { [`${language}/${module}.json`]: { etag: '"1"', hash: module } }
      for (const of of [etags, { 'en/a.json': null }, [language], language]) {
        await write(root, { '.servicekit/etags.json': { source: module, etags: of } })
        await projectOver(fake.fetch, { root }).pull()
      }
    },
    async 'the manifest of a build'({ language, module }) {
      await emitManifest({
        languages: { en: 'English', [language]: 'x' },
        messages: { [module]: { A: { params: {}, tags: {} } } },
        translations: { [module]: { en: { A: 'a' }, [language]: { A: 'b' } } },
        chunks: [{ hash: language, keys: [[module, 'A']], packs: {} }],
      })
    },
    async 'the options in the manifest of a build'({ language }) {
      await emitManifest({ options: { syntax: 'double-brace', pseudo: { ltr: language } } })
    },
  }
  const emitManifest = async (part: object): Promise<void> => {
    await commit({ en: { m: text } })
    const manifest = parseManifest(
      JSON.stringify({
        version: 1,
        defaultLanguage: 'en',
        languages: { en: 'English' },
        options: { syntax: 'double-brace' },
        messages: { m: { A: { params: {}, tags: {} } } },
        chunks: [{ hash: '12345678', keys: [['m', 'A']], packs: {} }],
        translations: { m: { en: { A: 'a' } } },
        ...part,
      }),
    )
    const { packs } = repack(manifest, await openProject({ root }, { environment: {} }).load())
    await writeFiles(
      packs.map(({ name, source }) => ({ path: join(root, 'dist', name), text: source })),
    )
  }

  it.each(Object.entries(readers))(
    'never lead out of the output folder: %s',
    { timeout: 600_000 },
    async (_, read) => {
      const before = await outside()
      await fc.assert(
        fc.asyncProperty(names, names, async (language, module) => {
          // Or each case would read the files of all cases before it.
          for (const path of [...written, 'uilm.keys.json']) {
            await rm(join(root, path), { recursive: true, force: true })
          }
          const error: unknown = await read({ language, module }).then(
            () => undefined,
            (cause: unknown) => cause,
          )
          const {
            ['a/b/app/uilm.lock.json']: _lock,
            ['a/b/app/uilm.keys.json']: _keys,
            ...after
          } = await outside()
          expect(after).toEqual(before)
          // Not a raw TypeError or SyntaxError.
          const { code } = (error ?? { code: 'none' }) as { readonly code?: unknown }
          expect(typeof code).toBe('string')
        }),
        {
          numRuns: isDeep ? 2000 : 25,
          examples: climbing.map((name): [string, string] => [name, 'a']),
        },
      )
    },
  )

  it.each(climbing)('are refused like those of the service: the language %j', async (code) => {
    const named = expect.objectContaining({
      message: expect.stringContaining('nvalid language code'),
    })
    await commit({ en: { a: text }, [code]: { a: text } })
    await expect(openProject({ root }, { environment: {} }).load()).rejects.toThrow(named)
    const fake = fakeService({ 'en/a': { A: 'a' } })
    fake.served.languages = [{ languageCode: 'en' }, { languageCode: code }]
    await expect(projectOver(fake.fetch, { root }).pull()).rejects.toThrow(named)
  })

  it('name a default language, files and modules that the lock does not list', async () => {
    const load = (): Promise<unknown> => openProject({ root }, { environment: {} }).load()
    const refused = { code: 'SNAPSHOT_INVALID' }
    await commit({ en: { a: text } }, { defaultLanguage: 'de' })
    await expect(load()).rejects.toMatchObject(refused)
    await commit({ en: { a: text } }, { modules: [] })
    await expect(load()).rejects.toMatchObject(refused)
    await commit({ en: { a: text } }, { modules: ['a', 'A'] })
    await expect(load()).rejects.toMatchObject(refused)
    await commit({ en: { a: text } }, { modules: ['a', 'a'] })
    await expect(load()).rejects.toMatchObject(refused)
    await commit({ en: { a: text } })
    await expect(load()).resolves.toBeDefined()
  })
})

describe('module names', () => {
  it.each([
    [['package.json']],
    [['import-map.json']],
    [['runtime.js']],
    [['react.d.ts']],
    [['auth', 'auth.js']],
    [['auth', 'AUTH.d.ts']],
  ])('that would be a file and a folder are named: %j', async (modules) => {
    const model = await modelWith(modules)
    const emit = () => emitProgram(model, { outDir: join(root, 'out'), storageKey: 'language' })
    expect(emit).toThrow(
      expect.objectContaining({
        code: 'CATALOG_INVALID',
        message: expect.stringContaining(modules.at(-1)!),
      }),
    )
  })

  it.each([[['auth', 'auth.d.ts']], [['react.d.ts']]])(
    'that would be a declaration and a folder are named: %j',
    async (modules) => {
      const project = openProject({ root }, { environment: {} })
      const model = await modelWith(modules)
      await expect(project.writeTypes(model)).rejects.toMatchObject({ code: 'CATALOG_INVALID' })
    },
  )

  const modelWith = async (modules: readonly string[]): Promise<Model> => {
    await commit({ en: Object.fromEntries(modules.map((name) => [name, text])) })
    return openProject({ root }, { environment: {} }).load()
  }
})

describe('values in committed files', () => {
  it.each([
    ['an object', '{"A": {"b": "c"}}', 'A'],
    ['an array', '{"A": ["b"]}', 'A'],
    ['a number', '{"A": 1}', 'A'],
    ['true', '{"A": true}', 'A'],
    ['an empty key', '{"": "a"}', ''],
    ['a list', '["a"]', 'not an object'],
    ['a string', '"a"', 'not an object'],
    ['null', 'null', 'not an object'],
    ['half a file', '{"A": "a"', 'not valid JSON'],
    ['conflict markers', '<<<<<<< HEAD\n{"A": "a"}', 'not valid JSON'],
  ])('are refused with the name of the file: %s', async (_, content, reason) => {
    await commit({ en: { a: content } })
    const project = openProject({ root }, { environment: {} })
    const refused = {
      code: 'SNAPSHOT_INVALID',
      message: expect.stringContaining(join('uilm', 'en', 'a.json')),
    }
    const error: unknown = await project.load().catch((cause: unknown) => cause)
    expect(error).toMatchObject(refused)
    expect(String(error)).toContain(reason)
    const drifted: unknown[] = []
    await project.load({ onDrift: (one) => drifted.push(one) })
    expect(drifted).toMatchObject([refused])
    // A pull replaces the file.
    const fake = fakeService({ 'en/a': { A: 'a' } })
    await projectOver(fake.fetch, { root }).pull()
    expect((await project.load()).modules[0]!.messages).toHaveLength(1)
  })

  it('are refused if the lock counts other keys', async () => {
    await commit({ en: { a: text } }, { files: { 'en/a.json': lockEntry(text, 7) } })
    const load = openProject({ root }, { environment: {} }).load()
    await expect(load).rejects.toMatchObject({ code: 'SNAPSHOT_DRIFT' })
  })

  it.each([
    [{ translations: { m: { en: { A: {} } } } }],
    [{ translations: { m: { en: [] } } }],
    [{ translations: { m: 5 } }],
    [{ messages: { m: { A: null } } }],
    [{ messages: { m: { A: { params: { n: 7 }, tags: {} } } } }],
    [{ messages: { m: { A: { params: {}, tags: { b: 'x' } } } } }],
    [{ messages: { m: { A: { params: {}, tags: {}, base: 5 } } } }],
    [{ chunks: [null] }],
    [{ chunks: [{ hash: 5, keys: [], packs: {} }] }],
    [{ chunks: [{ hash: '1', keys: [['m']], packs: {} }] }],
    [{ chunks: [{ hash: '1', keys: [['m', 'B']], packs: {} }] }],
    [{ languages: { en: 5 } }],
    [{ defaultLanguage: 'fr' }],
    [{ options: { syntax: 'printf' } }],
    [{ options: { syntax: 'icu', fallback: { en: 'de' } } }],
    [{ options: { syntax: 'icu', markup: { framework: 'x' } } }],
    [{ options: { syntax: 'icu', blankIsMissing: 1 } }],
    [{ options: { syntax: 'icu', pseudo: { ltr: 7 } } }],
    [{ options: { syntax: 'icu', pseudo: 'x' } }],
  ])('of a manifest are refused with its name: %j', (part) => {
    const manifest = {
      version: 1,
      defaultLanguage: 'en',
      languages: { en: 'English' },
      options: { syntax: 'double-brace' },
      messages: { m: { A: { params: {}, tags: {} } } },
      chunks: [{ hash: '1', keys: [['m', 'A']], packs: {} }],
      translations: { m: { en: { A: 'a' } } },
    }
    expect(parseManifest(JSON.stringify(manifest), 'x.json')).toEqual(manifest)
    expect(() => parseManifest(JSON.stringify({ ...manifest, ...part }), 'x.json')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining('x.json is not a build manifest'),
      }),
    )
  })
})

describe('links', () => {
  const read = (from: string) =>
    openProject({ root, from, outDir: '.servicekit' }, { environment: {} }).load()

  it('are followed inside the folder of the option from, and not out of it', async () => {
    const from = join(world, 'texts')
    await write(from, { 'en/a.json': { A: 'a' } })
    await symlink('../en/a.json', join(from, 'en/b.json'))
    expect((await read(from)).modules.map(({ name }) => name)).toEqual(['a', 'b'])
    await symlink('../../secret.json', join(from, 'en/c.json'))
    await expect(read(from)).rejects.toThrow(/en\/c\.json is a link out of/)
  })

  it('to a folder outside are refused', async () => {
    const from = join(world, 'texts')
    await write(from, { 'en/a.json': { A: 'a' } })
    await write(world, { 'private/a.json': { SECRET: 's' } })
    await symlink('../private', join(from, 'de'))
    await expect(read(from)).rejects.toThrow(/texts\/de is a link out of/)
  })

  it('of the snapshot lead neither a reader nor a pull out of it', async () => {
    await commit({ en: { a: text } })
    await write(world, { 'private/a.json': text, 'private/victim.json': text })
    await rm(join(root, 'uilm/en'), { recursive: true })
    await symlink(join(world, 'private'), join(root, 'uilm/en'))
    const before = await bytesIn(join(world, 'private'))
    await expect(openProject({ root }, { environment: {} }).load()).rejects.toThrow(
      'is a link out of',
    )
    const fake = fakeService({ 'en/a': { A: 'new' }, 'en/victim': { A: 'new' } })
    await expect(projectOver(fake.fetch, { root }).pull()).rejects.toThrow('is a link out of')
    expect(await bytesIn(join(world, 'private'))).toEqual(before)
  })

  describe('of a folder that commands write', () => {
    const linkError = ({ code, message }: { code: string; message: string }) =>
      expect.objectContaining({ code, message: expect.stringContaining(message) })
    const commands: Readonly<Record<string, () => Promise<unknown>>> = {
      async pull() {
        const fake = fakeService({ 'en/a': { A: 'new' } })
        await projectOver(fake.fetch, { root }).pull({ types: true })
      },
      'pull of types from a folder': async () => {
        await write(root, { 'locales/en/a.json': text })
        await openProject({ root, from: 'locales' }, { environment: {} }).pull({ types: true })
      },
      async add() {
        const project = openProject({ root, writeTo: { folder: 'new' } }, { environment: {} })
        await addKeys(project, [{ module: 'a', key: 'B', text: 'b' }])
      },
      async rename() {
        const project = openProject({ root }, { environment: {} })
        await renameLocally(project, [{ module: 'a', from: 'A', to: 'B' }])
      },
      async 'the declarations'() {
        const project = openProject({ root }, { environment: {} })
        await project.writeTypes(await project.load())
      },
    }
    it.each(
      Object.keys(commands).flatMap((name) =>
        ['.servicekit', '.servicekit/cache', 'uilm'].map((folder) => [name, folder] as const),
      ),
    )('leads no file out of the project: %s, %s', async (name, folder) => {
      await commit({ en: { a: text } })
      const outside = join(world, 'private')
      await mkdir(outside, { recursive: true })
      if (folder === 'uilm') await rename(join(root, 'uilm'), outside)
      await mkdir(dirname(join(root, folder)), { recursive: true })
      await symlink(outside, join(root, folder))
      const before = await bytesIn(outside)
      const error: unknown = await commands[name]!().catch((cause: unknown) => cause)
      // Declarations are not in these folders, and a folder of files has no snapshot.
      const isUnused = /types|declarations/.test(name) && folder !== '.servicekit'
      const link = {
        code: 'READ_FAILED',
        message: `${join(root, folder)} is a link out of ${root}`,
      }
      expect(error).toEqual(isUnused ? undefined : linkError(link))
      expect(await bytesIn(outside)).toEqual(before)
    })

    it('is used if the link leads to another folder of the project, or the option names it', async () => {
      const fake = fakeService({ 'en/a': { A: 'new' } })
      await mkdir(join(root, 'texts'), { recursive: true })
      await symlink('texts', join(root, 'uilm'))
      await projectOver(fake.fetch, { root }).pull()
      expect(await bytesIn(join(root, 'texts'))).toHaveProperty(['en/a.json'])
      await projectOver(fake.fetch, { root, snapshotDir: '../shared' }).pull()
      expect(await bytesIn(join(root, '../shared'))).toHaveProperty(['en/a.json'])
    })
  })

  it('of the output folder lead no generated file out of it', async () => {
    await commit({ en: { a: text } })
    await write(world, { 'private/own.d.ts': 'own' })
    await mkdir(join(root, '.servicekit'))
    await symlink(join(world, 'private'), join(root, '.servicekit/types'))
    const project = openProject({ root }, { environment: {} })
    const model = await project.load()
    await expect(project.writeTypes(model)).rejects.toThrow('is a link out of')
    expect(await bytesIn(join(world, 'private'))).toEqual({ 'own.d.ts': 'own' })
  })
})
