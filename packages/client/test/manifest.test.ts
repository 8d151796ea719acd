import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import config from '../tsdown.config.ts'

it('builds every file that the manifest names', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { imports, exports, publishConfig } = JSON.parse(manifest) as Record<string, object>
  const named = JSON.stringify([imports, exports, publishConfig])
  const built = [...named.matchAll(/"\.\/dist\/([\w/-]+)(?:\.d)?\.[jt]s"/g)].map(([, name]) => name)
  const written = [...named.matchAll(/"\.\/src\/([\w/-]+)\.ts"/g)].map(([, name]) => name)
  const entries = (config as { entry: string[] }).entry
  expect([...new Set(built)].map((name) => `src/${name}.ts`).sort()).toEqual([...entries].sort())
  // Built files resolve like source files for every runtime.
  expect(new Set(written)).toEqual(new Set(built))
})

it('selects files by conditions in two places only: the network, and server code', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { imports, publishConfig } = JSON.parse(manifest) as {
    imports: Record<string, { source: object } & Record<string, unknown>>
    publishConfig: { exports: Record<string, unknown> }
  }
  const exports = Object.entries(publishConfig.exports)
  const conditional = exports.filter(([, target]) => typeof target !== 'string')
  expect([...Object.keys(imports), ...conditional.map(([name]) => name)]).toEqual([
    '#network',
    './server',
  ])
  const { source, ...built } = imports['#network']!
  const conditions = ['bun', 'deno', 'workerd', 'node', 'default']
  expect([Object.keys(source), Object.keys(built)]).toEqual([conditions, conditions])
})
