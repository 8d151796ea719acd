import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import { recordLeaks } from '@servicekit/testing/record-leaks'
import { isRuntimeMissing } from '@servicekit/testing/runtimes'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type StartedApp, startApp } from './framework-app.ts'
import { frameworkApps } from './framework-apps.ts'
import { foreignLanguages, itemsOf, sendInterleaved, unusedMessages } from './interleaved.ts'
import { startStorefront, type Storefront, textOf } from './storefront.ts'

// Builds and serves an application on a machine that may be busy.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const requests = isDeep ? 10_000 : 400

let platform: Storefront
let browser: Browser | undefined
beforeAll(async () => {
  platform = await startStorefront()
  if (!isBrowserMissing()) browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await platform?.close()
})

/** Opens a page and records its errors and everything that it loads. */
async function open(url: string, locale: string) {
  const context = await browser!.newContext({ locale })
  const page = await context.newPage()
  const problems: string[] = []
  const loaded: Promise<string>[] = []
  page.on('pageerror', (error) => void problems.push(String(error)))
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) problems.push(message.text())
  })
  page.on('response', (response) => {
    if (/html|script|json/.test(response.headers()['content-type'] ?? '')) {
      loaded.push(response.text().catch(() => ''))
    }
  })
  // The first heading is the one of the server. A mismatch would replace it.
  await page.addInitScript(`new MutationObserver(() => {
    window.heading ??= document.querySelector('h1')
  }).observe(document, { childList: true, subtree: true })`)
  await page.goto(url)
  return { page, problems, loaded: () => Promise.all(loaded), close: () => context.close() }
}

const hasHeadingOfServer = (page: Page): Promise<boolean> =>
  page.evaluate("window.heading === document.querySelector('h1')")

describe.each(frameworkApps)('the application of $name', (app) => {
  const isMissing = isRuntimeMissing(app.runtime)
  let started: StartedApp
  beforeAll(async () => {
    if (!isMissing) started = await startApp(app, platform)
  })
  afterAll(() => started?.close())

  it.skipIf(isMissing)(
    'responds to each of many interleaved requests in its language',
    async () => {
      const report = await sendInterleaved(started.url, requests)
      const { wrong, leaks: between } = report
      recordLeaks(app.name, { requests, wrong, between })
      expect(report).toEqual({ requests, wrong: 0, leaks: 0 })
    },
  )

  it.skipIf(isMissing)('redirects documents, and nothing else', async () => {
    const get = (path: string, headers: Record<string, string>) =>
      fetch(started.url + path, { redirect: 'manual', headers })
    const document = { accept: 'text/html', 'accept-language': 'de' }
    const redirect = await get('/about?a=1', document)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, '/de-DE/about?a=1'])
    expect(redirect.headers.get('vary')).toContain('Accept-Language')
    expect((await get('/about', { ...document, 'sec-fetch-dest': 'empty' })).status).toBe(200)
    const page = await get('/de-DE/about', document)
    expect(page.headers.get('content-language')).toBe('de-DE')
    // Some frameworks assume https.
    expect(page.headers.getSetCookie().join()).toMatch(
      /^uilm-language=de-DE; Path=\/; Max-Age=31536000; SameSite=Lax(?:; Secure)?$/,
    )
    const html = await page.text()
    expect(html).toMatch(/<html[^>]* data-uilm="de-DE"/)
    expect(html).toContain(textOf('de-DE', 'catalog', 'ABOUT_HEADING'))
  })

  it.skipIf(isMissing || isBrowserMissing())(
    'hydrates in the language of the visitor, who can change it',
    async () => {
      const { page, problems, loaded, close } = await open(started.url, 'de-DE')
      await page.waitForURL(`${started.url}/de-DE`)
      expect(await page.textContent('.items')).toBe(itemsOf('de-DE', 3))
      await page.waitForLoadState('networkidle')
      await page.fill('input', '7')
      await page.getByText(itemsOf('de-DE', 7)).waitFor()
      expect(await page.textContent('h1')).toBe(textOf('de-DE', 'common', 'APP_TITLE'))
      expect(await hasHeadingOfServer(page)).toBe(true)
      const texts = await loaded()
      const languages = texts.flatMap((text) => foreignLanguages(text, 'de-DE'))
      const unused = texts.flatMap((text) => unusedMessages(text, 'de-DE'))
      recordLeaks(app.name, { languages: languages.length, unused: unused.length })
      expect({ languages, unused }).toEqual({ languages: [], unused: [] })

      await page.click('nav a')
      await page.getByText(textOf('de-DE', 'catalog', 'ABOUT_HEADING')).waitFor()
      await page.selectOption('select', 'fr-FR')
      await page.getByText(textOf('fr-FR', 'catalog', 'ABOUT_HEADING')).waitFor()
      expect(await page.getAttribute('html', 'lang')).toBe('fr-FR')
      // The next request of the server is in the language that the visitor selected.
      await page.goto(started.url)
      await page.waitForURL(`${started.url}/fr-FR`)
      expect(await page.textContent('h1')).toBe(textOf('fr-FR', 'common', 'APP_TITLE'))
      expect(problems).toEqual([])
      await close()
    },
  )
})
