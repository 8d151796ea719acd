import { uilm } from '@servicekit/unplugin/vite'
import { isBrowserMissing } from '@servicekit/workspace/browser'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

const files = {
  'package.json': '{"type": "module"}',
  'index.html':
    '<!doctype html><link rel="icon" href="data:,"><h1></h1><p></p><script type="module" src="/src/main.js"></script>',
  'src/main.js': `import { setLanguage, subscribe } from '~uilm'
import { NAV_ABOUT, NAV_CART } from '~uilm/common'
const show = () => {
  document.querySelector('h1').textContent = NAV_ABOUT()
  document.querySelector('p').textContent = NAV_CART()
}
subscribe(show)
await setLanguage('en-US')
show()
`,
}

/** Serves an application with the plugin in development. */
async function startApplication(baseUrl: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'console-application-'))
  mkdirSync(join(root, 'src'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [uilm({ root, baseUrl, projectKey, frozen: false })],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  onTestFinished(async () => {
    await server.close()
    rmSync(root, { recursive: true, force: true })
  })
  return server.resolvedUrls!.local[0]!
}

describe.skipIf(isBrowserMissing())(
  'the application beside its translations',
  { timeout: 180_000 },
  () => {
    const console = useConsole()

    it('marks in each what the pointer is on in the other, and shows an edit', async () => {
      const { page } = console
      const url = await startApplication(console.platform.baseUrl)
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
      await page.getByRole('complementary').getByText('NAV_CART').waitFor()
      expect(console.problems).toEqual([])
    })

    it('shows only applications of this machine', async () => {
      await console.open('/translations?application=https://example.com/')
      await console.page.getByText('Only applications on this machine can be shown').waitFor()
      expect(await console.page.locator('iframe').count()).toBe(0)
    })
  },
)
