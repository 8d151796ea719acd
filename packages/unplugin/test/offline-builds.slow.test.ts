import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourceArguments, sourceEnvironment } from '@servicekit/testing/child-program'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundlers } from './bundlers.ts'
import { cutOff, type RunCutOff, runNodeWith } from './cut-off.ts'
import { application, texts } from './leaks.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { startStorefront, type Storefront } from './storefront.ts'

const runs = isDeep ? 20 : 2

// Many sequential builds.
vi.setConfig({ testTimeout: isDeep ? 1_200_000 : 180_000, hookTimeout: 180_000 })

const folder = fileURLToPath(new URL('.', import.meta.url))
const appsFolder = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url))
const apps = (await readdir(appsFolder, { withFileTypes: true }))
  .filter(({ name }) =>
    ['index.html', 'vite.config.ts'].every((file) => existsSync(join(appsFolder, name, file))),
  )
  // Has a project of its own.
  .filter(({ name }) => name !== 'admin')
  .map(({ name }) => name)
  .sort()

let run: RunCutOff
let platform: Storefront
const copies: string[] = []

beforeAll(async () => {
  run = (await cutOff()).run
  platform = await startStorefront()
})
afterAll(async () => {
  await platform?.close()
  await Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true })))
  await removeFolders()
})

/** Returns a hash of the names and contents of all files below a folder. */
async function hashOf(root: string): Promise<string> {
  const digest = createHash('sha256')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((one) => join(one.parentPath, one.name))
  expect(files.length).toBeGreaterThan(0)
  for (const file of files.sort()) {
    digest
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update('\0')
  }
  return digest.digest('hex')
}

/** Counts the hashes that equal the first one. */
const same = (hashes: readonly string[]): string =>
  `${hashes.filter((hash) => hash === hashes[0]).length} of ${hashes.length}`

it('blocks the network', async () => {
  const ask = `await fetch(${JSON.stringify(platform.baseUrl)}); console.log('answered')`
  const args = ['--input-type=module', '-e', ask]
  expect((await runNodeWith(args, { cwd: folder })).output).toContain('answered')
  const { ok, output } = await run(args, { cwd: folder })
  expect(output).not.toContain('answered')
  expect(ok).toBe(false)
})

// The other applications run only in deep tests, because each takes as long.
describe.each(isDeep ? apps : apps.slice(0, 1))('the sample application %s', (name) => {
  it(`is byte-identical in ${runs} of ${runs} builds without a network`, async () => {
    const app = join(appsFolder, name)
    // Inside the application, so that its packages are resolved.
    const copy = join(app, '.servicekit/offline')
    copies.push(copy)
    await rm(copy, { recursive: true, force: true })
    await mkdir(copy, { recursive: true })
    for (const part of ['index.html', 'servicekit.config.ts', 'tsconfig.json', 'vite.config.ts']) {
      await cp(join(app, part), join(copy, part))
    }
    await cp(join(app, 'src'), join(copy, 'src'), { recursive: true })
    const env = {
      SERVICEKIT_URL: platform.baseUrl,
      SERVICEKIT_PROJECT_KEY: platform.projectKey,
      VITE_SERVICEKIT_URL: 'https://api.example.com',
      VITE_SERVICEKIT_PROJECT_KEY: 'P1',
      NODE_ENV: 'production',
      CI: '',
    }
    const servicekit = join(app, 'node_modules/servicekit/bin/servicekit.js')
    const usesGateway = (await readFile(join(copy, 'servicekit.config.ts'), 'utf8')).includes(
      'gateway',
    )
    for (const command of ['pull', ...(usesGateway ? ['codegen'] : [])]) {
      expect(await runNodeWith([servicekit, command], { cwd: copy, env })).toMatchObject({
        ok: true,
      })
    }

    const vite = join(app, 'node_modules/vite/bin/vite.js')
    const isServed = existsSync(join(copy, 'src/entry-server.tsx'))
    const build = async (outDir: string, more: Readonly<Record<string, string>>) => {
      const options = { cwd: copy, env: { ...env, ...more } }
      const ended = await run([vite, 'build', '--outDir', `${outDir}/client`], options)
      const server = ['--ssr', 'src/entry-server.tsx', '--outDir', `${outDir}/server`]
      return ended.ok && isServed ? run([vite, 'build', ...server], options) : ended
    }
    const hashes: string[] = []
    for (let at = 0; at < runs; at++) {
      const { ok, output } = await build(`dist/${at}`, { CI: at % 2 === 0 ? 'true' : '' })
      expect(ok, output).toBe(true)
      hashes.push(await hashOf(join(copy, 'dist', String(at))))
    }
    expect(same(hashes)).toBe(`${runs} of ${runs}`)
  })
})

describe.skipIf(!isDeep).each(Object.keys(bundlers))('a small application by %s', (name) => {
  it(`is byte-identical in ${runs} of ${runs} builds without a network`, async () => {
    const hashes: string[] = []
    // Several builds per process, and several processes.
    for (let at = 0; at < runs; at += 5) {
      const roots = await Promise.all(Array.from({ length: 5 }, temporaryFolder))
      for (const root of roots) {
        await writeApp(root, application)
        await writeSnapshot(root, texts)
      }
      const args = [...sourceArguments, 'build-child.mjs', name, ...roots]
      const { ok, output } = await run(args, { cwd: folder, env: sourceEnvironment })
      expect(ok, output).toBe(true)
      for (const root of roots) hashes.push(await hashOf(join(root, 'dist')))
    }
    expect(same(hashes)).toBe(`${runs} of ${runs}`)
  })
})
