import { isBrowserMissing } from '@servicekit/testing/browser'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startClientApplication } from './client-application.ts'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the workbench', { timeout: 120_000 }, () => {
  const console = useConsole({ usesClipboard: true })
  const { open, problems, violations } = console
  const languages = (): Promise<Response> =>
    fetch(`${console.platform.baseUrl}/localization/v4/Language/Gets?ProjectKey=${projectKey}`, {
      headers: { 'x-service-key': projectKey },
    })
  const button = (name: string | RegExp) => console.page.getByRole('button', { name, exact: true })

  it('fails a request of the log again, once', async () => {
    await console.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    expect((await languages()).status).toBe(200)
    // Requests of the console through the interface, which the log hides at first.
    await open(`/people/roles?project=${projectKey}`)
    await console.page.getByText('Administrator').first().waitFor()
    await console.page.getByRole('link', { name: 'Workbench' }).click()
    const table = console.page.getByRole('region', { name: 'Requests' })
    const request = table.getByRole('button', { name: '/localization/v4/Language' }).first()
    await request.waitFor()
    const roles = table.getByRole('row', { name: 'iam.listRoles' })
    expect(await roles.count()).toBe(0)
    await console.page.getByRole('checkbox', { name: 'Requests of the console' }).check()
    expect(await roles.count()).toBe(1)
    expect(await violations()).toEqual([])

    await request.click()
    const dialog = console.page.getByRole('dialog')
    expect(await violations()).toEqual([])
    const clipboard = () => console.page.evaluate(() => navigator.clipboard.readText())
    await button('Copy as TypeScript').click()
    await expect.poll(clipboard).toContain('client.localization.listLanguages(')
    await button('Copy as curl').click()
    await expect.poll(clipboard).toContain(`-H 'x-service-key: ${projectKey}'`)
    await button('Copy as test').click()
    await expect.poll(clipboard).toContain('expect(response.status).toBe(200)')
    await button('Fail the next one with 503').click()
    await dialog.waitFor({ state: 'detached' })
    await console.page.getByText('/Gets is added.').waitFor()
    const statuses = [(await languages()).status, (await languages()).status]
    expect(statuses).toEqual([503, 200])
    await button('Refresh').click()
    await table.getByText('503', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('fails a request again in the browser tab that sent it, and in no other', async () => {
    const { url, close } = await startClientApplication({
      baseUrl: console.platform.baseUrl,
      projectKey,
    })
    onTestFinished(close)
    const tab = await console.openWindow()
    const other = await tab.context().newPage()
    const list = async (page: Page, result: string) => {
      await page.getByRole('button', { name: 'List' }).click()
      await page.locator('output').getByText(result, { exact: true }).waitFor()
    }
    await other.goto(url)
    await list(other, 'loaded')
    await tab.goto(url)
    await list(tab, 'loaded')
    await open(`/workbench?project=${projectKey}`)
    const table = console.page.getByRole('region', { name: 'Requests' })
    await table.getByRole('button', { name: '/localization/v4/Language' }).first().click()
    expect(await violations()).toEqual([])
    await button('Fail in this tab with 503 until removed').click()
    await console.page.getByText('/Gets is added.').waitFor()
    await list(other, 'loaded')
    await list(tab, '503')
    await tab.reload()
    await list(tab, '503')
    expect((await languages()).status).toBe(200)
    await button('Undo').click()
    await console.page.getByText('The rule is removed.').waitFor()
    await list(tab, 'loaded')
    expect(problems).toEqual([])
  })

  it('adds a fault rule, removes it and undoes that', async () => {
    await open(`/workbench/faults?project=${projectKey}`)
    await console.page.getByText('There are no fault rules.').waitFor()
    const path = console.page.getByRole('textbox', { name: 'Path; * matches any text' })
    await path.fill('/localization/*')
    await path.press('Enter')
    const row = console.page.getByRole('row', { name: '/localization/*' })
    await row.getByText('status: 503').waitFor()
    expect((await languages()).status).toBe(503)
    expect(await violations()).toEqual([])
    await row.getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await languages()).status).toBe(200)
    await button('Undo').click()
    await row.waitFor()
    expect((await languages()).status).toBe(503)

    // The pages of the console call the interface, too.
    await path.fill('/iam/v4/iam/roles')
    await path.press('Enter')
    await console.page.getByRole('row', { name: '/iam/v4/iam/roles' }).waitFor()
    await console.page.getByRole('link', { name: 'People' }).click()
    await console.page.getByRole('link', { name: 'Roles' }).click()
    await console.page.getByRole('alert').getByText('Injected fault.').waitFor()
    await open(`/workbench/faults?project=${projectKey}`)
    const roles = console.page.getByRole('row', { name: '/iam/v4/iam/roles' })
    await roles.getByRole('button', { name: 'Remove' }).click()
    await roles.waitFor({ state: 'detached' })

    // Without a connection nothing changes, and the page says so.
    await console.context.setOffline(true)
    await row.getByRole('button', { name: 'Remove' }).click()
    await console.page.getByText('The platform does not respond.').waitFor()
    await console.context.setOffline(false)
    await row.getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await languages()).status).toBe(200)
  })

  it('exports a project, and imports it under another key after asking', async () => {
    await open(`/workbench/transfer?project=${projectKey}`)
    const [download] = await Promise.all([
      console.page.waitForEvent('download'),
      console.page.getByRole('link', { name: 'Export project' }).click(),
    ])
    // The browser may be that of another process, which shares no files.
    const exported = JSON.parse(await text(await download.createReadStream())) as {
      rows: { users: { password_hash: string | null }[] }
    }
    expect(exported.rows.users.length).toBeGreaterThan(0)
    expect(exported.rows.users.every(({ password_hash: hash }) => hash === null)).toBe(true)
    const input = console.page.getByLabel('Exported project')
    const file = (value: unknown) => ({
      name: 'project.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(value)),
    })
    await input.setInputFiles([file({ name: 'No project' })])
    await console.page.getByText('This file is not an exported project.').waitFor()
    await input.setInputFiles([file({ ...exported, projectKey: 'copied', name: 'Copied shop' })])
    await button('Import Copied shop …').click()
    await console.page.getByText('replaces everything in the project with the key copied').waitFor()
    expect(await violations()).toEqual([])
    await button('Import').click()
    await console.page.getByRole('link', { name: 'Open the imported project' }).click()
    await console.page.getByRole('heading', { name: 'Missing translations' }).waitFor()
    expect(await console.page.title()).toContain('Copied shop')
    expect(problems).toEqual([])
  })

  // The last test, because the clock cannot be set back.
  it('advances the clock until an invitation expires', async () => {
    await open('/people?project=empty')
    await button('Invite user').click()
    const email = console.page.getByRole('dialog').getByLabel('Email')
    await email.fill('late@example.com')
    await email.press('Enter')
    await console.page.getByText('late@example.com is invited.').waitFor()
    await open('/workbench/clock?project=empty')
    const slider = console.page.getByRole('slider')
    await slider.focus()
    await console.page.keyboard.press('End')
    expect(await slider.getAttribute('aria-valuetext')).toBe('365 days')
    await button('Advance the clock by 365 days …').click()
    await console.page.getByText('The clock cannot be set back.').waitFor()
    expect(await violations()).toEqual([])
    await button('Advance').click()
    await console.page.getByText('The clock is advanced by 365 days.').waitFor()
    await console.page.getByRole('link', { name: 'Inbox' }).click()
    const [other] = await Promise.all([
      console.context.waitForEvent('page'),
      console.page.getByRole('link', { name: 'Open as late@example.com' }).click(),
    ])
    for (const field of await other.locator('input[type=password]').all()) {
      await field.fill('a long enough password')
    }
    await other.locator('button').click()
    await other.getByText(/expired/).waitFor()
    expect(problems).toEqual([])
  })
})
