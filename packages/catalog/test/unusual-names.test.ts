import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import ts from 'typescript'
import { emitNamedPack, emitProgram, importNameOf, specifierOf, writeFiles } from '../src/index.ts'
import { hostile } from './arbitrary.ts'
import { endOf, runChild } from '@servicekit/testing/child-program'
import { stampsIn, temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'

type Messages = Record<string, (args?: object) => string>
type Runtime = { setLanguage: (language: string) => Promise<void> }

async function compiled(files: Record<string, unknown>) {
  const root = await temporaryFolder()
  const project = projectOver(fakeService(files).fetch, { root })
  await project.pull()
  const model = await project.load()
  const outDir = join(root, 'out')
  const write = () => writeFiles(emitProgram(model, { outDir, storageKey: 'language' }))
  await write()
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  const load = async <T>(file: string): Promise<T> =>
    (await import(pathToFileURL(join(outDir, file)).href)) as T
  return { root, outDir, model, write, load }
}

/**
 * Keys whose translations are the keys themselves, so that each translation identifies
 * its key.
 */
const keys = [
  ...hostile.filter(
    (key) => key !== '' && key !== '[ KEY MISSING ]' && !/\{\{\s*\w+\s*\}\}/.test(key),
  ),
  ...(
    'message pack entries Message MessageWith PluralMessage language import Promise Object undefined ' +
    'globalThis exports module require $0 $entries$'
  ).split(' '),
]
const body = (mark: string): string =>
  `{${[...new Set(keys)].map((key) => `${JSON.stringify(key)}:${JSON.stringify(mark + key)}`).join()}}`

describe('a compiled program with unusual keys and translations', () => {
  it('returns every translation exactly, in each language and by each name', async () => {
    const { load } = await compiled({ 'en-US/odd': body('en '), 'de-DE/odd': body('de ') })
    const { setLanguage } = await load<Runtime>('runtime.js')
    const messages = await load<Messages>('odd.js')
    for (const mark of ['en ', 'de ']) {
      await setLanguage(mark === 'en ' ? 'en-US' : 'de-DE')
      const said = new Set(Object.values(messages).map((message) => message()))
      expect([...new Set(keys)].filter((key) => !said.has(mark + key))).toEqual([])
      for (const [name, message] of Object.entries(messages)) {
        // A message is exported under its exact key wherever the language allows it.
        const key = message().slice(mark.length)
        expect(name === key || name.includes('$') || messages[key] === message, name).toBe(true)
      }
    }
    expect(messages).not.toHaveProperty('then')
  })

  it.each([false, true])('looks up every message by its exact key (sync: %s)', async (sync) => {
    const { outDir, model } = await compiled({ 'en-US/odd': body('en ') })
    await writeFiles(emitProgram(model, { outDir, storageKey: 'language', sync }))
    for (const load of sync ? ['require', 'import'] : ['import']) {
      const file = JSON.stringify(join(outDir, `odd/messages.${load === 'require' ? 'cjs' : 'js'}`))
      // In a separate process: vitest would transform the program.
      const code = `
        import { createRequire } from 'node:module'
        const require = createRequire(import.meta.url)
        const { messages } = await ${load}(${file})
        const keys = ${JSON.stringify([...new Set(keys)])}
        process.stdout.write(JSON.stringify([keys.filter((key) => messages[key]?.() !== 'en ' + key), 'valueOf' in messages]))`
      const { output, errors } = await endOf(runChild(code))
      expect(errors).toBe('')
      expect(JSON.parse(output)).toEqual([[], false])
    }
  })

  it('is written once', async () => {
    const { write, outDir } = await compiled({ 'en-US/odd': body(''), 'de-DE/odd': body('') })
    const before = await stampsIn(outDir)
    expect(await write()).toMatchObject({ written: 0 })
    expect(await stampsIn(outDir)).toEqual(before)
  })

  it('has a development pack with every translation by name', async () => {
    const { model } = await compiled({ 'en-US/odd': body('') })
    const [module] = model.modules
    const { messages } = module!
    const pack = emitNamedPack(model, messages, 'en-US')
    const { default: translations } = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(pack)}`
    )) as { default: Record<string, string> }
    expect(Object.keys(translations)).toHaveLength(messages.length)
    for (const message of messages) expect(translations[message.name]).toBe(message.key)
  })

  it.each([false, true])(
    'has a file at the import name of each module named like its own files (sync: %s)',
    async (sync) => {
      const names = [
        'runtime',
        'Runtime.d',
        'en-US',
        'en-US/messages',
        'en-US/server',
        'messages',
        'shop/runtime',
        'languages',
        'markup',
        'my texts',
        'größe%20',
      ]
      const modules = Object.fromEntries(
        names.map((name) => [`en-US/${name}`, { A: `of ${name}` }]),
      )
      const { root, outDir, model } = await compiled(modules)
      await writeFiles(emitProgram(model, { outDir, storageKey: 'language', sync }))
      // A mapping of `~uilm/*` to the folder, as that of a tsconfig, finds them.
      const files = names.map((name) => join(outDir, `${importNameOf(name)}.js`))
      // In a separate process: vitest would transform the program.
      const code = `
        import { pathToFileURL } from 'node:url'
        const said = []
        for (const file of ${JSON.stringify(files)}) {
          const { A } = await import(pathToFileURL(file).href)
          said.push(A())
        }
        process.stdout.write(JSON.stringify(said))`
      const { output, errors } = await endOf(runChild(code))
      expect(errors).toBe('')
      expect(JSON.parse(output)).toEqual(names.map((name) => `of ${name}`))
      const { imports } = JSON.parse(await readFile(join(outDir, 'import-map.json'), 'utf8')) as {
        imports: Record<string, string>
      }
      for (const name of names) {
        const path = imports[`~uilm/${importNameOf(name)}`]!
        expect((await stat(new URL(path, pathToFileURL(`${outDir}/`)))).isFile()).toBe(true)
      }
      for (const name of names) {
        const resolved = resolveByPaths(specifierOf(name), root, outDir)
        expect([name, resolved]).toEqual([name, join(outDir, `${importNameOf(name)}.d.ts`)])
      }
    },
  )
})

/** Returns the declarations that TypeScript finds by a mapping of `~uilm/*` to a folder. */
function resolveByPaths(specifier: string, root: string, folder: string): string | undefined {
  const options = {
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    paths: { '~uilm/*': [`${folder}/*`] },
  }
  const found = ts.resolveModuleName(specifier, join(root, 'app.ts'), options, ts.sys)
  return found.resolvedModule?.resolvedFileName
}
