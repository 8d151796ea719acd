import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyApp, servicekitApp } from '../lib/first-load/apps.mjs'
import { bundlers } from '../lib/first-load/bundlers.mjs'
import { countLeaks, sentinel } from '../lib/first-load/leaks.mjs'
import type { Browser } from '../lib/first-load/load-page.mjs'
import {
  firstLoadBytes,
  firstLoadLeaks,
  stringsOnlyBytes,
  tenPagesLeaks,
} from '../lib/first-load/measure.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'
import { removeFolders } from '../lib/temporary-folder.mjs'

afterAll(removeFolders)

describe.skipIf(isBrowserMissing())('the first page of an application, 100 of 1,000 keys', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it.each(Object.entries(bundlers))(
    'loads at most 2,900 bytes of translations with 5 languages, built by %s',
    async (_, bundle) => {
      const bytes = await firstLoadBytes(browser, servicekitApp(bundle), emptyApp(bundle), 5)
      expect(bytes).toBeGreaterThan(stringsOnlyBytes())
      expect(bytes).toBeLessThanOrEqual(2900)
    },
    60_000,
  )

  it('loads at most 3,200 bytes with 20 languages', async () => {
    const bytes = await firstLoadBytes(browser, servicekitApp(bundlers.vite), emptyApp(), 20)
    expect(bytes).toBeLessThanOrEqual(3200)
  })

  it('loads no translation that it does not show', async () => {
    const leaks = await firstLoadLeaks(browser, servicekitApp(bundlers.vite), 5)
    expect(leaks).toEqual({ languages: 0, pages: 0, unused: 0 })
  })

  it('loads no translation that it does not show, as one of ten pages that share messages', async () => {
    expect(await tenPagesLeaks(browser, servicekitApp(bundlers.vite), 2)).toBe(0)
  })

  it('is not measured if it shows something else', async () => {
    await expect(firstLoadBytes(browser, emptyApp(), emptyApp(), 5)).rejects.toThrow(
      'The page shows "" instead of ',
    )
  })
})

describe('countLeaks', () => {
  it('counts each kind of leak', () => {
    const catalog = generateCatalog({ keys: 3, languages: 2, modules: 1, decorate: sentinel })
    const [one, two, unused] = catalog.messages.map((message) => [message])
    const everything = JSON.stringify(catalog.messages)
    const loaded = { shown: [], files: [{ name: 'all.js', text: everything, gzip: 0 }] }
    const leaks = countLeaks(loaded, catalog, { shown: one ?? [], others: two ?? [] })
    expect(unused).toHaveLength(1)
    expect(leaks).toEqual({ languages: 3, pages: 1, unused: 1 })
  })
})
