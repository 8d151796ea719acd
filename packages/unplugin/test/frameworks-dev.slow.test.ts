import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isRuntimeMissing } from '@servicekit/testing/runtimes'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type StartedApp, startApp } from './framework-app.ts'
import { frameworkApps } from './framework-apps.ts'
import { itemsOf } from './interleaved.ts'
import { startStorefront, type Storefront, textOf } from './storefront.ts'

// Starts an application's development server on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 900_000 })

describe.each(frameworkApps)('the development server of $name', (app) => {
  const isMissing = isRuntimeMissing(app.runtime)
  let platform: Storefront
  let browser: Browser | undefined
  let started: StartedApp
  beforeAll(async () => {
    platform = await startStorefront()
    if (!isBrowserMissing()) browser = await launchBrowser()
    if (!isMissing) started = await startApp(app, platform, 'development')
  })
  afterAll(async () => {
    await browser?.close()
    await started?.close()
    await platform?.close()
  })

  it.skipIf(isMissing)('has written types with which the application has no error', () =>
    expect(started.checkTypes()).resolves.toBeUndefined(),
  )

  it.skipIf(isMissing || isBrowserMissing())(
    'shows an edited message in the open page, and in the next response',
    async () => {
      const page = await browser!.newPage({ locale: 'de-DE' })
      await page.goto(`${started.url}/de-DE`)
      await page
        .getByText(textOf('de-DE', 'common', 'APP_TITLE'))
        .first()
        .waitFor()
      expect(await page.textContent('.items')).toBe(itemsOf('de-DE', 3))
      await page.waitForLoadState('networkidle')
      await platform.edit('de-DE', 'common', 'APP_TITLE', 'Neuer Titel')
      await page.locator('h1', { hasText: 'Neuer Titel' }).waitFor()
      // Nuxt forgets requests that arrive while it replaces its server.
      const html = async () => {
        const signal = AbortSignal.timeout(5000)
        return fetch(`${started.url}/de-DE`, { signal }).then((response) => response.text(), String)
      }
      await expect.poll(html, { timeout: 30_000 }).toMatch(/<h1[^>]*>Neuer Titel</)
      await page.context().close()
    },
  )
})
