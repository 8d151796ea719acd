import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { type Bundlers, type BundlerName, buildsWith } from './bundlers.ts'
import { application, expected, pages, texts } from './leaks.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { serveFolder } from './storefront.ts'

// Installs the bundlers, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

/** Oldest versions of the peer dependencies, and majors between them and those of the tests. */
const versions = [
  ['vite', '6.0.0'],
  ['vite', '7.0.0'],
  ['rollup', '4.0.0'],
  ['rolldown', '1.0.0'],
  ['webpack', '5.83.0'],
  ['@rspack/core', '1.4.0'],
  ['esbuild', '0.20.0'],
] as const

type Package = (typeof versions)[number][0]

const nameOf = (name: Package): BundlerName => (name === '@rspack/core' ? 'rspack' : name)

it('declares the oldest versions that it runs', () => {
  const oldest = new Map<string, string>()
  for (const [name, version] of versions) if (!oldest.has(name)) oldest.set(name, version)
  const { peerDependencies } = manifest
  const bundlers = Object.entries(peerDependencies).filter(([name]) => oldest.has(name))
  expect(bundlers).toHaveLength(oldest.size)
  for (const [name, range] of bundlers) {
    expect(oldest.get(name)).toMatch(new RegExp(`^${range.replace('>=', '')}[.]`))
  }
})

let browser: Browser
let folder: string
beforeAll(async () => {
  if (!isDeep || isBrowserMissing()) return
  browser = await launchBrowser()
  folder = await temporaryFolder()
})
afterAll(async () => {
  await browser?.close()
  await removeFolders()
})

/** Installs a version of a bundler, and loads it. */
async function load(name: Package, version: string): Promise<Record<string, never>> {
  const root = join(folder, `${nameOf(name)}-${version}`)
  await mkdir(root)
  await writeFile(join(root, 'package.json'), '{ "private": true }')
  const options = ['--no-audit', '--no-fund', '--prefer-offline']
  await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { cwd: root })
  const file = createRequire(join(root, 'package.json')).resolve(name)
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, never>
}

it.runIf(isDeep && !isBrowserMissing()).each(versions)(
  'builds with %s %s',
  async (name, version) => {
    const loaded = await load(name, version)
    const bundler = nameOf(name)
    const tools = {
      ...loaded,
      webpack: loaded['default'],
      esbuild: loaded,
    } as unknown as Bundlers
    const root = await temporaryFolder()
    await writeApp(root, application)
    await writeSnapshot(root, texts)
    await buildsWith(tools)[bundler](root, {})
    const isClassic = bundler === 'webpack' || bundler === 'rspack'
    await writeApp(root, { 'dist/index.html': pages[isClassic ? 'classic' : 'module'] })
    const site = await serveFolder(join(root, 'dist'))
    const page = await browser.newPage({ locale: 'de-DE' })
    await page.goto(`${site.url}#one`)
    await page.locator('body').getByText('de-DE odd').waitFor()
    expect(await page.textContent('body')).toBe(expected('one', 'de-DE'))
    await page.evaluate(`setLanguage('ar-EG')`)
    expect(await page.textContent('body')).toBe(expected('one', 'ar-EG'))
    await page.context().close()
    await site.close()
  },
)
