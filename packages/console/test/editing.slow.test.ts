import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('editing translations', { timeout: 180_000 }, () => {
  const console = useConsole({ usesClipboard: true })
  const { open, violations } = console
  const url = (path: string) =>
    `${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`
  const put = (drafts: readonly object[]) =>
    fetch(url('/drafts'), { method: 'PUT', body: JSON.stringify(drafts) })
  const drafts = async () => {
    type Listed = { key: string; language?: string; value?: string; isRemoved?: boolean }
    const list = (await (await fetch(url('/drafts'))).json()) as Listed[]
    return list.map(({ key, language, value, isRemoved }) =>
      isRemoved ? `${key} removed` : `${key} ${language} ${value}`,
    )
  }
  const discardAll = () => fetch(url('/drafts'), { method: 'DELETE' })
  const button = (name: string | RegExp) => console.page.getByRole('button', { name })
  const said = (text: string) => console.page.getByText(text).last().waitFor()
  const dialog = () => console.page.getByRole('dialog')
  const about = { module: 'common', key: 'NAV_ABOUT' }
  const draft = (language: string, value: string, key = 'NAV_ABOUT') => ({
    module: 'common',
    key,
    language,
    value,
  })
  // The browser reports refused and interrupted requests.
  const problems = () => console.problems.filter((one) => !/409|INTERNET_DISCONNECTED/.test(one))

  it('restores the drafts of a removed key, also once the platform responds again', async () => {
    await discardAll()
    await put([draft('de-DE', 'Wir'), draft('fr-FR', 'Nous')])
    await open(`/translations/common/NAV_ABOUT?project=${projectKey}`)
    await button('Remove key').click()
    await said('NAV_ABOUT is removed once you publish.')
    expect(await drafts()).toEqual(['NAV_ABOUT removed'])
    await console.context.setOffline(true)
    await button('Undo').click()
    await said('The change is not undone: The platform does not respond.')
    await console.context.setOffline(false)
    await button('Try again').click()
    await said('The change is undone.')
    expect(await drafts()).toEqual(['NAV_ABOUT de-DE Wir', 'NAV_ABOUT fr-FR Nous'])
    expect(problems()).toEqual([])
  })

  it('neither removes a key nor discards drafts that someone else has changed', async () => {
    await discardAll()
    await put([draft('de-DE', 'Wir')])
    await open(`/translations/common/NAV_ABOUT?project=${projectKey}`)
    await button('Remove key').waitFor()
    await put([draft('fr-FR', 'Nous')])
    await button('Remove key').click()
    await dialog().getByText('Someone else changed the drafts of NAV_ABOUT.').waitFor()
    expect(await dialog().locator('dd').allInnerTexts()).toEqual([
      'Wir de-DE',
      'Nous fr-FR',
      'Remove key',
    ])
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: 'Keep theirs' }).click()
    expect(await drafts()).toHaveLength(2)

    await put([draft('fr-FR', 'Notre histoire')])
    await button('Discard drafts').click()
    await dialog().getByText('Notre histoire').waitFor()
    await dialog().getByRole('button', { name: 'Use mine' }).click()
    await said('The drafts of NAV_ABOUT are discarded.')
    expect(await drafts()).toEqual([])
    await button('Undo').click()
    await said('The change is undone.')
    expect(await drafts()).toEqual(['NAV_ABOUT de-DE Wir', 'NAV_ABOUT fr-FR Notre histoire'])
    // An undo overwrites nothing of others either.
    await button('Remove key').click()
    await said('NAV_ABOUT is removed once you publish.')
    await put([{ ...about, isDiscarded: true }])
    await button('Undo').click()
    await said('The change is not undone, because someone else changed the drafts.')
    expect(await drafts()).toEqual([])
    expect(problems()).toEqual([])
  })

  it('shows all of many changes page by page, and undoes a part that was saved', async () => {
    await discardAll()
    const { page } = console
    await open('/translations?project=large')
    await page.getByText('Actions').click()
    await button('Find and replace').click()
    await dialog().getByLabel('Find').fill('message')
    await dialog().getByLabel('Replace with').fill('notice')
    await dialog().getByText('6,000 changes.').waitFor()
    await dialog().getByText('Page 1 of 30').waitFor()
    expect(await dialog().getByRole('listitem').count()).toBe(200)
    await dialog().getByRole('button', { name: 'Next' }).click()
    await dialog().getByText('Page 2 of 30').waitFor()
    let count = 0
    await page.route('**/drafts', (route) => (++count > 2 ? route.abort() : route.continue()))
    await button('Save as drafts (6,000)').click()
    await page.getByText(/translations are saved as drafts\./).waitFor()
    await page.getByText('The platform does not respond.').first().waitFor()
    await page.unroute('**/drafts')
    const large = `${console.platform.baseUrl}/_platform/projects/large/drafts`
    const values = async () =>
      ((await (await fetch(large)).json()) as { value: string }[]).map(({ value }) => value)
    expect((await values()).filter((value) => value.includes('notice')).length).toBeGreaterThan(999)
    await button('Undo').click()
    await said('The change is undone.')
    expect((await values()).filter((value) => value.includes('notice'))).toEqual([])
  })

  it('follows an automatic translation while the platform is away', async () => {
    const { page } = console
    await open(`/translations?project=${projectKey}`)
    await page.getByText('Actions').click()
    let isAway = true
    let polls = 0
    await page.route('**/translation-jobs/job-1', (route) =>
      isAway ? route.abort() : route.fulfill({ json: job(++polls < 3 ? 'running' : 'done') }),
    )
    const job = (state: string) => ({
      itemId: 'job-1',
      state,
      total: 4,
      filled: 2,
      withoutSuggestion: 2,
      belowConfidence: 1,
      error: null,
      request: { minConfidence: 0.9, suggestions: 'memory' },
    })
    await page.route('**/translation-jobs', (route) => route.fulfill({ json: [job('running')] }))
    await button('Translate what is missing').click()
    await dialog().getByText('The platform does not respond.').waitFor()
    isAway = false
    await dialog().getByText('Done: 2 translations are drafts.').waitFor()
    await dialog().getByText('1: its best suggestion has a confidence below 90 %.').waitFor()
    await dialog().getByText('1: the project has no similar text').waitFor()
    expect(await dialog().getByText('The platform does not respond.').count()).toBe(0)
    expect(polls).toBe(3)
  })

  it('previews a message with its parameters in every language while one types', async () => {
    await discardAll()
    const { page } = console
    await open(`/translations/cart/CART_ITEMS_other?project=${projectKey}`)
    const preview = (name: string) => page.getByRole('group', { name: `Preview, ${name}` })
    const count = page.getByRole('spinbutton', { name: 'Preview with count' })
    await count.fill('1')
    const one = await preview('English').innerText()
    await page.getByRole('button', { name: 'count = 2', exact: true }).click()
    expect(await count.inputValue()).toBe('2')
    const two = await preview('English').innerText()
    expect([one, two].map((text) => text.includes('{{'))).toEqual([false, false])
    expect(one).not.toBe(two)
    expect(await preview('Arabic').getAttribute('dir')).toBe('rtl')

    const english = page.getByRole('complementary').getByRole('textbox', { name: /English/ })
    await english.fill(
      '<b>{{count}}</b> of {{total, number}} on {{day, datetime(dateStyle: long)}}',
    )
    await page.getByRole('spinbutton', { name: 'Preview with total' }).fill('12345')
    await page.getByLabel('Preview with day').fill('2026-03-01')
    await expect.poll(() => preview('English').innerText()).toBe('2 of 12,345 on March 1, 2026')
    expect(await preview('English').locator('[data-tag=b]').innerText()).toBe('2')
    expect(await violations()).toEqual([])
    await english.fill('Total: {{count, currency(EURO)}}')
    await page.getByText('Syntax error at character 8:').waitFor()
    await english.fill('{{count} items')
    await page.getByText('The braces at character 1 are not closed').waitFor()
    expect(problems()).toEqual([])
  })

  it('keeps search and filters in the address, also beside a key', async () => {
    const { page } = console
    await open(`/translations?project=${projectKey}`)
    const search = page.getByRole('searchbox')
    const filter = page.getByRole('combobox', { name: 'Filter', exact: true })
    await search.fill('NAV_')
    await page.waitForURL(/search=NAV_/)
    await page.getByRole('combobox', { name: 'Module', exact: true }).selectOption('common')
    await filter.selectOption('Missing')
    await page.getByRole('combobox', { name: 'Language of the filter' }).selectOption('ja-JP')
    await page.waitForURL(/search=NAV_&module=common&filter=missing&in=ja-JP$/)
    await page.goBack()
    await page.goBack()
    expect(await filter.inputValue()).toBe('all')
    await page.getByRole('row', { name: 'NAV_ABOUT' }).getByRole('link').click()
    await page.waitForURL(/NAV_ABOUT\?.*search=NAV_&module=common/)
    await page.reload()
    await page.getByRole('complementary').waitFor()
    expect(await search.inputValue()).toBe('NAV_')
    await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click()
    await page.waitForURL(/translations\?.*search=NAV_/)
    await page.goBack()
    await page.getByRole('complementary').waitFor()
    // Links of the overview name only the language.
    await open(`/translations?project=${projectKey}&missing=ja-JP`)
    expect(await filter.inputValue()).toBe('missing')
    expect(problems()).toEqual([])
  })

  it('works by keyboard: search, next missing, placeholders, save, publish and help', async () => {
    await discardAll()
    const { page } = console
    const { keyboard } = page
    await put([
      { module: 'cart', key: 'CART_TOTAL_TEST', language: 'en-US', value: '{{sum}} for {{name}}' },
    ])
    await open(`/translations?project=${projectKey}`)
    await page.getByText(/^[\d,]+ keys/).waitFor()
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Next missing translation').waitFor()
    expect(await violations()).toEqual([])
    await keyboard.press('Escape')
    // Shortcuts work once it is removed, which is a moment after it is hidden.
    await page.locator('dialog').waitFor({ state: 'detached' })
    await keyboard.press('/')
    await keyboard.type('CART_TOTAL_TEST')
    await page.getByText('1 key', { exact: true }).waitFor()
    await keyboard.press('Alt+N')
    await page.locator('[role=gridcell]:focus').waitFor()
    await keyboard.press('Enter')
    await keyboard.type('Für ')
    await keyboard.press('Alt+2')
    await keyboard.press('Control+S')
    await said('CART_TOTAL_TEST (de-DE) is saved as a draft.')
    expect(await drafts()).toContain('CART_TOTAL_TEST de-DE Für {{name}}')
    await keyboard.press('Alt+P')
    await dialog().getByText('Für {{name}}', { exact: true }).waitFor()
    await keyboard.press('Escape')

    await open(`/translations/cart/CART_TOTAL_TEST?project=${projectKey}`)
    const field = page.getByRole('complementary').getByRole('textbox', { name: /French/ })
    await field.focus()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    expect(await field.inputValue()).toBe('{{sum}}')
    await keyboard.press('Control+S')
    await said('CART_TOTAL_TEST (fr-FR) is saved as a draft.')
    await keyboard.press('Alt+N')
    await page.waitForURL(/language=ar-EG/)
    await page.locator('textarea[lang=ar-EG]:focus').waitFor()
    expect(problems()).toEqual([])
  })

  it('selects keys, and removes, discards and copies them, shown first and undone', async () => {
    await discardAll()
    const { page } = console
    const { keyboard } = page
    await put([draft('de-DE', 'Wir'), draft('de-DE', 'Korb', 'NAV_CART')])
    await open(`/translations?project=${projectKey}&search=NAV_`)
    const rows = page.locator('[role=row][aria-selected]')
    await page.locator('[aria-rowindex="2"] [role=rowheader]').focus()
    await keyboard.press('Space')
    await keyboard.press('Shift+ArrowDown')
    await keyboard.press('Shift+ArrowDown')
    await page.getByText('3 keys selected').first().waitFor()
    await keyboard.press('Control+A')
    const all = await rows.count()
    await page.getByText(`${all} keys selected`).first().waitFor()
    await keyboard.press('Escape')
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select NAV_ABOUT' }).click()
    await page.getByRole('checkbox', { name: 'Select NAV_CART' }).click({ modifiers: ['Shift'] })
    const selected = await page.locator('[role=row][aria-selected=true]').count()
    expect(selected).toBeGreaterThan(1)
    expect(await violations()).toEqual([])

    await console.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await button('Copy cells').click()
    await said('copied as cells of a spreadsheet.')
    const cells = await page.evaluate(() => navigator.clipboard.readText())
    expect(cells.split('\r\n')).toHaveLength(selected)
    expect(cells.split('\r\n')[0]!.split('\t')[1]).toBe('Wir')

    await button('Remove keys …').click()
    await dialog().getByText(`${selected} changes.`).waitFor()
    expect(await dialog().getByText('Removed', { exact: true }).count()).toBe(selected)
    await button(`Remove keys (${selected})`).click()
    await said(`${selected} keys are changed.`)
    expect((await drafts()).every((one) => one.endsWith('removed'))).toBe(true)
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    await button('Undo').click()
    await said('The change is undone.')
    const before = ['NAV_ABOUT de-DE Wir', 'NAV_CART de-DE Korb']
    await expect.poll(drafts).toEqual(before)

    await page.getByRole('checkbox', { name: 'Select NAV_ABOUT' }).click()
    await button('Discard drafts …').click()
    await expect.poll(() => dialog().locator('del').allInnerTexts()).toEqual(['Wir'])
    await button('Discard drafts of keys (1)').click()
    await said('1 key is changed.')
    expect(await drafts()).toEqual(['NAV_CART de-DE Korb'])
    await button('Undo').last().click()
    await said('The change is undone.')
    await expect.poll(drafts).toEqual(before)

    await page.getByRole('checkbox', { name: 'Select NAV_ABOUT' }).click()
    await button('Copy to languages …').click()
    await dialog().getByRole('checkbox', { name: 'German' }).check()
    await dialog().getByText('There is nothing to copy.').waitFor()
    await dialog().getByRole('checkbox', { name: 'Only where a translation is missing' }).uncheck()
    await expect.poll(() => dialog().locator('del').allInnerTexts()).toEqual(['Wir'])
    await button('Save as drafts (1)').click()
    await said('1 translation is saved as a draft.')
    expect(await drafts()).not.toEqual(before)
    await button('Undo').last().click()
    await said('The change is undone.')
    await expect.poll(drafts).toEqual(before)
    expect(problems()).toEqual([])
  })
})
