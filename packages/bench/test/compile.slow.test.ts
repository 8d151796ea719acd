import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'
import { afterAll, expect, it } from 'vitest'
import { writeSnapshot } from '../lib/projects.mjs'
import { removeFolders, temporaryFolder } from '../lib/temporary-folder.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'

afterAll(removeFolders)

async function compile(keys: number, languages = 20) {
  const root = temporaryFolder()
  await writeSnapshot(root, generateCatalog({ keys, languages, modules: 5 }))
  const model = await openProject({ root }, { environment: {} }).load()
  const files = emitProgram(model, { outDir: join(root, 'out'), storageKey: 'language' })
  return { files, first: await writeFiles(files), second: await writeFiles(files) }
}

it('writes a number of files that depends on languages and modules, not on keys', async () => {
  const [few, many] = [await compile(50), await compile(500)]
  expect(many.files).toHaveLength(few.files.length)
  // A language has a pack for each of the five modules.
  const fewer = await compile(50, 19)
  expect(fewer.files).toHaveLength(few.files.length - 5)
})

it('writes nothing the second time', async () => {
  const { files, first, second } = await compile(50)
  expect(first.written).toBe(files.length)
  expect(second.written).toBe(0)
})

it.each([
  ['one language, with parameters, plurals and fallback', 'message, pack', 700],
  ['with a language that can change', 'message, pack, setLanguage, getLanguage', 1050],
])('keeps the runtime small: %s', async (_, names, most) => {
  const { files } = await compile(1, 2)
  const folder = files[0]!.folder!
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names} } from './runtime.js'`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength).toBeLessThanOrEqual(most)
})
