import { isBrowserMissing } from '@servicekit/testing/browser'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useConsole } from './open-console.ts'

const fixtures = join(import.meta.dirname, '../../formats/test/fixtures')

describe.skipIf(isBrowserMissing())('the first ten minutes', { timeout: 120_000 }, () => {
  const console = useConsole()
  const page = () => console.page
  const dialog = () => page().getByRole('dialog')
  const button = (name: string | RegExp) => page().getByRole('button', { name })
  const choose = (...paths: readonly string[]) =>
    dialog()
      .getByLabel('Files')
      .setInputFiles(paths.map((path) => join(fixtures, path)))
  /** Takes a picture for people, if a folder is given. */
  const show = async (name: string) => {
    const folder = process.env['SCREENSHOTS']
    if (folder) await page().screenshot({ path: join(folder, `${name}.png`) })
  }

  it('create a project, import what four tools exported, publish, and show what is missing', async () => {
    await console.open('/?project=missing')
    await page().getByLabel('Name of the project').fill('Kiosk')
    await show('1-new-project')
    await button('Create the project').click()
    await page().getByText('This project is empty.').waitFor()
    await show('2-first-steps')
    expect(await console.violations()).toEqual([])

    // JSON of Tolgee: languages, a module and keys that do not exist yet.
    await page().getByRole('link', { name: 'Import files' }).click()
    await choose('tolgee/en.json', 'tolgee/de.json')
    await dialog().getByText('Placeholders or tags differ (1)').waitFor()
    await dialog().getByText('uses the unknown parameter nmae').waitFor()
    expect(await dialog().getByLabel('Default language of the project').inputValue()).toBe('en')
    await dialog().getByLabel('(not named)').fill('shop')
    await dialog().getByLabel('en', { exact: true }).fill('en-US')
    await dialog().getByLabel('Default language of the project').fill('en-US')
    await dialog().getByText('Translations: 9 · new keys: 5').waitFor()
    await show('3-import')
    expect(await console.violations()).toEqual([])
    await button('Save as drafts (9)').click()
    await page().getByText('9 translations are saved as drafts.').waitFor()
    await show('4-imported')

    // XLIFF of Crowdin: its names are mapped to those of the project.
    const importMore = async (...paths: readonly string[]) => {
      await page().getByText('Actions').click()
      await button('Import files').click()
      await choose(...paths)
    }
    await importMore('crowdin/shop-de.xliff')
    expect(await dialog().getByLabel('/main/shop.json').inputValue()).toBe('shop')
    expect(await dialog().getByLabel('en', { exact: true }).inputValue()).toBe('en-US')
    await dialog()
      .getByLabel(/not reviewed \(2\)/)
      .check()
    await button(/^Save as drafts/).click()
    await dialog().waitFor({ state: 'detached' })

    await importMore('gettext/locale/de/LC_MESSAGES/shop.po')
    await dialog().getByLabel('shop', { exact: true }).fill('desktop')
    await button(/^Save as drafts/).click()
    await dialog().waitFor({ state: 'detached' })

    await importMore('android/values/strings.xml')
    await dialog().getByText('Are not texts (2)').waitFor()
    await dialog().getByLabel('(not named)').last().fill('android')
    await button(/^Save as drafts/).click()
    await dialog().waitFor({ state: 'detached' })

    // A second import of the same file changes nothing.
    await importMore('android/values/strings.xml')
    await dialog().getByLabel('(not named)').last().fill('android')
    await dialog().getByText('The files change no translation.').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()

    await button(/^Publish/).click()
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click()
    await page().getByText('Published.').waitFor()
    await page().getByRole('link', { name: 'Overview' }).click()
    await page().getByRole('heading', { name: 'Missing translations' }).waitFor()
    await show('5-coverage')
    expect(console.problems).toEqual([])
  })
})
