import { isBrowserMissing } from '@servicekit/testing/browser'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the console', { timeout: 120_000 }, () => {
  const console = useConsole({ usesClipboard: true })
  const { open, problems, violations } = console
  const cell = (row: string, column: number) =>
    console.page.getByRole('row', { name: row }).locator(`[aria-colindex="${column}"]`).first()
  const served = async (language: string, module: string) => {
    const query = new URLSearchParams({
      Language: language,
      ModuleName: module,
      ProjectKey: projectKey,
    })
    const url = `${console.platform.baseUrl}/uilm/v1/Key/GetUilmFile?${query}`
    const response = await fetch(url, { headers: { 'x-service-key': projectKey } })
    return (await response.json()) as Record<string, string>
  }
  it('leads from what is missing to a message, which is edited, published and served', async () => {
    await open('/')
    await console.page.getByRole('heading', { name: 'Missing translations' }).waitFor()
    await console.page.getByText('You are signed in automatically').waitFor()
    expect(await violations()).toEqual([])
    await console.page.getByRole('link', { name: 'Translations', exact: true }).click()
    await console.page.getByRole('searchbox').fill('NAV_ABOUT')
    await console.page.getByText('1 key', { exact: true }).waitFor()
    const languages = await console.page.getByRole('columnheader').allInnerTexts()
    const german = 1 + languages.findIndex((name) => name.includes('German'))
    const before = (await served('de-DE', 'common'))['NAV_ABOUT']
    expect(await cell('NAV_ABOUT', german).innerText()).toContain(before)

    // By keyboard only, from here on.
    await cell('NAV_ABOUT', 1).focus()
    for (let column = 1; column < german; column++) await console.page.keyboard.press('ArrowRight')
    await console.page.keyboard.press('Enter')
    await console.page.keyboard.press('Control+A')
    await console.page.keyboard.type('Über den Laden')
    await console.page.keyboard.press('Enter')
    await console.page.getByText('NAV_ABOUT (de-DE) is saved as a draft.').waitFor()
    expect((await served('de-DE', 'common'))['NAV_ABOUT']).toBe(before)

    await console.page.getByRole('button', { name: 'Publish (1)' }).press('Enter')
    const dialog = console.page.getByRole('dialog', { name: 'Publish changes' })
    await dialog.getByText('Über den Laden').waitFor()
    expect(await dialog.locator('del').innerText()).toBe(before)
    expect(await violations()).toEqual([])
    await dialog.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
    await console.page.getByText('Published.').waitFor()
    expect((await served('de-DE', 'common'))['NAV_ABOUT']).toBe('Über den Laden')
    expect(problems).toEqual([])
  })

  it('restores a former translation and a removed key from the history', async () => {
    const publish = async () => {
      await console.page.getByRole('button', { name: /^Publish \(/ }).click()
      const dialog = console.page.getByRole('dialog', { name: 'Publish changes' })
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
      await console.page.getByText('Published.').last().waitFor()
    }
    const before = (await served('de-DE', 'common'))['CANCEL']!
    await fetch(`${console.platform.baseUrl}/_platform/projects/${projectKey}/texts`, {
      method: 'PUT',
      body: JSON.stringify([
        { module: 'common', key: 'CANCEL', language: 'de-DE', value: 'Falsch übersetzt' },
      ]),
    })
    await open('/')
    const changes = console.page.locator('section', { hasText: 'Recent changes' })
    await changes.getByRole('link', { name: 'CANCEL' }).first().click()
    await console.page.getByText('History', { exact: true }).click()
    const history = console.page.getByRole('list', { name: 'History' })
    await history.getByText('Falsch übersetzt').waitFor()
    expect(await history.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('Falsch übersetzt'),
      expect.stringContaining(before),
    ])
    expect(await history.getByRole('listitem').first().innerText()).toContain('administration')
    expect(await violations()).toEqual([])
    await history.getByRole('button', { name: `Restore de-DE: ${before}` }).press('Enter')
    await console.page.getByRole('button', { name: 'Save as draft' }).click()
    await console.page.getByText('CANCEL (de-DE) is saved as a draft.').waitFor()
    await publish()
    expect((await served('de-DE', 'common'))['CANCEL']).toBe(before)

    await console.page.getByRole('button', { name: 'Remove key' }).click()
    await publish()
    expect((await served('de-DE', 'common'))['CANCEL']).toBeUndefined()
    await console.page.getByText('There is no such key.').waitFor()
    await console.page.getByRole('button', { name: 'Restore the key' }).click()
    await console.page.getByText('CANCEL is a draft again.').waitFor()
    await publish()
    expect((await served('de-DE', 'common'))['CANCEL']).toBe(before)
    expect(problems).toEqual([])
  })

  it('copies a message as the call that shows it', async () => {
    await console.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('/translations/cart/CART_ITEMS_other')
    const copied = async (name: string): Promise<string> => {
      await console.page.getByRole('button', { name }).last().click()
      await console.page.getByText('Copied').last().waitFor()
      return console.page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('Copy as TypeScript')).toContain('CART_ITEMS({ count })')
    expect(await copied('Copy as curl')).toContain('Language=en-US&ModuleName=cart')
    expect(await copied('Copy as test')).toContain('expect(response.status).toBe(200)')
  })

  it('keeps a text that could not be saved while the platform is away', async () => {
    await open('/translations/common/NAV_ABOUT')
    const field = console.page.getByRole('complementary').getByRole('textbox', { name: /French/ })
    await field.fill('Qui sommes-nous')
    await console.context.setOffline(true)
    await console.page.getByRole('button', { name: 'Save as draft' }).click()
    await console.page.getByText('is not saved: The platform does not respond.').waitFor()
    expect(await field.inputValue()).toBe('Qui sommes-nous')
    await console.context.setOffline(false)
    await console.page.getByRole('button', { name: 'Try again' }).click()
    await console.page.getByText('NAV_ABOUT (fr-FR) is saved as a draft.').waitFor()
  })

  it('loses neither of two edits of one key', async () => {
    await open('/translations/common/NAV_CART')
    const other = await console.openWindow()
    await other.goto(`${console.platform.baseUrl}/console/translations/common/NAV_CART`)
    const field = (of: Page) =>
      of.getByRole('complementary').getByRole('textbox', { name: /German/ })
    await field(console.page).fill('Korb')
    await field(other).fill('Einkaufskorb')
    await console.page.getByRole('button', { name: 'Save as draft' }).click()
    await console.page.getByText('NAV_CART (de-DE) is saved as a draft.').waitFor()
    await other.getByRole('button', { name: 'Save as draft' }).click()
    const dialog = other.getByRole('dialog', { name: 'Someone else changed this translation' })
    await dialog.waitFor()
    expect(await dialog.locator('dd').allInnerTexts()).toEqual(['Korb', 'Einkaufskorb'])
    await dialog.getByRole('button', { name: 'Use mine' }).click()
    await other.getByText('NAV_CART (de-DE) is saved as a draft.').waitFor()
    await other.getByRole('button', { name: 'Undo' }).click()
    await other.getByText('The change is undone.').waitFor()
    await console.page.reload()
    await console.page.getByRole('textbox', { name: /German/ }).waitFor()
    expect(await field(console.page).inputValue()).toBe('Korb')
  })

  it('invites a user, whose mail opens on the other loopback name and activates the account', async () => {
    await open('/people?project=empty')
    await console.page.getByText('No user matches.').waitFor()
    await console.page.getByRole('button', { name: 'Invite user' }).click()
    const dialog = console.page.getByRole('dialog', { name: 'Invite a user' })
    await dialog.locator('input[type=email]:focus').waitFor()
    await console.page.keyboard.type('mara@example.com')
    expect(await violations()).toEqual([])
    await console.page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await console.page.getByText('mara@example.com is invited.').waitFor()
    const row = console.page.getByRole('row', { name: 'mara@example.com' })
    await row.getByText('not activated').waitFor()
    await row.getByRole('link').click()
    await console.page.getByRole('button', { name: 'Send the invitation again' }).click()
    await console.page.getByText('A new invitation was sent to mara@example.com.').waitFor()
    await console.page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

    await console.page.getByRole('link', { name: 'Inbox' }).click()
    const invitations = console.page.getByRole('link', { name: 'Open as mara@example.com' })
    await invitations.nth(1).waitFor()
    const [other] = await Promise.all([
      console.context.waitForEvent('page'),
      invitations.first().click(),
    ])
    expect(new URL(other.url()).hostname).not.toBe(new URL(console.page.url()).hostname)
    for (const field of await other.locator('input[type=password]').all()) {
      await field.fill('a long enough password')
    }
    await other.locator('button').click()
    await other.getByText(/active/i).waitFor()
    await console.page.getByRole('link', { name: 'People' }).click()
    await row.getByText('active', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('changes the roles of a user, undoes that, and loses neither of two edits', async () => {
    await open(`/people?project=${projectKey}`)
    const row = console.page.getByRole('row', { name: 'tom@storefront.example' })
    await row.getByRole('link').click()
    const dialog = console.page.getByRole('dialog', { name: 'User' })
    await dialog.getByText('The user is not signed in.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Administrator' }).first().check()
    expect(await violations()).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await console.page.getByText('The user is saved.').waitFor()
    await row.getByText('admin', { exact: true }).waitFor()
    await console.page.getByRole('button', { name: 'Undo' }).click()
    await row.getByText('admin', { exact: true }).waitFor({ state: 'detached' })

    await row.getByRole('link').click()
    await dialog.getByLabel('First name').fill('Thomas')
    const other = await console.openWindow()
    await other.goto(console.page.url())
    await other.getByRole('dialog').getByLabel('First name').fill('Tommy')
    await other.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await other.getByText('The user is saved.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Someone else changed this user').waitFor()
    expect(await dialog.getByLabel('First name').inputValue()).toBe('Thomas')
    await dialog.getByRole('button', { name: 'Show their values' }).click()
    await expect
      .poll(() => dialog.getByLabel('First name').inputValue(), { timeout: 20_000 })
      .toBe('Tommy')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await other.getByRole('button', { name: 'Undo' }).click()
    await other.getByText('The change is not undone').waitFor()
    await row.getByRole('link').click()

    await dialog.getByRole('button', { name: 'Reset password …' }).click()
    await dialog.getByRole('button', { name: 'Send mail' }).click()
    await console.page.getByText('an email has been sent').waitFor()
    const inbox = `/_platform/projects/${projectKey}/inbox?recipient=tom@storefront.example`
    const mails = await (await fetch(`${console.platform.baseUrl}${inbox}`)).json()
    expect(mails).toMatchObject([{ purpose: 'PasswordReset' }])
    await dialog.getByRole('button', { name: 'Deactivate …' }).click()
    await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await row.getByText('deactivated').waitFor()
    await console.page.getByRole('button', { name: 'Undo' }).last().click()
    await console.page.getByText('The user is active again.').waitFor()
    await row.getByText('active', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('shows organizations, roles and permissions in Arabic', async () => {
    await open(`/people?project=${projectKey}`)
    await console.page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
    for (const [name, text] of [
      ['المؤسسات', 'Wholesale'],
      ['الأدوار', 'Administrator'],
      ['الصلاحيات', 'orders.read'],
    ] as const) {
      await console.page.getByRole('link', { name, exact: true }).click()
      await console.page.getByText(text, { exact: true }).first().waitFor()
      expect(await violations()).toEqual([])
    }
    expect(problems).toEqual([])
  })

  it('uploads, previews, downloads and deletes a file, also after a lost connection', async () => {
    await open(`/files?project=${projectKey}`)
    const input = console.page.locator('input[type=file]')
    const file = (name: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(`I am ${name}`),
    })
    await input.setInputFiles([file('first.txt'), file('second.txt')])
    const uploads = console.page.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('Uploaded.').nth(1).waitFor()
    const table = console.page.getByRole('region', { name: 'Files' })
    await table.getByRole('link', { name: 'second.txt' }).waitFor()
    expect(await violations()).toEqual([])

    await console.context.setOffline(true)
    await input.setInputFiles([file('third.txt')])
    await uploads.getByText(/^Not uploaded: /).waitFor()
    await console.context.setOffline(false)
    await uploads.getByRole('button', { name: 'Continue' }).click()
    await uploads.getByText('Uploaded.').nth(2).waitFor()

    await table.getByRole('link', { name: 'third.txt' }).click()
    const dialog = console.page.getByRole('dialog', { name: 'third.txt' })
    await dialog.getByText('I am third.txt').waitFor()
    expect(await violations()).toEqual([])
    const [download] = await Promise.all([
      console.page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('third.txt')
    await dialog.getByRole('button', { name: 'Delete …' }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await console.page.getByText('The file is deleted.').waitFor()
    await table.getByRole('link', { name: 'third.txt' }).waitFor({ state: 'detached' })
    // The browser reports the lost connection as well.
    expect(problems.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })

  it('shows why the platform rejects a changed signed URL', async () => {
    await open(`/files?project=${projectKey}`)
    const buffer = Buffer.from('{}')
    const input = console.page.locator('input[type=file]')
    await input.setInputFiles([{ name: 'signed.json', mimeType: 'application/json', buffer }])
    await console.page.getByRole('link', { name: 'signed.json' }).click()
    const dialog = console.page.getByRole('dialog', { name: 'signed.json' })
    for (const [button, result] of [
      ['Unchanged', 'The platform accepts it.'],
      ['A day longer', 'it was not signed by this platform.'],
      ['Another file', 'it was not signed by this platform.'],
      ['Another signature', 'it was not signed by this platform.'],
      ['Another method', 'it is for another method.'],
    ] as const) {
      await dialog.getByRole('button', { name: button }).click()
      await dialog.getByRole('status').getByText(result).waitFor()
    }
    expect(await violations()).toEqual([])
  })

  it('shows all plural forms of a message, and focuses the language in the address', async () => {
    await open(`/translations/cart/CART_ITEMS?project=${projectKey}&language=ar-EG`)
    const panels = console.page.getByRole('complementary')
    await panels.nth(5).waitFor()
    const forms = ['zero', 'one', 'two', 'few', 'many', 'other']
    expect(await panels.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
      forms.map((form) => `CART_ITEMS_${form}`),
    )
    const focused = panels.first().locator('textarea:focus')
    expect(await focused.getAttribute('lang')).toBe('ar-EG')
    expect(await violations()).toEqual([])
    await open('/translations/cart/NO_SUCH_KEY')
    await console.page.getByText('There is no such key.').waitFor()
    expect(problems).toEqual([])
  })

  it('reads from right to left, on a narrow screen and in the dark', async () => {
    await console.page.setViewportSize({ width: 360, height: 720 })
    await open('/')
    await console.page.getByRole('heading', { name: 'Missing translations' }).waitFor()
    await console.page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
    await console.page.getByRole('heading', { name: 'الترجمات الناقصة' }).waitFor()
    expect(await console.page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    await console.page.getByRole('combobox', { name: 'المظهر' }).selectOption('dark')
    expect(await violations()).toEqual([])
    const width = await console.page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
    expect(problems).toEqual([])
  })
})
