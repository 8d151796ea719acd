import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApplication } from '../application.mjs'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())(
  'the application beside its translations',
  { timeout: 180_000 },
  () => {
    const console = useConsole()

    it('marks in each what the pointer is on in the other, and shows an edit', async () => {
      const { page } = console
      const { url, close } = await startApplication({
        baseUrl: console.platform.baseUrl,
        projectKey,
      })
      onTestFinished(close)
      await console.open('/translations')
      await page.getByRole('button', { name: 'Show the application' }).click()
      await page.getByRole('textbox', { name: 'Address of the application' }).fill(url)
      await page.getByRole('button', { name: 'Load', exact: true }).click()
      await page.getByText('Connected: point at a message').waitFor({ timeout: 60_000 })
      const application = page.frameLocator('iframe')
      const row = page.getByRole('row', { name: 'NAV_ABOUT' })
      await application.locator('h1').hover()
      await page.locator('.row.hovered', { hasText: 'NAV_ABOUT' }).waitFor()
      expect(await page.locator('.row.hovered').count()).toBe(1)
      await row.hover()
      await application.locator('h1[data-uilm-shown]').waitFor()
      expect(await application.locator('[data-uilm-shown]').count()).toBe(1)
      expect(await console.violations()).toEqual([])

      const before = await application.locator('h1').innerText()
      const languages = await page.getByRole('columnheader').allInnerTexts()
      const english = 1 + languages.findIndex((name) => name.includes('English'))
      await row.locator(`[aria-colindex="${english}"]`).dblclick()
      await page.keyboard.press('Control+A')
      await page.keyboard.type('All about us')
      await page.keyboard.press('Enter')
      await page.getByText('NAV_ABOUT (en-US) is saved and published.').waitFor()
      await application.locator('h1', { hasText: 'All about us' }).waitFor({ timeout: 60_000 })
      await page.getByRole('button', { name: 'Undo' }).click()
      await application.locator('h1', { hasText: before }).waitFor({ timeout: 60_000 })

      await application.locator('p').click({ modifiers: ['Alt'] })
      await page.getByRole('complementary').getByText('NAV_CART', { exact: true }).waitFor()
      expect(console.problems).toEqual([])
    })

    it('shows only applications of this machine', async () => {
      await console.open('/translations?application=https://example.com/')
      await console.page.getByText('Only applications on this machine can be shown').waitFor()
      expect(await console.page.locator('iframe').count()).toBe(0)
    })
  },
)
