import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import * as esbuild from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkTypes } from './check-types.ts'
import { copyApp, environmentOf } from './framework-app.ts'
import { foreignLanguages, itemsOf, sendInterleaved } from './interleaved.ts'
import { runNode } from './run-node.ts'
import { serveFolder, startStorefront, type Storefront, textOf } from './storefront.ts'

// Builds each application as its package.json does, on a machine that may be busy.
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

/** Replaces the escapes that some minifiers write for other characters than ASCII. */
const unescapeText = (code: string): string =>
  code.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi, (_, two: string, four: string) =>
    String.fromCharCode(parseInt(two ?? four, 16)),
  )

/** Copies an application, runs its script `build`, and checks its types. */
async function buildApp(name: string): Promise<string> {
  const root = await copyApp(name)
  copies.push(root)
  await run('npm', ['run', 'build'], { cwd: root, env: environmentOf(platform) })
  if (existsSync(join(root, 'tsconfig.json'))) await checkTypes(root)
  return root
}

describe.skipIf(isBrowserMissing())('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  const pages = [
    { name: 'webpack', folder: '' },
    { name: 'rspack', folder: 'dist' },
    { name: 'esbuild', folder: 'dist' },
  ]
  it.each(isDeep ? pages : pages.slice(0, 1))(
    'the page of $name is in the language of the visitor, and loads no other',
    async ({ name, folder }) => {
      const site = await serveFolder(join(await buildApp(name), folder))
      const page = await browser.newPage({ locale: 'de-DE' })
      const problems: string[] = []
      const loaded: Promise<string>[] = []
      page.on('pageerror', (error) => void problems.push(String(error)))
      page.on('console', (message) => void problems.push(message.text()))
      page.on('response', (response) => void loaded.push(response.text().then(unescapeText)))
      await page.goto(site.url)
      await page.getByText(textOf('de-DE', 'common', 'APP_TITLE')).waitFor()
      expect(await page.textContent('#items')).toBe(itemsOf('de-DE', 3))
      await page.click('button')
      await page.getByText(textOf('de-DE', 'catalog', 'ABOUT_HEADING')).waitFor()
      const texts = await Promise.all(loaded)
      expect(texts.join('')).toContain(textOf('de-DE', 'common', 'NAV_ABOUT'))
      expect(texts.flatMap((text) => foreignLanguages(text, 'de-DE'))).toEqual([])

      await page.selectOption('select', 'ja-JP')
      await page.getByText(textOf('ja-JP', 'catalog', 'ABOUT_HEADING')).waitFor()
      expect(await page.textContent('h1')).toBe(textOf('ja-JP', 'common', 'APP_TITLE'))
      expect(problems).toEqual([])
      await page.context().close()
      await site.close()
    },
  )

  it.runIf(isDeep)(
    'the static site has a page for each language, with its messages only',
    async () => {
      const root = await buildApp('static-site')
      expect((await readdir(join(root, 'dist'))).sort()).toEqual(['ar-EG', 'de-DE', 'en-US'])
      const html = await readFile(join(root, 'dist/ar-EG/index.html'), 'utf8')
      expect(html).toContain('<html lang="ar-EG" dir="rtl">')
      expect(html).toContain(textOf('ar-EG', 'catalog', 'ABOUT_HEADING'))
      const site = await serveFolder(join(root, 'dist'))
      const page = await browser.newPage({ locale: 'fr-FR' })
      const requests: string[] = []
      page.on('request', (request) => void requests.push(new URL(request.url()).pathname))
      await page.goto(`${site.url}de-DE/`)
      expect(await page.textContent('output')).toBe(itemsOf('de-DE', 3))
      await page.fill('input', '1')
      await page.getByText(itemsOf('de-DE', 1)).waitFor()
      // The page and its script.
      expect(requests).toHaveLength(2)
      await page.click('nav a[href="/ar-EG/"]')
      await page.getByText(textOf('ar-EG', 'common', 'APP_TITLE')).waitFor()
      await page.context().close()
      await site.close()
    },
  )
})

it('the library contains its messages, also in a program that bundles it', async () => {
  const root = await buildApp('rollup-library')
  const shown = (path: string) =>
    runNode<string[]>(
      root,
      `import { setLanguage, summarizeCart } from ${JSON.stringify(path)}
const first = summarizeCart(1)
await setLanguage('de-DE')
const result = [first, summarizeCart(1)]`,
    )
  const expected = ['en-US', 'de-DE'].map(
    (language) => `${textOf(language, 'cart', 'CART_HEADING')}: ${itemsOf(language, 1)}`,
  )
  expect(await shown('./dist/index.js')).toEqual(expected)
  await esbuild.build({
    absWorkingDir: root,
    stdin: { contents: `export * from '@servicekit/example-rollup-library'`, resolveDir: root },
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'program',
  })
  await rm(join(root, 'dist'), { recursive: true })
  expect(await shown('./program/stdin.js')).toEqual(expected)
})

it.runIf(isDeep)(
  'the Express service responds in the language of each request, and shows published translations',
  async () => {
    const root = await buildApp('express')
    const secret = 'secret of the webhook'
    const service = spawn(process.execPath, ['src/main.js'], {
      cwd: root,
      env: { ...environmentOf(platform), PORT: '0', WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(async () => {
      if (service.kill('SIGTERM')) await once(service, 'exit')
    })
    const lines = createInterface(service.stdout)[Symbol.asyncIterator]()
    const { value: url } = await lines.next()
    const report = await sendInterleaved(url.slice(0, -1), 400, false)
    expect(report).toEqual({ requests: 400, wrong: 0, leaks: 0 })

    expect((await fetch(`${url}webhook`, { method: 'POST' })).status).toBe(401)
    await platform.setWebhook({ url: `${url}webhook`, secret, headerKey: 'x-webhook-secret' })
    await platform.edit('de-DE', 'common', 'NAV_ABOUT', 'Wer wir sind')
    // The service prints its address again when it has the new messages.
    expect(await lines.next()).toEqual({ done: false, value: url })
    // The connections of earlier requests end with the worker that they belong to.
    const text = async () =>
      (await fetch(url, { headers: { 'accept-language': 'de' } }).catch(() => undefined))?.text()
    await expect.poll(text).toMatch(/^Wer wir sind\n/)
  },
)
