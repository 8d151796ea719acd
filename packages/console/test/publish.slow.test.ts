import { isBrowserMissing } from '@servicekit/testing/browser'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'
import { unsavedPage } from './unsaved-page.ts'

describe.skipIf(isBrowserMissing())('publishing a selection', { timeout: 120_000 }, () => {
  const console = useConsole()
  const { open, violations } = console
  const { control, page, button, dialog } = unsavedPage(console)
  const draft = (key: string, language: string, value: string) => ({
    module: 'common',
    key,
    language,
    value,
  })
  const shown = () => dialog().locator('ins').allInnerTexts()
  /** Returns what is not published. */
  const left = async () =>
    ((await control('GET', '/drafts')) as { value: string }[]).map(({ value }) => value)

  it('publishes the drafts of a language, of selected keys, and then all, with their authors', async () => {
    await control('PUT', '/drafts', [
      draft('NAV_ABOUT', 'de-DE', 'Wer wir sind'),
      draft('NAV_ABOUT', 'fr-FR', 'Qui sommes-nous'),
      draft('NAV_CART', 'fr-FR', 'Mon {{wrong}} panier'),
      draft('NAV_SHOP', 'fr-FR', 'La boutique'),
    ])
    await open(`/translations?project=${projectKey}`)
    await button('Publish (3)').click()
    await dialog().getByText('4 changes').waitFor()
    await dialog().getByText('1 error').waitFor()
    expect(await dialog().getByText('administration').count()).toBe(4)
    await dialog().getByText('Everything is selected').click()
    for (const name of ['French (France)', 'Arabic (Egypt)', 'English (United States)']) {
      await dialog().getByRole('checkbox', { name }).uncheck()
    }
    // The error concerns another part.
    await dialog().getByText('1 error').waitFor({ state: 'detached' })
    await expect.poll(shown).toEqual(['Wer wir sind'])
    expect(await violations()).toEqual([])
    await button('Publish').click()
    await page().getByText('Published.').waitFor()
    expect(await left()).toEqual(['Qui sommes-nous', 'Mon {{wrong}} panier', 'La boutique'])

    await page().getByRole('searchbox').fill('NAV_SHOP')
    await page().getByText('1 key', { exact: true }).waitFor()
    await page().getByLabel('Select NAV_SHOP', { exact: true }).click()
    await button('Publish changes').click()
    await expect.poll(shown).toEqual(['La boutique'])
    await dialog().getByText('A part is selected').click()
    expect(await dialog().getByLabel('Only the selected key').isChecked()).toBe(true)
    await button('Publish').click()
    await page().getByText('Published.').last().waitFor()
    await expect.poll(left).toEqual(['Qui sommes-nous', 'Mon {{wrong}} panier'])
    expect(console.problems).toEqual([])
  })

  it('reads the keys again only if it published what it did not show', async () => {
    await control('DELETE', '/drafts')
    await control('PUT', '/drafts', [draft('NAV_SHOP', 'fr-FR', 'Le magasin')])
    await open(`/translations?project=${projectKey}&publish=`)
    // The dialog appears once all keys are loaded.
    await expect.poll(shown).toEqual(['Le magasin'])
    const reads: string[] = []
    page().on('request', (request) => {
      if (/\/keys\?/.test(request.url())) reads.push(request.url())
    })
    const publish = async (count: number) => {
      await expect.poll(shown).toHaveLength(count)
      await button('Publish').click()
      await page().getByText('Published.').last().waitFor()
      await button('Publish (0)').waitFor()
    }
    await publish(1)
    expect(reads).toEqual([])
    await control('PUT', '/drafts', [draft('NAV_SHOP', 'fr-FR', 'La boutique')])
    await button('Publish (0)').click()
    await publish(1)
    await expect.poll(() => reads.length).toBe(1)
    expect(console.problems).toEqual([])
  })

  it('publishes nothing without a language', async () => {
    await control('PUT', '/drafts', [draft('NAV_CART', 'fr-FR', 'Mon panier')])
    await open(`/translations?project=${projectKey}&publish=`)
    await dialog().getByText('Everything is selected').click()
    const boxes = dialog().getByRole('group', { name: 'Languages' }).getByRole('checkbox')
    for (const box of await boxes.all()) await box.uncheck()
    await dialog().getByText('There are no unpublished changes.').waitFor()
    expect(await button('Publish').isDisabled()).toBe(true)
    expect(console.problems).toEqual([])
  })
})
