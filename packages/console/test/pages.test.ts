import { startPlatform, type StartedPlatform } from '@servicekit/platform/node'
import { isBrowserMissing, launchBrowser } from '@servicekit/workspace/browser'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withConsole } from '../src/server/index.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const key = 'P5c1e7a90d2f84b6e8a3f9d41'

describe.skipIf(isBrowserMissing())('the console', { timeout: 120_000 }, () => {
  let platform: StartedPlatform
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const problems: string[] = []

  beforeAll(async () => {
    const wrap = (started: StartedPlatform['platform']) =>
      withConsole(started, { allowThisMachine: true })
    ;[platform, browser] = await Promise.all([
      startPlatform({ projectDir: storefront, wrap }),
      launchBrowser(),
    ])
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await platform?.close()
  })
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
    page = await context.newPage()
    // A refusal by the content security policy is an error of the page as well.
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    problems.length = 0
  })
  afterEach(() => context.close())

  const open = (path: string) => page.goto(`${platform.baseUrl}/console${path}`)
  const cell = (row: string, column: number) =>
    page.getByRole('row', { name: row }).locator(`[aria-colindex="${column}"]`).first()
  const served = async (language: string, module: string) => {
    const query = new URLSearchParams({ Language: language, ModuleName: module, ProjectKey: key })
    const url = `${platform.baseUrl}/uilm/v1/Key/GetUilmFile?${query}`
    const response = await fetch(url, { headers: { 'x-service-key': key } })
    return (await response.json()) as Record<string, string>
  }
  /** Returns the serious violations of accessibility rules. */
  const violations = async () => {
    // The policy of the page forbids inline scripts, so this runs in the debugger's world.
    await page.evaluate(axe)
    const found = await page.evaluate(async () => {
      const { axe: run } = globalThis as unknown as {
        axe: {
          run: () => Promise<{
            violations: { id: string; impact: string; nodes: { html: string }[] }[]
          }>
        }
      }
      return (await run.run()).violations
    })
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }

  it('leads from what is missing to a message, which is edited, published and served', async () => {
    await open('/')
    await page.getByRole('heading', { name: 'Missing translations' }).waitFor()
    await page.getByText('You are signed in automatically').waitFor()
    expect(await violations()).toEqual([])
    await page.getByRole('link', { name: 'Translations', exact: true }).click()
    await page.getByRole('searchbox').fill('NAV_ABOUT')
    await page.getByText('1 key', { exact: true }).waitFor()
    const languages = await page.getByRole('columnheader').allInnerTexts()
    const german = 1 + languages.findIndex((name) => name.includes('German'))
    const before = (await served('de-DE', 'common'))['NAV_ABOUT']
    expect(await cell('NAV_ABOUT', german).innerText()).toContain(before)

    // By keyboard only, from here on.
    await cell('NAV_ABOUT', 1).focus()
    for (let column = 1; column < german; column++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Über den Laden')
    await page.keyboard.press('Enter')
    await page.getByText('NAV_ABOUT (de-DE) is saved as a draft.').waitFor()
    expect((await served('de-DE', 'common'))['NAV_ABOUT']).toBe(before)

    await page.getByRole('button', { name: 'Publish (1)' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Publish changes' })
    await dialog.getByText('Über den Laden').waitFor()
    expect(await dialog.locator('del').innerText()).toBe(before)
    expect(await violations()).toEqual([])
    await dialog.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
    await page.getByText('Published.').waitFor()
    expect((await served('de-DE', 'common'))['NAV_ABOUT']).toBe('Über den Laden')
    expect(problems).toEqual([])
  })

  it('keeps a text that could not be saved while the platform is away', async () => {
    await open('/translations/common/NAV_ABOUT')
    const field = page.getByRole('complementary').getByRole('textbox', { name: /French/ })
    await field.fill('Qui sommes-nous')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByText('is not saved: The platform does not respond.').waitFor()
    expect(await field.inputValue()).toBe('Qui sommes-nous')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('NAV_ABOUT (fr-FR) is saved as a draft.').waitFor()
  })

  it('loses neither of two edits of one key', async () => {
    await open('/translations/common/NAV_CART')
    const other = await context.newPage()
    await other.goto(`${platform.baseUrl}/console/translations/common/NAV_CART`)
    const field = (of: Page) =>
      of.getByRole('complementary').getByRole('textbox', { name: /German/ })
    await field(page).fill('Korb')
    await field(other).fill('Einkaufskorb')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByText('NAV_CART (de-DE) is saved as a draft.').waitFor()
    await other.getByRole('button', { name: 'Save as draft' }).click()
    const dialog = other.getByRole('dialog', { name: 'Someone else changed this translation' })
    await dialog.waitFor()
    expect(await dialog.locator('dd').allInnerTexts()).toEqual(['Korb', 'Einkaufskorb'])
    await dialog.getByRole('button', { name: 'Use mine' }).click()
    await other.getByText('NAV_CART (de-DE) is saved as a draft.').waitFor()
    await other.getByRole('button', { name: 'Undo' }).click()
    await other.getByText('The change is undone.').waitFor()
    await page.reload()
    await page.getByRole('textbox', { name: /German/ }).waitFor()
    expect(await field(page).inputValue()).toBe('Korb')
  })

  it('shows all plural forms of a message, and focuses the language in the address', async () => {
    await open(`/translations/cart/CART_ITEMS?project=${key}&language=ar-EG`)
    const panels = page.getByRole('complementary')
    await panels.nth(5).waitFor()
    const forms = ['zero', 'one', 'two', 'few', 'many', 'other']
    expect(await panels.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
      forms.map((form) => `CART_ITEMS_${form}`),
    )
    const focused = panels.first().locator('textarea:focus')
    expect(await focused.getAttribute('lang')).toBe('ar-EG')
    expect(await violations()).toEqual([])
    await open('/translations/cart/NO_SUCH_KEY')
    await page.getByText('There is no such key.').waitFor()
    expect(problems).toEqual([])
  })

  it('reads from right to left, on a narrow screen and in the dark', async () => {
    await page.setViewportSize({ width: 360, height: 720 })
    await open('/')
    await page.getByRole('heading', { name: 'Missing translations' }).waitFor()
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
    await page.getByRole('heading', { name: 'الترجمات الناقصة' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    await page.getByRole('combobox', { name: 'المظهر' }).selectOption('dark')
    expect(await violations()).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
    expect(problems).toEqual([])
  })
})
