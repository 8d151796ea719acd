import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('webhooks', { timeout: 120_000 }, () => {
  const console = useConsole({ usesClipboard: true })
  const { open, problems, violations } = console
  const tab = (name: string) => console.page.getByRole('link', { name, exact: true }).click()
  const publish = async (value: string) => {
    const control = `${console.platform.baseUrl}/_platform/projects/${projectKey}`
    const draft = { language: 'de-DE', module: 'common', key: 'NAV_CART', value }
    await fetch(`${control}/drafts`, { method: 'PUT', body: JSON.stringify([draft]) })
    await fetch(`${control}/publish`, { method: 'POST' })
  }

  it('are configured, received, fail, and are delivered again', async () => {
    await open(`/webhooks?project=${projectKey}`)
    await console.page.getByText('There are no deliveries yet.').waitFor()
    await tab('Configuration')
    await console.page.getByLabel('URL').fill('https://10.0.0.1/hook')
    await console.page.getByRole('button', { name: 'Save' }).click()
    await console.page.getByText('url: 10.0.0.1 is a private address').waitFor()

    // The refused address is an unsaved change.
    const question = console.page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept()
      return dialog.message()
    })
    await tab('Test receiver')
    expect(await question).toBe('Your changes are not saved. Discard them?')
    await console.page.getByText('Nothing was received yet.').waitFor()
    expect(await violations()).toEqual([])
    await console.page.getByLabel('Respond with').selectOption('500')
    await console.page.getByRole('link', { name: 'Use it for the webhook' }).click()
    const url = console.page.getByLabel('URL')
    await expect.poll(() => url.inputValue()).toMatch(/\/console\/receiver\/[\da-f-]{36}$/)
    await console.page.getByLabel('Header of the secret').fill('x-secret')
    await console.page.getByLabel('Secret', { exact: true }).fill('a secret of the test')
    await console.page.getByRole('button', { name: 'Save' }).click()
    await console.page.getByText('The webhook is saved.').waitFor()
    await console.page.getByText('The project has a secret').waitFor()
    expect(await violations()).toEqual([])

    await publish('Korb')
    await tab('Deliveries')
    const delivery = console.page.locator('details').first()
    await expect
      .poll(async () => {
        await console.page.getByRole('button', { name: 'Refresh' }).click()
        return (await delivery.count()) > 0 && delivery.innerText()
      })
      .toContain('GenerateUilmFilesEvent')
    await delivery.locator('summary').click()
    await delivery.locator('.chip', { hasText: '500' }).first().waitFor()
    await delivery.getByText('Request headers').first().click()
    await delivery.getByText('x-secret: (secret)').first().waitFor()
    await console.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await delivery.getByRole('button', { name: 'Copy as curl' }).first().click()
    const copied = await console.page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^curl 'http:.*-H 'webhook-signature: v1,.*GenerateUilmFilesEvent/s)
    await delivery.getByText('Response', { exact: true }).first().click()
    await delivery.getByText('date:').first().waitFor()
    expect(await violations()).toEqual([])
    await console.page.getByLabel('State').selectOption('skipped')
    await console.page.getByText('There are no deliveries in this state.').waitFor()
    await console.page.getByLabel('State').selectOption('all')
    await delivery.waitFor()

    await tab('Test receiver')
    const received = console.page.locator('details')
    await received.getByText('x-secret: a secret of the test').waitFor()
    await received.getByText('webhook-signature: v1,').waitFor()
    await received.getByText('responded with 500').first().waitFor()
    const before = await received.count()
    await console.page.getByLabel('Respond with').selectOption('204')

    await publish('Einkaufskorb')
    await tab('Deliveries')
    const isDelivered = async () => {
      await console.page.getByRole('button', { name: 'Refresh' }).click()
      return console.page.locator('summary').filter({ hasText: 'delivered' }).count()
    }
    await expect.poll(isDelivered).toBe(1)
    await console.page.locator('summary').filter({ hasText: 'delivered' }).click()
    await console.page.getByRole('button', { name: 'Deliver again' }).click()
    await console.page.getByText('The delivery is repeated.').waitFor()
    await expect.poll(isDelivered).toBe(1)
    await tab('Test receiver')
    await received.getByText('responded with 204').nth(1).waitFor()
    expect(await received.count()).toBeGreaterThanOrEqual(before + 2)

    // An edit keeps the secret that it does not mention.
    await tab('Configuration')
    await console.page.getByLabel('Disabled: nothing is sent').check()
    await console.page.getByRole('button', { name: 'Save' }).click()
    const stored = () =>
      fetch(`${console.platform.baseUrl}/_platform/projects/${projectKey}/webhook`)
    await expect.poll(async () => (await stored()).json()).toMatchObject({ isDisabled: true })
    await console.page.getByText('The project has a secret').waitFor()
    expect(problems).toEqual([])
  })

  it('are received only at an address that nobody can guess, from this machine', async () => {
    const { baseUrl } = console.platform
    const guessed = await fetch(`${baseUrl}/console/receiver/${crypto.randomUUID()}`, {
      method: 'POST',
      body: 'x',
    })
    expect(guessed.status).toBe(404)
    const headers = { origin: baseUrl, 'x-forwarded-for': '127.0.0.1' }
    const read = await fetch(`${baseUrl}/console/test-receiver`, { headers })
    expect(read.status).toBe(403)
    const wrong = await fetch(`${baseUrl}/console/test-receiver`, {
      method: 'POST',
      headers: { origin: baseUrl },
      body: '{"status": 99}',
    })
    expect(wrong.status).toBe(400)
  })
})
