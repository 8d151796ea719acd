import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StartedPlatform, startPlatform } from '../src/node.ts'
import { storefront } from '@servicekit/testing/projects'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

/** Runs in the page. */
const measure = `({
  overflow: document.documentElement.scrollWidth - innerWidth,
  unnamed: [...document.querySelectorAll('input, textarea, select')]
    .filter(({ type, labels }) => type !== 'hidden' && !labels?.[0]?.textContent?.trim())
    .map(({ outerHTML }) => outerHTML),
})`

describe.skipIf(isBrowserMissing())('a page', () => {
  let browser: Browser
  let platform: StartedPlatform
  let key: string
  const errors: string[] = []

  beforeAll(async () => {
    platform = await startPlatform({ projectDir: storefront, port: 0 })
    key = platform.projectKeys[0]!
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.close()
  })

  async function open(path: string, width = 1280): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    errors.length = 0
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(new URL(path, platform.baseUrl).href)
    return page
  }

  async function loginAddress(): Promise<string> {
    const redirectUri = 'http://localhost:5173/callback'
    const query = new URLSearchParams({
      'x-service-key': key,
      clientId: 'storefront-web',
      redirectUri,
    })
    const response = await fetch(`${platform.baseUrl}/iam/v4/idp/initiate?${query}`)
    return ((await response.json()) as { redirect_uri: string }).redirect_uri
  }

  const addresses: Readonly<Record<string, () => string | Promise<string>>> = {
    login: loginAddress,
  }

  it.each(
    Object.keys(addresses).flatMap((name) => [390, 1280].map((width) => [name, width] as const)),
  )('(%s) fits into %i px, and every field has a label', async (name, width) => {
    const page = await open(await addresses[name]!(), width)
    await page.locator('form button').first().waitFor()
    const found = await page.evaluate(measure)
    expect(found).toEqual({ overflow: 0, unnamed: [] })
    expect(errors).toEqual([])
    await page.close()
  })

  it('redirects to the API page from the root', async () => {
    for (const path of ['/', '/_platform']) {
      const page = await open(path)
      expect(new URL(page.url()).pathname).toBe('/_platform/api')
      await page.close()
    }
  })

  it('of the API fills in the project key, finds an operation and sends it', async () => {
    const page = await open('/_platform/api')
    await page.getByPlaceholder('Filter').fill('getfile get localization')
    const operations = page.locator('.opblock-summary-control')
    await expect.poll(() => operations.count()).toBe(1)
    await operations.click()
    for (const [name, text] of [
      ['Language', 'de-DE'],
      ['ModuleName', 'auth'],
      ['ProjectKey', key],
    ] as const) {
      await page.getByPlaceholder(name).fill(text)
    }
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.getByText('"SIGN_IN"').first().waitFor()
    await page.getByText(`-H 'x-service-key: ${key}'`).waitFor()
    expect(errors).toEqual([])
    await page.close()
  })
})
