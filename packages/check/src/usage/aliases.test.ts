import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { aliasTargets, prefixAliases, readPathAliases } from './aliases.ts'

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'servicekit-aliases-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  return root
}

it('reads paths with comments, of extended configurations and of referenced projects', async () => {
  const root = await folder({
    'tsconfig.json': `{
      // as vite's templates have it
      "files": [],
      "references": [{ "path": "./tsconfig.app.json" }, { "path": "./gone.json" }],
    }`,
    'tsconfig.app.json': '{ "extends": "./config/base.json", "include": ["src"] }',
    'config/base.json': `{ "compilerOptions": { "paths": {
      "@/*": ["../src/*", "../generated/*"],
      "@/lib/*": ["../lib/*/index.ts"],
      "texts": ["../src/texts.ts"],
    } } }`,
  })
  const aliases = readPathAliases(root)
  expect(aliasTargets('@/a/b', aliases)).toEqual(['src/a/b', 'generated/a/b'])
  expect(aliasTargets('@/lib/c', aliases)).toEqual(['lib/c/index.ts'])
  expect(aliasTargets('texts', aliases)).toEqual(['src/texts.ts'])
  expect(aliasTargets('texts/more', aliases)).toEqual([])
  expect(aliasTargets('react', aliases)).toEqual([])
})

it('reads baseUrl and jsconfig.json', async () => {
  const root = await folder({
    'jsconfig.json': '{"compilerOptions": {"baseUrl": "app", "paths": {"~*": ["*"]}}}',
  })
  expect(aliasTargets('~x/y', readPathAliases(root))).toEqual(['app/x/y'])
})

it('is empty if the configuration is missing or invalid', async () => {
  expect(readPathAliases(await folder({}))).toEqual([])
  expect(readPathAliases(await folder({ 'tsconfig.json': '{ not JSON' }))).toEqual([])
})

it('prefers the option to the configuration', () => {
  const aliases = [
    ...prefixAliases({ '@/': 'src/' }),
    { start: '@/', end: '', targets: ['other/*'] },
  ]
  expect(aliasTargets('@/a', aliases)).toEqual(['src/a'])
})
