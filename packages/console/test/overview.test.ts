import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the overview', { timeout: 120_000 }, () => {
  const console = useConsole()
  const { open, problems } = console
  const link = (name: string | RegExp) => console.page.getByRole('link', { name })
  const control = (method: string, path: string, body: object) =>
    fetch(`${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`, {
      method,
      body: JSON.stringify(body),
    })

  it('leads an empty project to its first language and module', async () => {
    await open('/?project=empty')
    await console.page.getByText('This project is empty.').waitFor()
    await console.page.getByLabel('Language code').fill('en-US')
    await console.page.getByRole('button', { name: 'Add' }).first().click()
    await console.page.locator('.chip', { hasText: 'en-US' }).waitFor()
    await console.page.getByLabel('Name of the module').fill('common')
    await console.page.getByRole('button', { name: 'Add' }).last().click()
    await console.page.locator('.chip', { hasText: 'common' }).waitFor()
    await console.page.getByText('SERVICEKIT_PROJECT_KEY=empty').waitFor()
    await console.page.getByText('No translation was changed yet.').waitFor()
    expect(problems).toEqual([])
  })

  it('leads from a number of missing translations to these keys', async () => {
    await open(`/?project=${projectKey}`)
    const cell = link(/: [1-9]\d* of \d+ missing$/).first()
    const missing = Number(await cell.innerText())
    await cell.click()
    await console.page.waitForURL(/\/translations\?.*module=.*missing=/)
    await console.page
      .getByText(missing === 1 ? '1 key' : new RegExp(`^${missing}\\b.* keys`))
      .first()
      .waitFor()
    expect(problems).toEqual([])
  })

  it('shows recent changes first, and links to the page needed next', async () => {
    await control('PUT', '/texts', [
      { module: 'common', key: 'NAV_CART', language: 'de-DE', value: 'Korb' },
    ])
    await open(`/?project=${projectKey}`)
    const changes = console.page.locator('section', { hasText: 'Recent changes' })
    await changes.getByRole('link', { name: 'NAV_CART' }).first().waitFor()
    expect(await changes.getByRole('listitem').first().innerText()).toContain('de-DE')
    await link('Set up the webhook').click()
    await console.page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    await console.page.waitForURL(/\/webhooks\/settings/)
    expect(problems).toEqual([])
  })
})
