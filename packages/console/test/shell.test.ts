import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('the shell of the console', { timeout: 120_000 }, () => {
  const console = useConsole()
  const { open, problems } = console
  const button = (name: string) => console.page.getByRole('button', { name, exact: true })
  const dialog = () => console.page.getByRole('dialog')
  const control = async (method: string, path: string, body?: object) => {
    const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
    const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
    return (await response.json().catch(() => undefined)) as readonly Record<string, unknown>[]
  }
  const focused = () => console.page.evaluate(() => document.activeElement?.textContent?.trim())

  it('names the page in the title, moves the focus to it and announces it', async () => {
    await open(`/?project=${projectKey}`)
    await expect.poll(() => console.page.title()).toMatch(/^Overview – .+ – Servicekit console$/)
    await console.page.getByRole('link', { name: 'Files', exact: true }).click()
    await console.page.getByRole('heading', { name: 'Files', level: 1 }).waitFor()
    expect(await console.page.title()).toMatch(/^Files – /)
    expect(await console.page.evaluate(() => document.activeElement?.id)).toBe('content')
    await console.page.locator('[aria-live=polite]', { hasText: 'Files – ' }).waitFor()
    await button('Inspect a signed URL').click()
    await console.page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Inspect a signed URL')
    expect(problems).toEqual([])
  })

  it('shows two missing and two unknown placeholders of one translation', async () => {
    const texts = { 'en-US': '{{first}} {{second}}', 'de-DE': '{{third}} {{fourth}}' }
    const values = Object.entries(texts).map(([language, value]) => ({
      module: 'common',
      key: 'FOUR_PLACEHOLDERS',
      language,
      value,
    }))
    await control('PUT', '/texts', values)
    await open(`/translations/common/FOUR_PLACEHOLDERS?project=${projectKey}`)
    const panel = console.page.getByRole('complementary')
    for (const name of ['first', 'second', 'third', 'fourth']) {
      await panel.getByRole('listitem').filter({ hasText: name }).first().waitFor()
    }
    expect(problems).toEqual([])
  })

  it('tells who signs in without a role for the console that it is missing', async () => {
    await console.page.route('**/_platform/session', (route) =>
      route.fulfill({ json: { isOperator: false, projects: [], denied: [projectKey] } }),
    )
    await open(`/?project=${projectKey}`)
    await console.page.getByText('you have no role for the console').waitFor()
    await button('Sign out').waitFor()
    expect(await console.violations()).toEqual([])
  })

  it('marks the tab of a page below it', async () => {
    const { data } = (await (
      await fetch(
        `${console.platform.baseUrl}/_platform/projects/${projectKey}/interface/idp/v1/Iam/GetUsers`,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
      )
    ).json()) as { data: readonly { itemId: string }[] }
    for (const [path, tab] of [
      [`/people/users/${data[0]!.itemId}`, 'Users'],
      ['/people/organizations', 'Organizations'],
      ['/tools/tools/a', 'Tools'],
      ['/data/records/Product', 'Schemas'],
    ] as const) {
      await open(`${path}?project=${projectKey}`)
      const current = console.page.locator('main nav [aria-current]')
      await current.waitFor({ state: 'attached' })
      expect(await current.allInnerTexts()).toEqual([tab])
    }
  })

  it('shows on a narrow screen that the sign-in was automatic', async () => {
    await console.page.setViewportSize({ width: 360, height: 800 })
    await open(`/?project=${projectKey}`)
    const notice = console.page.getByText('You are signed in automatically')
    await notice.waitFor()
    expect(await notice.isVisible()).toBe(true)
  })

  it('closes a menu on Escape, and on a click or focus outside', async () => {
    await open(`/translations?project=${projectKey}`)
    const summary = console.page.locator('summary', { hasText: 'Actions' })
    const entry = button('Find and replace')
    const isShown = () => entry.isVisible()
    await summary.click()
    await entry.waitFor()
    await expect.poll(() => entry.isEnabled()).toBe(true)
    await entry.focus()
    await console.page.keyboard.press('Escape')
    expect(await isShown()).toBe(false)
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true)
    await summary.click()
    await console.page.getByRole('heading', { level: 1 }).click()
    expect(await isShown()).toBe(false)
    await summary.click()
    await console.page.getByRole('searchbox').focus()
    expect(await isShown()).toBe(false)
  })

  it('returns the focus to what opened a dialog, also after it was saved', async () => {
    await open(`/data/records/Category?project=${projectKey}`)
    await button('New record').click()
    await dialog().getByRole('textbox', { name: 'Name', exact: true }).fill('Focus')
    await dialog().getByRole('textbox', { name: 'Slug', exact: true }).fill('focus')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await console.page.getByText('The record is saved.').waitFor()
    await expect.poll(focused).toBe('New record')
    await button('New record').click()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(focused).toBe('New record')
    // Opened by its address, there is nothing to return to but the page.
    await control('PUT', '/tools/focus', { name: 'Focus' })
    await open(`/tools/tools/focus?project=${projectKey}`)
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => console.page.evaluate(() => document.activeElement?.id)).toBe('content')
    await control('DELETE', '/tools/focus')
    expect(problems).toEqual([])
  })

  it('keeps what is typed in a dialog when its page cannot be loaded again', async () => {
    await control('PUT', '/tools/kept', { name: 'Kept' })
    await open(`/tools/tools/kept?project=${projectKey}`)
    const name = dialog().getByLabel('Name', { exact: true })
    await name.fill('Typed')
    await console.page.route('**/_platform/projects/*/tools', (route) => route.abort())
    await console.page.evaluate(() => dispatchEvent(new Event('focus')))
    await console.page.getByText('This could not be loaded again: The platform').waitFor()
    expect(await name.inputValue()).toBe('Typed')
    await console.page.unroute('**/_platform/projects/*/tools')
    await console.page.evaluate(() => dispatchEvent(new Event('focus')))
    await console.page.getByText('This could not be loaded again').waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Typed')
    await control('DELETE', '/tools/kept')
  })

  it('loses neither of two changes of a tool, a tutorial or an agent', async () => {
    const find = async (path: string) =>
      (await control('GET', path)).find((one) => one['itemId'] === 'x')
    await control('PUT', '/tools/x', { name: 'Before' })
    await open(`/tools/tools/x?project=${projectKey}`)
    await dialog().getByLabel('Name', { exact: true }).fill('Mine')
    await control('PUT', '/tools/x', { name: 'Theirs' })
    // The list is read again during the edit, which must not hide their change.
    await console.page.evaluate(() => dispatchEvent(new Event('focus')))
    await dialog().getByRole('heading', { name: 'Theirs' }).waitFor()
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    const conflict = console.page.getByRole('dialog', { name: 'Two people made changes' })
    await conflict.getByText('Theirs', { exact: true }).waitFor()
    expect(await find('/tools')).toMatchObject({ name: 'Theirs' })
    expect(await console.violations()).toEqual([])
    await conflict.getByRole('button', { name: 'Use mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    expect(await find('/tools')).toMatchObject({ name: 'Mine' })
    await dialog().getByLabel('Description').fill('Saved again')
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => find('/tools')).toMatchObject({ description: 'Saved again' })

    await button('Edit tutorial').click()
    await dialog().getByLabel('Tutorial in Markdown').fill('# My steps')
    await control('PUT', '/tools/x/tutorial', { tutorial: { tutorial: '# Their steps', extra: 1 } })
    await button('Save tutorial').click()
    await conflict.getByText('# Their steps').waitFor()
    await conflict.getByRole('button', { name: 'Keep theirs' }).click()
    await dialog().getByRole('heading', { name: 'Their steps' }).waitFor()
    expect(await find('/tools')).toMatchObject({
      tutorial: { tutorial: '# Their steps', extra: 1 },
    })

    await control('PUT', '/agents/x', { name: 'Helper' })
    await open(`/tools/agents?project=${projectKey}`)
    await console.page
      .getByRole('row', { name: 'Helper' })
      .getByRole('button', { name: 'Edit' })
      .click()
    await console.page.getByLabel('Name').fill('My helper')
    await control('PUT', '/agents/x', { name: 'Their helper' })
    await button('Save').click()
    await conflict.getByText('Their helper').waitFor()
    expect(await find('/agents')).toMatchObject({ name: 'Their helper' })
    await conflict.getByRole('button', { name: 'Use mine' }).click()
    await console.page.getByRole('row', { name: 'My helper' }).waitFor()
    expect(await find('/agents')).toMatchObject({ name: 'My helper' })
  })
  it('shows that a signed URL has expired', async () => {
    const call = async (method: string, path: string, body?: object) => {
      const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}/interface/data/v4/Files/${path}`
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await response.json()) as Record<string, string>
    }
    const file = { name: 'late.txt', accessModifier: 'Private', projectKey }
    const { uploadUrl, fileId } = await call('POST', 'GetPreSignedUrlForUpload', file)
    await fetch(uploadUrl!, { method: 'PUT', body: 'late' })
    const query = new URLSearchParams({ FileId: fileId!, ProjectKey: projectKey })
    const { url } = await call('GET', `GetFile?${query}`)
    await open(`/files?inspect=&project=${projectKey}`)
    await dialog().getByLabel('Signed URL').fill(url!)
    const chip = dialog().getByText('expired', { exact: true })
    await dialog().getByText('late.txt').waitFor()
    expect(await chip.count()).toBe(0)
    const advance = { method: 'POST', body: JSON.stringify({ advanceMs: 2 * 86_400_000 }) }
    await fetch(`${console.platform.baseUrl}/_platform/clock`, advance)
    await console.page.clock.setFixedTime(Date.now() + 2 * 86_400_000)
    await console.page.reload()
    await dialog().getByLabel('Signed URL').fill(url!)
    await chip.waitFor()
    await dialog().getByRole('button', { name: 'Unchanged' }).click()
    await dialog().getByText('it has expired').waitFor()
  })
})
