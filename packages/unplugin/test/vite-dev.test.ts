import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { page as source } from './page.ts'
import { removeFolders, temporaryFolder, writeApp } from './project.ts'
import { startStorefront, type Storefront, textOf } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let platform: Storefront
let server: ViteDevServer
let root: string
const lines: string[] = []

beforeAll(async () => {
  platform = await startStorefront()
  root = await temporaryFolder()
  await writeApp(root, source)
  const customLogger = createLogger('warn')
  customLogger.warn = (message) => void lines.push(message)
  customLogger.error = (message) => void lines.push(message)
  const { baseUrl, projectKey } = platform
  server = await createServer({
    root,
    configFile: false,
    customLogger,
    // Polling is off, so that changes can only arrive by events.
    plugins: [uilm({ root, baseUrl, projectKey, pollMs: 0 })],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
})
afterAll(async () => {
  await server?.close()
  await platform?.close()
  await removeFolders()
})

it('updates both servers of a framework that share a plugin, in middleware mode', async () => {
  const own = await temporaryFolder()
  await writeApp(own, { 'main.js': `export { CART_HEADING } from '~uilm/cart'\n` })
  const { baseUrl, projectKey } = platform
  const plugin = uilm({ root: own, baseUrl, projectKey, pollMs: 0 })
  const start = () =>
    createServer({
      root: own,
      configFile: false,
      logLevel: 'silent',
      plugins: [plugin],
      server: { middlewareMode: true, ws: false },
    })
  const servers = [await start(), await start()]
  try {
    const texts = () =>
      Promise.all(
        servers.map(async (one) =>
          ((await one.ssrLoadModule('/main.js')) as { CART_HEADING: () => string }).CART_HEADING(),
        ),
      )
    const before = textOf('en-US', 'cart', 'CART_HEADING')
    expect(await texts()).toEqual([before, before])
    await platform.edit('en-US', 'cart', 'CART_HEADING', 'Off we go')
    await expect.poll(texts, { timeout: 20_000 }).toEqual(['Off we go', 'Off we go'])
  } finally {
    for (const one of servers) await one.close()
  }
})

describe.skipIf(isBrowserMissing())('a page served by vite in development', () => {
  let browser: Browser
  let page: Page
  const loads: string[] = []
  /** Messages of the development server. */
  const frames: string[] = []
  const pageErrors: string[] = []
  beforeAll(async () => {
    browser = await launchBrowser({ usesClipboard: true })
    page = await browser.newPage({ locale: 'de-DE' })
    page.on('request', (request) => void loads.push(decodeURIComponent(request.url())))
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => void frames.push(String(payload))),
    )
    page.on('pageerror', (error) => void pageErrors.push(String(error)))
    await page.goto(server.resolvedUrls!.local[0]!)
    await title(textOf('de-DE', 'common', 'APP_TITLE'))
    await page.evaluate('window.mark = {}; window.marked = window.mark')
    await page.fill('#name', 'half a na')
  })
  afterAll(() => browser?.close())

  const title = (text: string) => page.locator('#title').getByText(text, { exact: true }).waitFor()
  /** Returns whether the page is still the marked window, and the text typed into it. */
  const state = async () => ({
    sameWindow: await page.evaluate('window.mark !== undefined && window.mark === window.marked'),
    typed: await page.inputValue('#name'),
    pageErrors,
  })
  const untouched = { sameWindow: true, typed: 'half a na', pageErrors: [] }

  it('loads its messages only in its language, and no others', () => {
    const packs = loads.flatMap((url) => /~uilm-pack\/([^?]*)/.exec(url)?.[1] ?? [])
    expect(packs.sort()).toEqual([
      'de-DE/cart/CART_ITEMS/LINE_REMOVE',
      'de-DE/common/APP_TITLE/FOOTER_NOTE',
    ])
  })

  it('loads its modules without source maps, which would be three times their size', async () => {
    const own = loads.filter((url) => url.includes('__x00__~uilm'))
    expect(own.length).toBeGreaterThan(4)
    for (const url of own) {
      expect(await (await fetch(url)).text(), url).not.toContain('sourceMappingURL')
    }
  })

  it('shows a translation that changes on the platform, without a reload', async () => {
    const before = loads.length
    await platform.edit('de-DE', 'common', 'APP_TITLE', 'Ganz neu')
    await title('Ganz neu')
    expect(await state()).toEqual(untouched)
    expect(loads.slice(before)).toEqual([])
    expect(frames.filter((frame) => frame.includes('Ganz neu'))).toEqual([
      '{"type":"custom","event":"servicekit:edit","data":{"~uilm-pack/de-DE/common":{"texts":{"APP_TITLE":"Ganz neu"}}}}',
    ])
  })

  it('requests a message with parameters that changes, and nothing else', async () => {
    const text = textOf('de-DE', 'common', 'FOOTER_NOTE')
    const before = loads.length
    await platform.edit('de-DE', 'common', 'FOOTER_NOTE', `${text}!`)
    await page.getByText(text.replace('{{year}}', '2026') + '!').waitFor()
    expect(await state()).toEqual(untouched)
    const requests = loads.slice(before).map((url) => new URL(url).pathname)
    expect(requests).toEqual(['/@id/__x00__~uilm-edit/de-DE/common/FOOTER_NOTE'])
  })

  it('shows several changes in a row, including changed parameters', async () => {
    await platform.edit('de-DE', 'common', 'APP_TITLE', 'Noch neuer')
    await title('Noch neuer')
    await platform.edit('de-DE', 'common', 'FOOTER_NOTE', 'Seit {{year}}')
    await page.getByText('Seit 2026').waitFor()
    expect(await state()).toEqual(untouched)
  })

  it('shows the changes of a language that is selected later', async () => {
    await page.selectOption('#language', 'fr-FR')
    await title(textOf('fr-FR', 'common', 'APP_TITLE'))
    await platform.edit('de-DE', 'common', 'APP_TITLE', 'Unbemerkt')
    await platform.edit('fr-FR', 'common', 'APP_TITLE', 'Tout neuf')
    await title('Tout neuf')
    await page.selectOption('#language', 'de-DE')
    await title('Unbemerkt')
    expect(await state()).toEqual(untouched)
  })

  it('shows a changed fallback in every language that uses it', async () => {
    await platform.edit('de-DE', 'common', 'APP_TITLE', '')
    await title(textOf('en-US', 'common', 'APP_TITLE'))
    await platform.edit('en-US', 'common', 'APP_TITLE', 'Brand new')
    await title('Brand new')
    expect(await state()).toEqual(untouched)
  })

  it('does not reload for a new key, which source files can import', async () => {
    await platform.edit('de-DE', 'common', 'BRAND_NEW', 'Nagelneu')
    await platform.edit('de-DE', 'common', 'APP_TITLE', 'Mit neuem Schlüssel')
    await title('Mit neuem Schlüssel')
    expect(await state()).toEqual(untouched)
    const about = source['src/about.ts']!.replace(
      'ABOUT_BODY()',
      `BRAND_NEW() + '|' + ABOUT_BODY()`,
    )
    await writeApp(root, {
      'src/about.ts': `import { BRAND_NEW } from '~uilm/common'\n${about}`,
    })
    await page.click('#about')
    await page.getByText('Nagelneu|').waitFor()
    await platform.edit('de-DE', 'common', 'APP_TITLE', 'Wie zuvor')
    await title('Wie zuvor')
    expect(await state()).toEqual(untouched)
  })

  it('opens the page of a message that is clicked with the modifier', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const opening = page.context().waitForEvent('page')
    await page.click('#title', { modifiers: ['Alt'] })
    const keyPage = await opening
    const { baseUrl, projectKey } = platform
    expect(keyPage.url()).toBe(
      `${baseUrl}/console/translations/common/APP_TITLE?project=${projectKey}&language=de-DE`,
    )
    // The page opens with the language that was shown.
    const german = keyPage.locator('textarea:focus')
    expect(await german.inputValue()).toBe('Wie zuvor')
    await german.fill('Von seiner Seite')
    await keyPage.getByRole('button', { name: 'Als Entwurf speichern' }).click()
    await keyPage.getByRole('button', { name: 'Veröffentlichen (1)' }).click()
    await keyPage.getByRole('button', { name: 'Veröffentlichen', exact: true }).click()
    await keyPage.getByText('Veröffentlicht.').waitFor()
    await keyPage.close()
    await title('Von seiner Seite')
    expect(await state()).toEqual(untouched)
    await page.bringToFront()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('APP_TITLE')
    // With two messages in an element, the longer one is found.
    await page.evaluate(
      `document.addEventListener('uilm-key', ({ detail }) => { window.found = detail.key })`,
    )
    await page.click('#cart', { modifiers: ['Alt'] })
    expect(await page.evaluate('window.found')).toBe('CART_ITEMS')
  })

  it('shows translations that a checkout restores', async () => {
    const lock = () => readFile(join(root, 'uilm.lock.json'), 'utf8')
    /** Edits the title, and waits until the page shows it and the files are stored. */
    const edit = async (text: string) => {
      const before = await lock()
      await platform.edit('de-DE', 'common', 'APP_TITLE', text)
      await title(text)
      await expect.poll(lock, { timeout: 20_000 }).not.toBe(before)
    }
    await edit('Zwischenstand')
    await edit('Alter Stand')
    const saved = await temporaryFolder()
    const snapshot = ['uilm', 'uilm.lock.json']
    const copy = (from: string, to: string) =>
      Promise.all(snapshot.map((name) => cp(join(from, name), join(to, name), { recursive: true })))
    await copy(root, saved)
    await edit('Neuer Stand')
    // A pull that has begun before the checkout may overwrite it once.
    const shown = async () => {
      await copy(saved, root)
      return page.textContent('#title')
    }
    await expect.poll(shown, { timeout: 25_000, interval: 500 }).toBe('Alter Stand')
    expect(await state()).toEqual(untouched)
  })

  it('toggles between messages and keys', async () => {
    await page.keyboard.press('Alt+Shift+KeyK')
    await title('APP_TITLE')
    expect(await page.textContent('#cart')).toBe('CART_ITEMS|CART_ITEMS')
    await page.evaluate('uilm.showKeys(false)')
    await title('Alter Stand')
    expect(await state()).toEqual(untouched)
  })

  it('continues when the platform stops, and logs a warning', async () => {
    const hook = new URL('/__uilm/webhook', server.resolvedUrls!.local[0]!)
    const body = JSON.stringify({ GenerateUilmFilesEvent: {} })
    await platform.close()
    lines.length = 0
    expect((await fetch(hook, { method: 'POST', body })).status).toBe(204)
    const log = () => lines.join('\n')
    await expect.poll(log, { timeout: 25_000 }).toContain(platform.baseUrl)
    await page.reload()
    await title('Alter Stand')
    expect(pageErrors).toEqual([])
  })
})
