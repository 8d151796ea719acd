import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import type { EmittedFile } from '../src/index.ts'
import { temporaryFolder } from './temporary.ts'

/**
 * Imports generated modules, stripped of their types, and returns their exports by file
 * name.
 */
export async function loadModules(
  files: readonly EmittedFile[],
  atEnd?: Parameters<typeof temporaryFolder>[0],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const folder = temporaryFolder(atEnd)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const { name, text } of files) {
    const { code } = transformSync(text, { loader: 'ts', format: 'esm' })
    writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), code)
  }
  const modules = new Map<string, Readonly<Record<string, unknown>>>()
  for (const { name } of files) {
    const url = pathToFileURL(join(folder, name.replace(/\.ts$/, '.js'))).href
    modules.set(name, (await import(url)) as Readonly<Record<string, unknown>>)
  }
  return modules
}
