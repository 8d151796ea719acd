import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { describe, expect, it, onTestFinished } from 'vitest'
import { application } from '@servicekit/testing/application'
import { temporaryFolder } from '@servicekit/testing/folder'
import { check, finish, formatHtml, formatSarif, formatText, readGlossary } from '../src/index.ts'

const texts = {
  'en-US/shop': {
    BUY: 'Buy now',
    CART: 'Your cart',
    CART_HINT: 'Add it to your cart',
    GREETING: 'Hello {{name}}',
    MAKER: 'Made with Servicekit',
    NAME: 'Garden Tools Berlin',
    SAVE: 'Save',
    SAVE_ALL: 'Save',
    SAVE_AS: 'Save',
    STATUS: 'Status',
    STOCK_one: 'Only {{count}} left',
    STOCK_other: 'Only {{count}} left',
    SUFFIX: 'of ',
  },
  'de-DE/shop': {
    BUY: 'Buy now',
    CART: 'Ihr Einkaufswagen',
    CART_HINT: 'In die Warenkörbe legen',
    GREETING: 'Hallo  {{name}}',
    MAKER: 'Gemacht mit Dienstbaukasten',
    NAME: 'Garden Tools Berlin',
    SAVE: 'Speichern',
    SAVE_ALL: 'Sichern',
    SAVE_AS: 'Speichern',
    STATUS: 'Status',
    STOCK_one: 'Nur noch {{count}} Stück',
    STOCK_other: 'Nur noch {{count}} Stücke',
    SUFFIX: 'von',
  },
  'ja-JP/shop': { SUFFIX: 'の' },
  'en-GB/shop': { BUY: 'Buy now', CART: 'Your basket' },
}
const glossary = {
  terms: [
    { term: 'Servicekit', keep: true },
    {
      term: 'cart',
      translations: { 'de-DE': 'Warenkorb', 'en-GB': 'trolley' },
      forbidden: { 'de-DE': ['Einkaufswagen'] },
    },
  ],
}

async function run(terms: unknown = glossary) {
  const { root, project } = await application(texts, { 'src/empty.ts': '' })
  await project.writeTypes(await project.load())
  await writeFile(join(root, 'glossary.json'), JSON.stringify(terms))
  const rules = { unused: 'off', missing: 'off' } as const
  return finish(check({ project, sources: ['src'], rules, glossary: 'glossary.json' }))
}

describe('the quality of translations', () => {
  it('is reported by language, with the line of each translation', async () => {
    const { findings, quality } = await run()
    const lines = findings.map(
      ({ severity, rule, language, key, file, line, message }) =>
        `${severity} ${rule} ${language} ${key} ${file}:${line} ${message}`,
    )
    expect(lines).toEqual([
      'warning copy de-DE BUY uilm/de-DE/shop.json:2 is the same as the source text, and probably not translated',
      'warning spacing de-DE GREETING uilm/de-DE/shop.json:5 contains two spaces in a row',
      'warning spacing de-DE SUFFIX uilm/de-DE/shop.json:14 does not end with white space, unlike the source text',
      'warning term de-DE CART uilm/de-DE/shop.json:3 contains "Einkaufswagen", which the glossary forbids; the glossary has "Warenkorb" for "cart"',
      'warning term de-DE MAKER uilm/de-DE/shop.json:6 does not contain "Servicekit", which is the same in every language',
      'warning term en-GB CART uilm/en-GB/shop.json:3 translates "cart" without "trolley" of the glossary',
      'info inconsistent de-DE SAVE_ALL uilm/de-DE/shop.json:9 translates "Save" as "Sichern"; shop SAVE has "Speichern"',
    ])
    expect(
      quality.map(({ language, score, problems }) => [language, Math.floor(score), problems]),
    ).toEqual([
      ['en-US', 100, {}],
      ['de-DE', 50, { copy: 1, spacing: 2, term: 2, inconsistent: 1 }],
      ['en-GB', 91, { term: 1 }],
      ['ja-JP', 100, {}],
    ])
  })

  it('is part of the text and of SARIF', async () => {
    const report = await run()
    expect(formatText(report)).toContain('12/12  1 copy, 2 spacing, 2 term, 1 inconsistent\n')
    const sarif = JSON.parse(formatSarif(report, { version: '1' })) as {
      runs: { results: { ruleId: string; message: { text: string } }[] }[]
    }
    expect(sarif.runs[0]!.results.find(({ ruleId }) => ruleId === 'copy')!.message.text).toBe(
      'shop BUY (de-DE): is the same as the source text, and probably not translated',
    )
  })

  describe.skipIf(isBrowserMissing())('the page', () => {
    it('lists the findings of a number in the table of languages', async () => {
      const file = join(await temporaryFolder(), 'report.html')
      await writeFile(file, formatHtml(await run()))
      const browser = await launchBrowser()
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      await page.goto(pathToFileURL(file).href)
      await page.click('.quality button[data-language="de-DE"][data-rule="term"]')
      const keys = () => page.locator('.findings tbody tr:visible .key').allTextContents()
      expect(await keys()).toEqual(['CART', 'MAKER'])
      await page.fill('input', 'SAVE')
      await page.click('button[data-rule="term"][aria-pressed]')
      expect(await keys()).toEqual(['SAVE_ALL'])
    })
  })

  it('rejects a glossary with another form, and names its location', async () => {
    for (const [content, message] of [
      [{}, 'terms must be a list'],
      [{ terms: ['cart'] }, 'terms[0] must be an object'],
      [{ terms: [{ term: ' ' }] }, 'terms[0].term must be a text'],
      [{ terms: [{ term: 'a', forbiden: {} }] }, 'Did you mean "forbidden"?'],
      [{ terms: [{ term: 'a', forbidden: { de: 'b' } }] }, 'terms[0].forbidden must have a list'],
      [
        { terms: [{ term: 'a', translations: { de: 1 } }] },
        'terms[0].translations must have one text',
      ],
    ] as const) {
      await expect(run(content)).rejects.toThrow(message)
    }
    await expect(readGlossary('/nowhere/glossary.json')).rejects.toThrow(
      'Cannot read the glossary /nowhere/glossary.json',
    )
  })
})
