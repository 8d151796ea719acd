import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('translating', { timeout: 180_000 }, () => {
  const console = useConsole()
  const { open, violations } = console
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${console.platform.baseUrl}/_platform/projects/${projectKey}${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const text = (key: string, value: string, language = 'en-US') => ({
    module: 'common',
    key,
    language,
    value,
  })
  const drafts = async (): Promise<ReadonlyMap<string, string>> => {
    const list = (await (await send('GET', '/drafts')).json()) as Record<string, string>[]
    return new Map(list.map(({ key, value }) => [key!, value!]))
  }
  /** Keyboard that counts the keys. */
  const countingKeyboard = () => {
    let count = 0
    const { keyboard } = console.page
    return {
      get count() {
        return count
      },
      type: async (typed: string) => {
        count += typed.length
        await keyboard.type(typed)
      },
      press: async (key: string) => {
        count++
        await keyboard.press(key)
      },
    }
  }
  const focused = (key: string) =>
    console.page.locator(`textarea[aria-label^="${key}, "]:focus`).waitFor()

  it('takes the keys of each text and Enter, by keyboard alone, and skips no message', async () => {
    const { page } = console
    const numbers = Array.from({ length: 30 }, (_, index) => String(index).padStart(2, '0'))
    await send('DELETE', '/drafts')
    await send(
      'PUT',
      '/texts',
      numbers.map((number) => text(`WORK_${number}`, `Text ${number} of the shop`)),
    )
    await open(`/translations?project=${projectKey}&search=WORK_&filter=missing&in=de-DE`)
    await page.getByText('30 keys', { exact: true }).waitFor()
    const keyboard = countingKeyboard()
    await keyboard.press('Alt+T')
    await focused('WORK_00')
    expect(await violations()).toEqual([])
    const before = keyboard.count
    let typed = 0
    for (const number of numbers) {
      await focused(`WORK_${number}`)
      const translation = `Deutsch ${number}`
      typed += translation.length
      await keyboard.type(translation)
      await keyboard.press('Enter')
    }
    await page.getByText('No message is left').waitFor()
    expect(keyboard.count - before).toBe(typed + 30)
    await expect
      .poll(async () => [...(await drafts())].sort())
      .toEqual(numbers.map((number) => [`WORK_${number}`, `Deutsch ${number}`]))
    await page.keyboard.press('Alt+P')
    await page.getByRole('dialog').getByText('30 changes.').waitFor()
    expect(console.problems).toEqual([])
  })

  it('shows plural forms of the language as one form, and errors before it saves', async () => {
    const { page } = console
    await send('DELETE', '/drafts')
    await send('PUT', '/texts', [
      text('MANY_ITEMS_one', '{{count}} item'),
      text('MANY_ITEMS_other', '{{count}} items'),
      text('MANY_NAMES', 'Hello {{name}}'),
    ])
    await open(`/translations?project=${projectKey}&search=MANY_&translate=ar-EG`)
    await focused('MANY_ITEMS_zero')
    const forms = ['zero', 'one', 'two', 'few', 'many', 'other']
    const labels = await page
      .locator('textarea')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    expect(labels.map((label) => label!.split(',')[0])).toEqual(
      forms.map((form) => `MANY_ITEMS_${form}`),
    )
    expect(await violations()).toEqual([])
    for (const form of forms) {
      await focused(`MANY_ITEMS_${form}`)
      await page.keyboard.type(`{{count}} ${form}`)
      await page.keyboard.press('Enter')
    }
    await focused('MANY_NAMES')
    await expect.poll(async () => [...(await drafts()).keys()].length).toBe(6)
    expect((await drafts()).get('MANY_ITEMS_few')).toBe('{{count}} few')

    // An omitted placeholder is saved only if Enter is pressed again; an unknown one never.
    await page.keyboard.type('Marhaba')
    await page.getByText('omits the parameter name').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('The translation has an error.').waitFor()
    expect((await drafts()).has('MANY_NAMES')).toBe(false)
    await page.keyboard.press('Enter')
    await page.getByText('No message is left').waitFor()
    await expect.poll(async () => (await drafts()).get('MANY_NAMES')).toBe('Marhaba')
    await page.keyboard.press('Alt+P')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('omits the parameter name').waitFor()
    const publish = dialog.getByRole('button', { name: 'Publish', exact: true })
    expect(await publish.isDisabled()).toBe(true)
    await dialog.getByLabel('Reason to publish them nevertheless').fill('Checked with the shop')
    await publish.click()
    await page.getByText('Published.').waitFor()
    expect(console.problems).toEqual([])
  })

  it('shows the messages that have a problem once all are checked', async () => {
    await send('DELETE', '/drafts')
    await send('PUT', '/texts', [
      text('FAULTY_A', 'Fine'),
      text('FAULTY_A', 'Gut', 'de-DE'),
      text('FAULTY_B', 'Hello {{name}}'),
      text('FAULTY_B', 'Hallo {{name', 'de-DE'),
    ])
    await open(`/translations?project=${projectKey}&search=FAULTY_&filter=problems&translate=de-DE`)
    await focused('FAULTY_B')
    await console.page.getByText('1 of 1').waitFor()
    expect(console.problems).toEqual([])
  })

  it('brings a message back that could not be saved, with what was typed', async () => {
    const { page } = console
    await send('DELETE', '/drafts')
    await send('PUT', '/texts', [text('LOST_A', 'First'), text('LOST_B', 'Second')])
    await open(`/translations?project=${projectKey}&search=LOST_&translate=de-DE`)
    await focused('LOST_A')
    await page.route('**/drafts', (route) => route.abort())
    await page.keyboard.type('Erstens')
    await page.keyboard.press('Enter')
    await page.getByText('LOST_A is not saved').waitFor()
    await page.unroute('**/drafts')
    await focused('LOST_B')
    await page.keyboard.type('Zweitens')
    await page.keyboard.press('Enter')
    await focused('LOST_A')
    await expect.poll(() => page.locator('textarea').inputValue()).toBe('Erstens')
    await page.keyboard.press('Enter')
    await page.getByText('No message is left').waitFor()
    await expect
      .poll(async () => Object.fromEntries(await drafts()))
      .toEqual({
        LOST_A: 'Erstens',
        LOST_B: 'Zweitens',
      })
  })

  it('keeps the keys of the table in place while a filter is on', async () => {
    const { page } = console
    await send('DELETE', '/drafts')
    const keys = ['GRID_A', 'GRID_B', 'GRID_C']
    await send(
      'PUT',
      '/texts',
      keys.map((key) => text(key, `Source of ${key}`)),
    )
    await open(`/translations?project=${projectKey}&search=GRID_&filter=missing&in=de-DE`)
    await page.getByText('3 keys', { exact: true }).waitFor()
    const column = await page
      .getByRole('columnheader', { name: 'German' })
      .getAttribute('aria-colindex')
    await page.locator(`[aria-rowindex="2"] [aria-colindex="${column}"]`).focus()
    for (const key of keys) {
      await page.locator(`[role=row]:has(:focus)`, { hasText: key }).waitFor()
      await page.keyboard.type('x')
      await page.locator('.source', { hasText: `Source of ${key}` }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText(`${key} (de-DE) is saved as a draft.`).waitFor()
      expect(await page.getByRole('rowheader').count()).toBe(3)
    }
    expect([...(await drafts()).keys()].sort()).toEqual(keys)
    await page.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('all')
    await page.getByRole('combobox', { name: 'Filter', exact: true }).selectOption('missing')
    await page.getByText('No key matches').waitFor()
    expect(console.problems).toEqual([])
  })
})
