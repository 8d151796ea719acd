import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveVite } from '../../../fixtures/apps/vite-react/test/vite.ts'
import { copyApp, environmentOf } from './framework-app.ts'
import { foreignLanguages, itemsOf } from './interleaved.ts'
import { serveFolder, startStorefront, type Storefront, textOf } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const run = promisify(execFile)

let platform: Storefront
const copies: string[] = []
beforeAll(async () => {
  platform = await startStorefront()
})
afterAll(async () => {
  await platform?.close()
  await Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true })))
})

const copy = async (name: string): Promise<string> => {
  const root = await copyApp(name)
  copies.push(root)
  return root
}

const script = (root: string, name: string) =>
  run('npm', ['run', name], { cwd: root, env: { ...environmentOf(platform), NO_COLOR: '1' } })

it('Vitest runs tests of code that uses messages, in every language', async () => {
  const { stdout } = await script(await copy('vitest'), 'test')
  expect(stdout).toMatch(/Tests {2}2 passed/)
})

describe.skipIf(isBrowserMissing())('web workers', () => {
  const items = itemsOf('de-DE', 3)
  const summary = `${textOf('de-DE', 'cart', 'CART_HEADING')}: ${items}`
  let browser: Browser
  let root: string
  beforeAll(async () => {
    browser = await launchBrowser()
    root = await copy('web-worker')
  })
  afterAll(() => browser?.close())

  /** Opens the page as a visitor who prefers German, and returns what its workers show. */
  async function open(url: string) {
    const page = await browser.newPage({ locale: 'de-DE' })
    const problems: string[] = []
    const loaded: Promise<string>[] = []
    page.on('pageerror', (error) => void problems.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('response', (response) => void loaded.push(response.text().catch(() => '')))
    await page.goto(url)
    await page.getByText(summary).waitFor()
    await page.getByText(items, { exact: true }).waitFor()
    const texts = (await Promise.all(loaded)).join('\n')
    await page.context().close()
    return { problems, leaks: foreignLanguages(texts, 'de-DE') }
  }

  it.runIf(isDeep)('have messages in the language of the page, in development', async () => {
    vi.stubEnv('SERVICEKIT_URL', platform.baseUrl)
    vi.stubEnv('SERVICEKIT_PROJECT_KEY', platform.projectKey)
    const server = await serveVite(join(root, '../..'), root, ['dev'])
    // Development loads every language that it needs, one by one.
    expect((await open(server.url)).problems).toEqual([])
    await server.stop()
  })

  const builds = [
    { bundler: 'webpack', build: 'build:webpack', page: 'script.html' },
    { bundler: 'vite', build: 'build', page: 'dist/index.html' },
    { bundler: 'rspack', build: 'build:rspack', page: 'script.html' },
  ]
  it.each(isDeep ? builds : builds.slice(0, 1))(
    'have messages in the language of the page, built by $bundler',
    async ({ build, page }) => {
      await script(root, build)
      const site = await serveFolder(join(root, dirname(page)))
      expect(await open(site.url + basename(page))).toEqual({ problems: [], leaks: [] })
      await site.close()
    },
  )
})
