import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

describe.skipIf(isBrowserMissing())('states of translations', { timeout: 180_000 }, () => {
  const console = useConsole()
  const { open, violations } = console
  const said = (text: string) => console.page.getByText(text).last().waitFor()
  const dialog = () => console.page.getByRole('dialog')
  const grid = () => console.page.getByRole('grid')
  const cell = (text: string) => grid().getByRole('gridcell', { name: text })
  const served = async (language: string): Promise<string | undefined> => {
    const query = new URLSearchParams({
      Language: language,
      ModuleName: 'common',
      ProjectKey: projectKey,
    })
    const url = `${console.platform.baseUrl}/uilm/v1/Key/GetUilmFile?${query}`
    const response = await fetch(url, { headers: { 'x-service-key': projectKey } })
    return ((await response.json()) as Record<string, string>)['NAV_ABOUT']
  }

  it('edit, review, change the source text, filter, and publish only reviewed ones', async () => {
    const { page } = console
    await open(`/translations/common/NAV_ABOUT?project=${projectKey}&search=NAV_ABOUT`)
    const editor = (language: string) => page.getByLabel(`NAV_ABOUT, ${language}`, { exact: true })
    const state = (language: string) => page.getByLabel(`State, ${language}`, { exact: true })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await editor('German (Germany)').fill('Wer wir sind')
    await button('Save as draft').click()
    await said('NAV_ABOUT (de-DE) is saved as a draft.')
    expect(await state('German (Germany)').inputValue()).toBe('translated')
    await state('German (Germany)').selectOption('Reviewed')
    await said('1 translation: Reviewed')
    await state('French (France)').selectOption('Reviewed')
    await cell('Wer wir sind').getByText('Reviewed').waitFor()

    await editor('English (United States)').fill('About our shop')
    await button('Save as draft').click()
    await cell('Wer wir sind').getByText('Needs review').waitFor()
    expect(await state('German (Germany)').inputValue()).toBe('needsReview')
    expect(await state('English (United States)').inputValue()).toBe('translated')
    expect(await violations()).toEqual([])

    await page.getByLabel('Close', { exact: true }).click()
    await page.getByRole('searchbox').fill('')
    await page.getByLabel('Filter', { exact: true }).selectOption('Needs review')
    await page.getByText('1 key', { exact: true }).waitFor()

    const german = await served('de-DE')
    await page.keyboard.press('Alt+p')
    await dialog().getByLabel('Publish only reviewed translations').check()
    await dialog().getByText('1 draft is left out.').waitFor()
    await dialog().getByText('de-DE needs a review, because its source text has changed').waitFor()
    expect(await dialog().locator('ins').allInnerTexts()).toEqual(['About our shop'])
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click()
    await said('Published.')
    expect(await served('en-US')).toBe('About our shop')
    expect(await served('de-DE')).toBe(german)

    // The keyboard reviews the focused translation; the menu those that the filter shows.
    await cell('Wer wir sind').focus()
    await page.keyboard.press('Alt+r')
    await cell('Wer wir sind').getByText('Reviewed').waitFor()
    await button('Undo').last().click()
    await cell('Wer wir sind').getByText('Needs review').waitFor()
    await page.getByText('Actions ▾').click()
    await button('Change states').click()
    const languages = await page.getByLabel('Language of the filter').locator('option').count()
    await dialog()
      .getByRole('button', { name: `Change ${languages - 2} translations` })
      .click()
    await said(`${languages - 2} translations: Reviewed`)
    await page.keyboard.press('Alt+p')
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click()
    await said('Published.')
    expect(await served('de-DE')).toBe('Wer wir sind')

    await open(`/?project=${projectKey}`)
    await page.getByLabel('German (Germany): 1 translation, Reviewed').click()
    await cell('Wer wir sind').waitFor()
    expect(console.problems).toEqual([])
  })
})
