import { startPlatform, type StartedPlatform } from '@servicekit/platform/node'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { fileURLToPath } from 'node:url'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withConsole } from '../src/server/index.ts'
import { projectKey } from './open-console.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const controlToken = 'the control token of this test'

describe.skipIf(isBrowserMissing())('a session that ends while a text is edited', () => {
  let platform: StartedPlatform
  let browser: Browser
  beforeAll(async () => {
    platform = await startPlatform({
      projectDir: storefront,
      controlToken,
      wrap: (started) => withConsole(started),
    })
    const url = `${platform.baseUrl}/_platform/projects/${projectKey}/identity`
    const redirectUris = [`${platform.baseUrl}/console/signed-in`]
    const body = JSON.stringify({ clients: [{ clientId: 'console', redirectUris }] })
    const headers = { authorization: `Bearer ${controlToken}` }
    expect((await fetch(url, { method: 'PUT', headers, body })).ok).toBe(true)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.close()
  })

  const signIn = async (page: Page | FrameLocator) => {
    await page.locator('input[name=username]').fill('ines@storefront.example')
    await page.locator('input[name=password]').fill('storefront')
    await page.getByRole('button').first().click()
  }

  it('is renewed in a dialog, and the text is saved', async () => {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${platform.baseUrl}/console/?project=${projectKey}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page)
    await page.waitForURL(/\/console\/\?project=/)
    await page.goto(
      `${platform.baseUrl}/console/translations/common/NAV_ABOUT?project=${projectKey}`,
    )
    const german = page.getByRole('complementary').getByRole('textbox', { name: /German/ })
    await german.fill('Nach der Anmeldung')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByText('Your session has ended.').waitFor()
    const opened: unknown[] = []
    context.on('page', (other) => opened.push(other))
    await page.getByRole('status').getByRole('button', { name: 'Sign in' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await signIn(page.frameLocator('dialog iframe'))
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Your session has ended.').waitFor({ state: 'detached' })
    expect(await german.inputValue()).toBe('Nach der Anmeldung')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('NAV_ABOUT (de-DE) is saved as a draft.').waitFor()
    expect(opened).toEqual([])
    await context.close()
  })
})
