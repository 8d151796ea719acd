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

it('selects transport and blobs by the same conditions', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { imports } = JSON.parse(manifest) as {
    imports: Record<string, { source: object } & Record<string, unknown>>
  }
  const conditions = Object.values(imports).map(({ source, ...built }) => [
    Object.keys(source),
    Object.keys(built),
  ])
  expect(Object.keys(imports)).toEqual(['#blobs', '#transport'])
  const expected = ['bun', 'deno', 'workerd', 'node', 'default']
  expect(conditions).toEqual([
    [expected, expected],
    [expected, expected],
  ])
})
