import { startPlatform, type StartedPlatform } from '@servicekit/platform/node'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withConsole } from '../src/server/index.ts'
import { projectKey } from './open-console.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const controlToken = 'the control token of this test'
const password = 'a horse of a battery'

const consoleRoles = {
  german: { role: 'translator', languages: ['de-DE'] },
  proofreading: { role: 'reviewer', languages: ['de-DE'] },
  localization: { role: 'manager' },
  engineering: { role: 'developer' },
}
const slugs = Object.keys(consoleRoles)

describe.skipIf(isBrowserMissing())('the console for someone with a role', () => {
  let platform: StartedPlatform
  let browser: Browser
  beforeAll(async () => {
    platform = await startPlatform({
      projectDir: storefront,
      controlToken,
      wrap: (started) => withConsole(started),
    })
    const response = await fetch(`${platform.baseUrl}/_platform/projects/${projectKey}/identity`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${controlToken}` },
      body: JSON.stringify({
        settings: { administratorRoles: ['admin'], consoleRoles },
        clients: [{ clientId: 'console', redirectUris: [`${platform.baseUrl}/console/signed-in`] }],
        roles: slugs.map((slug) => ({ slug })),
        users: slugs.map((slug) => ({
          email: `${slug}@storefront.example`,
          password,
          roles: [slug],
        })),
      }),
    })
    expect([response.status, await response.text()]).toEqual([204, ''])
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.close()
  })

  const problems: string[] = []
  /** Signs a user in, in a window of its own. */
  async function enter(name: string, secret = password): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${platform.baseUrl}/console/?project=${projectKey}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[name=username]').fill(`${name}@storefront.example`)
    await page.locator('input[name=password]').fill(secret)
    await page.getByRole('button').first().click()
    await page.getByRole('navigation').waitFor()
    problems.length = 0
    return page
  }
  const open = (page: Page, path: string) =>
    page.goto(`${platform.baseUrl}/console${path}?project=${projectKey}`)
  const pagesOf = async (page: Page) =>
    page.getByRole('navigation').getByRole('link').allInnerTexts()
  it('a translator sees the pages of the role, and why another one does not open', async () => {
    const page = await enter('german')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('heading', { name: 'Unpublished changes' }).waitFor()
    expect(await pagesOf(page)).toEqual(['Overview', 'Translations', 'Tasks'])
    await open(page, '/people')
    await page.getByRole('heading', { name: 'You cannot open People' }).waitFor()
    const main = await page.getByRole('main').innerText()
    expect(main).toContain('do not include this page: translator (de-DE).')
    expect(main).toMatch(/Ask an administrator of the project for another role: Ines/)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('a translator edits only the languages of the role', async () => {
    const page = await enter('german')
    await open(page, '/translations/common/NAV_ABOUT')
    const panel = page.getByRole('complementary')
    const german = panel.getByRole('textbox', { name: /German/ })
    await german.waitFor()
    for (const box of await panel.getByRole('textbox', { name: /^NAV_ABOUT, / }).all()) {
      const label = await box.getAttribute('aria-label')
      expect([label, await box.isEditable()]).toEqual([label, label!.includes('German')])
    }
    await german.fill('Über unseren Laden')
    await panel.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByText('NAV_ABOUT (de-DE) is saved as a draft.').waitFor()
    const states = panel.getByRole('combobox', { name: /State.*German/ })
    expect(await states.getByRole('option', { name: 'Reviewed' }).isDisabled()).toBe(true)
    for (const name of ['Publish', 'Remove key', 'Discard']) {
      expect(await page.getByRole('button', { name: new RegExp(name) }).count()).toBe(0)
    }
    await page.getByText('Actions ▾').click()
    expect(await page.locator('details.menu button').allInnerTexts()).toEqual([
      'Change states',
      'Export files',
      'Keyboard shortcuts',
    ])
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('a reviewer marks a translation as reviewed, and a manager publishes it', async () => {
    const page = await enter('proofreading')
    await open(page, '/translations/common/NAV_ABOUT')
    const panel = page.getByRole('complementary')
    await panel.getByRole('combobox', { name: /State.*German/ }).selectOption({ label: 'Reviewed' })
    await page.getByText('1 translation: Reviewed').waitFor()
    await page.context().close()

    const manager = await enter('localization')
    expect((await pagesOf(manager)).slice(0, 2)).toEqual(['Overview', 'Translations'])
    await open(manager, '/translations')
    await manager.getByRole('button', { name: 'Publish (1)' }).click()
    const dialog = manager.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const url = `/uilm/v1/Key/GetUilmFile?Language=de-DE&ModuleName=common&ProjectKey=${projectKey}`
    const file = await fetch(`${platform.baseUrl}${url}`, {
      headers: { 'x-service-key': projectKey },
    })
    expect(await file.json()).toMatchObject({ NAV_ABOUT: 'Über unseren Laden' })
    expect(problems).toEqual([])
    await manager.context().close()
  })

  it('a manager renames a language and a module, and removes them after typing their name', async () => {
    const page = await enter('localization')
    await open(page, '/translations')
    await page.getByRole('gridcell').first().waitFor()
    await page.getByText('Actions ▾').click()
    await page.getByRole('button', { name: 'Languages and modules' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of fr-FR').fill('Français')
    await dialog.getByRole('button', { name: 'Rename fr-FR' }).click()
    await dialog.getByText('The name is now Français.').waitFor()
    await dialog.getByLabel('Module support').fill('help')
    await dialog.getByRole('button', { name: 'Rename support' }).click()
    await dialog.getByLabel('Module help').waitFor()
    expect(await dialog.getByRole('button', { name: 'Remove en-US' }).count()).toBe(0)
    for (const name of ['ar-EG', 'help']) {
      await dialog.getByRole('button', { name: `Remove ${name}`, exact: true }).click()
      const group = dialog.getByRole('group', { name: `Remove ${name}` })
      await group.getByText(/will be removed at once, for everyone/).waitFor()
      const remove = group.getByRole('button', { name: 'Remove', exact: true })
      expect(await remove.isDisabled()).toBe(true)
      await group.getByLabel(`Type ${name} to confirm`).fill(name)
      await remove.click()
      await dialog.getByText(`${name} is removed.`).waitFor()
      await group.waitFor({ state: 'detached' })
    }
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    const columns = await page.getByRole('columnheader').allInnerTexts()
    expect(columns).toContain('Français')
    expect(columns.join()).not.toContain('Arabic')
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('an administrator creates, changes and removes a role for the console', async () => {
    const page = await enter('ines', 'storefront')
    await open(page, '/people/roles')
    await page.getByRole('button', { name: 'New role' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('French translators')
    await dialog.getByLabel('Slug').fill('french')
    await dialog.getByLabel('Role for the console').selectOption('translator')
    await dialog.getByRole('checkbox', { name: 'fr-FR' }).check()
    await dialog.getByRole('button', { name: 'Save role' }).click()
    await page.getByText('French translators is saved.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'French translators' })
    await row.getByText('translator (fr-FR)').waitFor()
    await row.getByRole('button', { name: 'Change French translators' }).click()
    await dialog.getByLabel('Role for the console').selectOption('reviewer')
    await dialog.getByRole('button', { name: 'Save role' }).click()
    await row.getByText('reviewer (fr-FR)').waitFor()
    await page.getByRole('button', { name: 'Change Administrator' }).click()
    expect(await dialog.getByRole('checkbox', { name: 'French translators' }).isChecked()).toBe(
      true,
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await row.getByRole('button').click()
    await dialog.getByRole('button', { name: 'Remove role …' }).click()
    await dialog.getByText('French translators will be removed').waitFor()
    await dialog.getByRole('button', { name: 'Remove it' }).click()
    await row.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('an administrator creates, gives and removes a permission', async () => {
    const page = await enter('ines', 'storefront')
    await open(page, '/people/permissions')
    await page.getByRole('button', { name: 'New permission' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('stock.count')
    await dialog.getByLabel('Resource').fill('stock')
    await dialog.getByRole('button', { name: 'Save permission' }).click()
    await page.getByText('stock.count is saved.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'stock.count' })
    // Who creates a permission has it.
    await row.getByText('admin', { exact: true }).waitFor()
    await open(page, '/people/roles')
    await page.getByRole('button', { name: 'Change Administrator' }).click()
    const box = dialog.getByRole('checkbox', { name: 'stock.count' })
    expect(await box.isChecked()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await open(page, '/people/permissions')
    await page.getByRole('button', { name: 'Change stock.count' }).click()
    await dialog.getByRole('button', { name: 'Remove permission …' }).click()
    await dialog.getByText('stock.count is removed from the project').waitFor()
    await dialog.getByRole('button', { name: 'Remove permission', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('an administrator changes an organization and removes it', async () => {
    const page = await enter('ines', 'storefront')
    await open(page, '/people/organizations')
    const main = page.getByRole('main')
    await main.getByLabel('Name', { exact: true }).fill('Partners')
    await main.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Partners is created.').waitFor()
    await page.getByRole('button', { name: 'Change Partners' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Trade')
    await dialog.getByRole('checkbox', { name: 'Administrator' }).check()
    await dialog.getByRole('button', { name: 'Save organization' }).click()
    await page.getByText('Trade is saved.').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Trade' })
    await row.getByText('admin', { exact: true }).waitFor()
    await row.getByRole('button').click()
    await dialog.getByRole('button', { name: 'Remove organization …' }).click()
    await dialog.getByText('Trade is removed for everyone. Members: 1.').waitFor()
    await dialog.getByRole('button', { name: 'Remove organization', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Change Storefront' }).click()
    await dialog.getByRole('button', { name: 'Save organization' }).waitFor()
    expect(await dialog.getByRole('button', { name: /^Remove organization/ }).count()).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('a developer reads translations and opens the webhooks', async () => {
    const page = await enter('engineering')
    expect(await pagesOf(page)).toEqual(['Overview', 'Translations', 'Tasks', 'Webhooks'])
    await open(page, '/translations')
    const german = page.getByRole('gridcell').first()
    await german.waitFor()
    expect(await german.getAttribute('aria-readonly')).toBe('true')
    await german.dblclick()
    expect(await page.getByRole('grid').getByRole('textbox').count()).toBe(0)
    await open(page, '/webhooks')
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })
})
