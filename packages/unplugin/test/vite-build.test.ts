import { readdir, readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module'
import { join } from 'node:path'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { page as source } from './page.ts'
import { removeFolders, temporaryFolder, writeApp } from './project.ts'
import { serveFolder, startStorefront, storefrontLanguages, textOf } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let root: string
const lines: string[] = []

beforeAll(async () => {
  const platform = await startStorefront()
  try {
    root = await temporaryFolder()
    await writeApp(root, source)
    const { baseUrl, projectKey } = platform
    const note = (message: string) => void lines.push(message)
    await build({
      root,
      configFile: false,
      customLogger: {
        info: note,
        warn: note,
        error: note,
        warnOnce: note,
        clearScreen: () => undefined,
        hasErrorLogged: () => false,
        hasWarned: false,
      },
      plugins: [uilm({ root, baseUrl, projectKey })],
      build: { sourcemap: true, target: 'esnext' },
    })
  } finally {
    await platform.close()
  }
})
afterAll(removeFolders)

describe('a build with vite', () => {
  it('logs what was pulled and which translations are missing', () => {
    expect(lines).toContainEqual(expect.stringContaining('48 translation files of 6 languages'))
    expect(lines).toContainEqual(expect.stringMatching(/missing translations: .*ja-JP \d+/))
  })

  it('contains the translations of the page and no others', async () => {
    const assets = join(root, 'dist', 'assets')
    const names = await readdir(assets)
    const packs = names.filter((name) => name.startsWith('uilm-'))
    // Two chunks with messages, in six languages.
    expect(packs).toHaveLength(12)
    const scripts = names.filter((name) => name.endsWith('.js'))
    const all = (
      await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))
    ).join()
    expect(all).toContain(textOf('de-DE', 'common', 'APP_TITLE'))
    expect(all).not.toContain('NAV_SHOP')
    expect(all).not.toContain(textOf('de-DE', 'common', 'NAV_SHOP'))
    expect(all).not.toContain(textOf('en-US', 'cart', 'LINE_REMOVE').split('{{')[0])
  })
})

describe.skipIf(isBrowserMissing())('the built page', () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof serveFolder>>
  beforeAll(async () => {
    browser = await launchBrowser()
    site = await serveFolder(join(root, 'dist'))
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  async function visit(
    locale: string,
  ): Promise<{ page: Page; files: string[]; pageErrors: string[] }> {
    const page = await browser.newPage({ locale })
    const files: string[] = []
    const pageErrors: string[] = []
    page.on('request', (request) => void files.push(new URL(request.url()).pathname))
    page.on('pageerror', (error) => void pageErrors.push(String(error)))
    await page.goto(site.url)
    await page.waitForFunction(`document.getElementById('note').textContent !== ''`)
    return { page, files, pageErrors }
  }
  const packsIn = (files: readonly string[]) =>
    files.flatMap((file) => /uilm-[\da-f]{8}\.(.*)\.js$/.exec(file)?.[1] ?? [])

  it.each(storefrontLanguages)('is shown in %s and loads no other language', async (language) => {
    const { page, files, pageErrors } = await visit(language)
    expect(await page.textContent('#title')).toBe(textOf(language, 'common', 'APP_TITLE'))
    expect(await page.textContent('#note')).toBe(
      textOf(language, 'common', 'FOOTER_NOTE').replace('{{year}}', '2026'),
    )
    const items = [1, 3].map((count) => {
      const category = new Intl.PluralRules(language).select(count)
      return textOf(language, 'cart', `CART_ITEMS_${category}`).replace('{{count}}', String(count))
    })
    expect(await page.textContent('#cart')).toBe(items.join('|'))
    const html = page.locator('html')
    expect(await html.getAttribute('lang')).toBe(language)
    expect(await html.getAttribute('dir')).toBe(language === 'ar-EG' ? 'rtl' : 'ltr')
    expect(packsIn(files)).toEqual([language])
    expect(pageErrors).toEqual([])
    await page.context().close()
  })

  it('loads a page when it is opened, and a language when it is selected', async () => {
    const { page, files } = await visit('de-AT')
    expect(await page.textContent('#title')).toBe(textOf('de-DE', 'common', 'APP_TITLE'))
    await page.fill('#name', 'half a na')
    await page.click('#about')
    const body = page.locator('#more')
    await body.getByText(textOf('de-DE', 'catalog', 'ABOUT_BODY').trim()).waitFor()
    expect(packsIn(files)).toEqual(['de-DE', 'de-DE'])

    await page.selectOption('#language', 'ja-JP')
    await body.getByText(textOf('ja-JP', 'catalog', 'ABOUT_BODY').trim()).waitFor()
    expect(packsIn(files)).toEqual(['de-DE', 'de-DE', 'ja-JP', 'ja-JP'])
    expect(await page.inputValue('#name')).toBe('half a na')

    // The choice is kept for the next visit.
    await page.reload()
    await page.getByText(textOf('ja-JP', 'common', 'APP_TITLE')).waitFor()
    await page.context().close()
  })

  it('has correct source maps', async () => {
    const page = await browser.newPage()
    const pageError = new Promise<Error>((done) => void page.on('pageerror', done))
    const html = await readFile(join(root, 'dist', 'index.html'), 'utf8')
    const entry = /src="(\/assets\/[^"]+)"/.exec(html)![1]!
    await page.goto(site.url)
    await page.evaluate(`void import(${JSON.stringify(`${entry}#boom`)})`)
    const [, line, column] = /:(\d+):(\d+)\)?$/m.exec((await pageError).stack!)!
    const map = new SourceMap(
      JSON.parse(await readFile(join(root, 'dist', `${entry}.map`), 'utf8')) as SourceMapPayload,
    )
    const at = map.findEntry(Number(line) - 1, Number(column) - 1) as SourceMapping
    expect(at.originalSource).toContain('src/main.ts')
    const lines = source['src/main.ts']!.split('\n')
    expect(at.originalLine).toBe(lines.findIndex((text) => text.includes('#boom')))
    await page.context().close()
  })
})
