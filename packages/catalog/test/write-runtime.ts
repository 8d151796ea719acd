import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll } from 'vitest'
import { emitProject, type ProjectConfig } from '../src/emit/project-config.ts'
import { type RuntimeFile, runtimeFile } from '../src/runtime-files.ts'

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const files: readonly RuntimeFile[] = [
  'changes',
  'chosen-language',
  'detect-language',
  'express',
  'languages',
  'live',
  'localizer',
  'messages',
  'page-runtime',
  'root',
  'scope',
  'scoped',
  'server',
  'server-runtime',
  'time-zone',
]

/**
 * Writes the runtime of a project to a folder of its own, and returns the function that
 * imports a file of it. The files of each folder are separate copies in memory.
 */
export async function writeRuntime(
  config: ProjectConfig,
  variant: 'page-runtime' | 'server-runtime' = 'page-runtime',
): Promise<(name: RuntimeFile | 'runtime') => Promise<unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-runtime-'))
  folders.push(folder)
  const texts = {
    'package.json': '{ "type": "module" }',
    'project.js': emitProject(config),
    'runtime.js': `export * from './${variant}.js'\n`,
    ...Object.fromEntries(files.map((name) => [`${name}.js`, runtimeFile(name)])),
  }
  await Promise.all(
    Object.entries(texts).map(([name, text]) => writeFile(join(folder, name), text)),
  )
  return (name) => import(/* @vite-ignore */ pathToFileURL(join(folder, `${name}.js`)).href)
}
