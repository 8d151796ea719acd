import { isBrowserMissing } from '@servicekit/testing/browser'
import { createReadStream } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import type { Download } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { projectKey, useConsole } from './open-console.ts'

const readFile = async (download: Download): Promise<string> =>
  readAll((await download.createReadStream()) ?? createReadStream('/dev/null'))

describe.skipIf(isBrowserMissing())('translations in bulk', { timeout: 120_000 }, () => {
  const console = useConsole({ usesClipboard: true })
  const { open, problems, violations } = console
  const drafts = async () => {
    const url = `${console.platform.baseUrl}/_platform/projects/${projectKey}/drafts`
    const list = (await (await fetch(url)).json()) as {
      key: string
      language: string
      value: string
    }[]
    return list.map(({ key, language, value }) => [key, language, value])
  }
  const act = async (name: string) => {
    await console.page.getByText('Actions').click()
    await console.page.getByRole('button', { name }).click()
  }
  const exported = async (format: string): Promise<string> => {
    await act('Export files')
    await console.page.getByLabel('Format').selectOption(format)
    if (format === 'xliff') {
      for (const name of ['French', 'Arabic', 'Bangla', 'Japanese']) {
        await console.page.getByRole('checkbox', { name }).uncheck()
      }
    }
    const [download] = await Promise.all([
      console.page.waitForEvent('download'),
      console.page.getByRole('button', { name: 'Download' }).click(),
    ])
    return readFile(download)
  }
  const importFile = async (name: string, content: string) => {
    await act('Import files')
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(content) }
    await dialog().locator('input[type=file]').setInputFiles(file)
  }
  const dialog = () => console.page.getByRole('dialog')

  it('exports what the filters show as CSV, imports it changed, and takes it back', async () => {
    await open(`/translations?project=${projectKey}`)
    await console.page.getByRole('searchbox').fill('NAV_ABOUT')
    await console.page.getByText('1 key', { exact: true }).waitFor()
    const csv = await exported('csv')
    const [header, line] = csv.replace('\uFEFF', '').split('\r\n')
    expect(header).toBe('module,key,en-US,de-DE,fr-FR,ar-EG,bn-BD,ja-JP')
    expect(line).toMatch(/^common,NAV_ABOUT,About/)

    await importFile('a.csv', csv)
    await dialog().getByText('The files change no translation.').waitFor()
    const changed =
      'module,key,de-DE,sv-SE\r\ncommon,NAV_ABOUT,"Das, sind ""wir""",x\r\ncommon,NOPE,y,z\r\n'
    const file = { name: 'b.csv', mimeType: 'text/csv', buffer: Buffer.from(changed) }
    await dialog().locator('input[type=file]').setInputFiles(file)
    await dialog().getByText('Translations: 4 · new keys: 1').waitFor()
    await dialog().getByLabel('sv-SE').fill('')
    await dialog().getByText('Translations: 2 · new keys: 1').waitFor()
    expect(await dialog().locator('ins').allInnerTexts()).toEqual(['Das, sind "wir"', 'y'])
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: 'Save as drafts (2)' }).click()
    await console.page.getByText('2 translations are saved as drafts.').waitFor()
    expect(await drafts()).toContainEqual(['NAV_ABOUT', 'de-DE', 'Das, sind "wir"'])
    await console.page.getByRole('button', { name: 'Undo' }).click()
    await console.page.getByText('The change is undone.').waitFor()
    const restored = await drafts()
    expect(restored).not.toContainEqual(['NAV_ABOUT', 'de-DE', 'Das, sind "wir"'])
    expect(restored.map(([key]) => key)).not.toContain('NOPE')

    await importFile('c.csv', 'Thing,de-DE\r\nx,y\r\n')
    await dialog().getByText('Cannot read c.csv: no column has the keys').waitFor()
    expect(problems).toEqual([])
  })

  it('exports XLIFF, and imports it as a translator returns it', async () => {
    await open(`/translations?project=${projectKey}`)
    await console.page.getByRole('searchbox').fill('CART_EMPTY')
    await console.page.getByText('2 keys', { exact: true }).waitFor()
    const xliff = await exported('xliff')
    expect(xliff).toMatch(/<file original="cart"[^>]*target-language="de-DE"/)
    const german = /<trans-unit id="CART_EMPTY"[^]*?<target[^>]*>([^<]*)</.exec(xliff)![1]!
    await importFile('cart.xlf', xliff.replace(german, 'Noch nichts &amp; niemand'))
    await dialog().getByRole('button', { name: 'Save as drafts (1)' }).click()
    await console.page.getByText('1 translation is saved as a draft.').waitFor()
    expect(await drafts()).toContainEqual(['CART_EMPTY', 'de-DE', 'Noch nichts & niemand'])
    const version2 = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en-US" trgLang="fr-FR">
      <file id="cart"><unit id="CART_EMPTY"><segment><source>x</source><target>Rien</target></segment></unit></file></xliff>`
    await importFile('cart2.xlf', version2)
    await dialog().getByText('Rien').waitFor()
    await dialog().getByText('Translated from another source text (1)').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await importFile('broken.xlf', '<xliff><file></xliff>')
    await dialog().getByText('Cannot read broken.xlf: it is not valid XML').waitFor()
    expect(problems).toEqual([])
  })

  it('pastes cells of a spreadsheet, and shows what they change first', async () => {
    await open(`/translations?project=${projectKey}`)
    await console.page.getByRole('searchbox').fill('NAV_')
    const cell = console.page.locator('[aria-rowindex="2"] [aria-colindex="3"]')
    await cell.focus()
    await console.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await console.page.evaluate(() => navigator.clipboard.writeText('Eins\tUn\r\nZwei\tDeux'))
    await cell.press('Control+V')
    await dialog().getByText('4 changes.').waitFor()
    expect(await dialog().locator('ins').allInnerTexts()).toEqual(['Eins', 'Un', 'Zwei', 'Deux'])
    await dialog().getByRole('button', { name: 'Save as drafts (4)' }).click()
    await console.page.getByText('4 translations are saved as drafts.').waitFor()
    expect(await cell.innerText()).toContain('Eins')
    expect(problems).toEqual([])
  })

  it('replaces a text in the shown translations of chosen languages', async () => {
    await open(`/translations?project=${projectKey}`)
    await console.page.getByRole('searchbox').fill('WISHLIST')
    await act('Find and replace')
    await dialog().getByLabel('Find').fill('wishlist')
    await dialog().getByLabel('Replace with').fill('list of wishes')
    const all = await dialog().locator('ins').count()
    expect(all).toBeGreaterThan(0)
    await dialog().getByRole('checkbox', { name: 'English' }).uncheck()
    expect(await dialog().locator('ins').count()).toBeLessThan(all)
    await dialog().getByRole('checkbox', { name: 'English' }).check()
    // Someone else changes one of them before it is saved.
    const [key] = await dialog().locator('li .code').allInnerTexts()
    const [module] = await dialog().locator('li small').allInnerTexts()
    await fetch(`${console.platform.baseUrl}/_platform/projects/${projectKey}/drafts`, {
      method: 'PUT',
      body: JSON.stringify([{ module, key, language: 'en-US', value: 'Someone else' }]),
    })
    await dialog()
      .getByRole('button', { name: /Save as drafts/ })
      .click()
    await dialog().getByText('Someone else changed a translation.').waitFor()
    expect(await drafts()).toContainEqual([key, 'en-US', 'Someone else'])
    await dialog()
      .getByRole('button', { name: `Save as drafts (${all - 1})` })
      .click()
    await dialog().waitFor({ state: 'detached' })
    const saved = await drafts()
    expect(saved.filter(([, , value]) => value?.includes('list of wishes'))).toHaveLength(all - 1)
    expect(saved).toContainEqual([key, 'en-US', 'Someone else'])
    // The browser reports the response 409.
    expect(problems.filter((one) => !one.includes('409'))).toEqual([])
  })

  it('adds a key, a module and a language, removes the key, and takes that back', async () => {
    await open(`/translations?project=${projectKey}`)
    await act('Add a key, module or language')
    expect(await violations()).toEqual([])
    const add = async (field: string, text: string, button: string) => {
      await dialog().getByLabel(field, { exact: true }).fill(text)
      await dialog().getByRole('button', { name: button }).click()
      await console.page.getByText(`${text} is added.`).waitFor()
    }
    await add('Name of the module', 'gifts', 'Add module')
    await add('Language code', 'pt-BR', 'Add language')
    await dialog().getByRole('combobox', { name: 'Module' }).selectOption('gifts')
    await dialog().getByLabel('Text in en-US').fill('Wrap it')
    await add('Key', 'GIFT_WRAP', 'Add key')
    expect(await drafts()).toContainEqual(['GIFT_WRAP', 'en-US', 'Wrap it'])
    await dialog().getByRole('combobox', { name: 'Module' }).selectOption('common')
    await dialog().getByLabel('Text in en-US').fill('Twice')
    await dialog().getByLabel('Key', { exact: true }).fill('NAV_CART')
    await dialog().getByRole('button', { name: 'Add key' }).click()
    await dialog().getByText('The key NAV_CART exists.').waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()

    await open(`/translations/common/NAV_CART?project=${projectKey}`)
    await console.page.getByRole('button', { name: 'Remove key' }).click()
    await console.page.getByText('NAV_CART is removed once you publish.').waitFor()
    await console.page.getByRole('button', { name: 'Undo' }).click()
    await console.page.getByRole('button', { name: 'Remove key' }).waitFor()
    // The browser reports the response 409.
    expect(problems.filter((one) => !one.includes('409'))).toEqual([])
  })

  it('suggests a translation, and translates what is missing with live progress', async () => {
    await open(`/translations/catalog/ADD_TO_CART?project=${projectKey}`)
    const panel = console.page.getByRole('complementary')
    const field = panel.getByRole('textbox', { name: /German/ })
    await field.fill('')
    await panel.getByRole('button', { name: 'Suggest German' }).click()
    await panel.getByText('100 % confidence').waitFor()
    const use = panel.getByRole('button', { name: /^Use: / }).first()
    const text = await use.innerText()
    expect(text).toBe('In den Warenkorb')
    await use.click()
    expect(await field.inputValue()).toBe(text)
    expect(await violations()).toEqual([])

    await act('Translate what is missing')
    // The language of the test before lacks all 600 translations, which takes a while.
    await dialog()
      .getByRole('checkbox', { name: /pt-BR|portug/i })
      .uncheck()
    await dialog().getByRole('slider').fill('0')
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: 'Translate', exact: true }).click()
    await dialog().getByRole('progressbar').waitFor()
    await dialog()
      .getByText(/^Done: /)
      .waitFor()
    expect(problems).toEqual([])
  })
})
