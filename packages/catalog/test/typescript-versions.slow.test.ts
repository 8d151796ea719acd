import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  emitProgram,
  supportsStringExports,
  stringLiteral,
  typeScriptVersion,
  writeFiles,
} from '../src/index.ts'
import { hostile } from './arbitrary.ts'
import { temporaryFolder } from '@servicekit/testing/folder'
import { fakeService, projectOver } from '@servicekit/testing/translation-service'
import { bundler, compilerFolders, compilers, runTsc } from '@servicekit/testing/tsc'

const keys = [...new Set([...hostile, 'sort-by-price', 'sort.by.price', 'Message', '404'])].filter(
  (key) => key !== '' && key !== '[ KEY MISSING ]' && !key.includes('{{name}}'),
)
const files = { 'en-US/odd': Object.fromEntries(keys.map((key) => [key, 'Text'])) }

/** @param entry Specifiers of the module and of its lookup. */
const byName = (module: string, lookup: string): string => `
import { sort$2d_by$2d_price, delete$, Message } from '${module}'
import { messages, type Key, type PlainKey } from '${lookup}'
const keys = [${keys.map((key) => stringLiteral(key)).join(', ')}] as const satisfies readonly Key[]
export const texts: readonly string[] = [
  sort$2d_by$2d_price(),
  delete$(),
  Message(),
  messages['sort-by-price'](),
  messages['default'](),
  messages['then'](),
  messages['delete$'](),
  messages.sort$2d_by$2d_price(),
  ...keys.map((key: PlainKey) => messages[key]()),
]
// @ts-expect-error there is no such key
export const none: Key = 'sort-by-prize'
// @ts-expect-error a message without parameters takes none
messages['sort-by-price']({ name: 'Ada' })
`
const byKey = (module: string): string => `
import { 'sort-by-price' as sortByPrice, 'delete' as remove } from '${module}'
export const texts: readonly string[] = [sortByPrice(), remove()]
// @ts-expect-error there is no such key
import { 'sort-by-prize' as none } from '${module}'
void none
`

describe.each(compilers)('with %s', (compiler) => {
  it.each([
    ['bundler', bundler],
    ['nodenext', {}],
  ])('declares any key, resolved as %s', async (_, options) => {
    const root = await temporaryFolder()
    await mkdir(join(root, 'node_modules'))
    await symlink(compilerFolders[compiler], join(root, 'node_modules/typescript'))
    const project = projectOver(fakeService(files).fetch, { root })
    await project.pull()
    const model = await project.load()
    await project.writeTypes(model)
    const stringExports = supportsStringExports(typeScriptVersion(root))
    const program = { outDir: join(root, 'out'), storageKey: 'language', stringExports }
    await writeFiles(emitProgram(model, program))
    const sources = {
      'ambient.ts': byName('~uilm/odd', '~uilm/odd/messages'),
      'compiled.ts': byName('./out/odd.js', './out/odd/messages.js'),
      ...(stringExports && {
        'ambient-key.ts': byKey('~uilm/odd'),
        'compiled-key.ts': byKey('./out/odd.js'),
      }),
    }
    for (const [name, text] of Object.entries(sources)) await writeFile(join(root, name), text)
    const declared = '.servicekit/types/index.d.ts'
    const checked = { ...options, lib: ['es2023'], skipLibCheck: false }
    expect(runTsc(root, [declared, ...Object.keys(sources)], checked, compiler).errors).toEqual([])
    const { version } = JSON.parse(
      await readFile(join(compilerFolders[compiler], 'package.json'), 'utf8'),
    ) as { readonly version: string }
    expect(stringExports).toBe(!/^5\.[0-5]\./.test(version))
  })
})
