import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'
import { unsavedPage } from './unsaved-page.ts'

describe.skipIf(isBrowserMissing())('changes that are not saved', { timeout: 180_000 }, () => {
  const console = useConsole()
  const { open } = console
  const { control, page, button, dialog, respond } = unsavedPage(console)

  it('are restored after someone else changed other members, which stay', async () => {
    await control('PUT', '/tools/shared', { name: 'Shared' })
    const field = (name: string) => dialog().getByLabel(name, { exact: true })
    const openTool = async () => {
      await open(`/tools?project=${projectKey}`)
      await page().getByRole('table').getByRole('link', { name: 'Shared', exact: true }).click()
      await field('Name').waitFor()
    }
    await openTool()
    await field('Name').fill('My name')
    await control('PUT', '/tools/shared', { name: 'Shared', description: 'Their description' })
    const asked = respond(true)
    await openTool()
    expect(await asked).toBe('beforeunload')
    await page().getByText('Someone else has changed this since').first().waitFor()
    expect(await field('Name').inputValue()).toBe('My name')
    expect(await field('Description').inputValue()).toBe('Their description')
    await button('Undo').click()
    await expect.poll(() => field('Name').inputValue()).toBe('Shared')
  })

  it('keep the project that the list of projects shows', async () => {
    await open(`/tools/agents?project=${projectKey}`)
    await page().getByRole('main').getByLabel('Name', { exact: true }).fill('typed')
    const projects = page().getByRole('combobox', { name: 'Project' })
    const asked = respond(false)
    await projects.selectOption('empty')
    expect(await asked).toBe('confirm')
    expect(await projects.inputValue()).toBe(projectKey)
  })

  it('of a file that is uploaded are asked for, except by its own page', async () => {
    await open(`/files?project=${projectKey}`)
    const sent = page().waitForRequest((request) => request.method() === 'PUT')
    // The storage never responds.
    await page().route('**/_platform/objects/**', () => {})
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await page().locator('input[type=file]').setInputFiles(file)
    await sent
    let asked = respond(false)
    await page().getByRole('link', { name: 'Inbox', exact: true }).click()
    expect(await asked).toBe('confirm')
    asked = respond(false)
    await page()
      .reload({ timeout: 2000 })
      .catch(() => undefined)
    expect(await asked).toBe('beforeunload')
    await page().getByRole('link', { name: 'Files', exact: true }).click()
    asked = respond(true)
    await page().getByRole('link', { name: 'Inbox', exact: true }).click()
    expect(await asked).toBe('confirm')
    await page().getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  })
})
