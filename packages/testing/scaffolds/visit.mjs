import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../workspace/lib/root.mjs'
import { launchBrowser } from '../src/browser.mjs'
import { recordResponses } from '../src/record-responses.ts'

const translations = join(root, 'fixtures/projects/storefront/uilm')
const languages = ['en-US', 'de-DE', 'fr-FR', 'ar-EG']

/** @param {string} language @param {string} key of the module `catalog` */
const textOf = (language, key) =>
  /** @type {string} */ (
    JSON.parse(readFileSync(join(translations, language, 'catalog.json'), 'utf8'))[key]
  )

/**
 * Returns the languages other than the given one whose headings a text contains.
 *
 * @param {string} text
 * @param {string} language
 */
const foreignLanguages = (text, language) =>
  languages.filter(
    (other) =>
      other !== language &&
      ['ABOUT_HEADING', 'PRODUCTS_HEADING'].some((key) => text.includes(textOf(other, key))),
  )

/**
 * Records errors and warnings of a page, such as those of hydration.
 *
 * @param {import('playwright-core').Page} page
 * @returns {readonly string[]}
 */
export function recordErrors(page) {
  /** @type {string[]} */
  const errors = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // Minimal projects have no icon.
    const isIcon = message.location().url.endsWith('/favicon.ico')
    if (/error|warning/.test(message.type()) && !isIcon) errors.push(message.text())
  })
  return errors
}

/**
 * Visits an application whose page `/` shows the example, and whose page `/about` shows
 * ABOUT_HEADING in `h1`, a select with the languages, and a link to `/`.
 *
 * @param {string} url
 * @param {{ readonly loadsDocuments?: boolean }} server
 */
export async function visitInLanguages(url, { loadsDocuments = false }) {
  for (const [header, language, dir] of [
    ['de', 'de-DE', 'ltr'],
    ['ar', 'ar-EG', 'rtl'],
    ['fr', 'fr-FR', 'ltr'],
  ]) {
    for (const [path, key] of [
      ['/', 'PRODUCTS_HEADING'],
      ['/about', 'ABOUT_HEADING'],
    ]) {
      const headers = { 'accept-language': `${header}, en;q=0.5`, accept: 'text/html' }
      const html = await (await fetch(url + path, { headers })).text()
      const tag = /<html[^>]*>/.exec(html)?.[0] ?? html
      assert.match(tag, new RegExp(`lang="${language}"`))
      assert.match(tag, new RegExp(`dir="${dir}"`))
      assert.ok(html.includes(textOf(language ?? '', key ?? '')), html)
      assert.deepEqual(foreignLanguages(html, language ?? ''), [], html)
    }
  }
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ locale: 'de-DE' })
    const errors = recordErrors(page)
    const loaded = await recordResponses(page)
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    /** @param {string} language */
    const loadsOnly = async (language) => {
      await page.waitForLoadState('networkidle')
      const texts = await loaded()
      assert.deepEqual(
        texts.flatMap((text) => foreignLanguages(text, language)),
        [],
      )
    }
    /** @param {string} selector @param {string} language @param {string} key */
    const shows = async (selector, language, key) => {
      await page.locator(selector, { hasText: textOf(language, key) }).waitFor()
      assert.equal(await page.getAttribute('html', 'lang'), language)
      assert.equal(await page.getAttribute('html', 'dir'), language === 'ar-EG' ? 'rtl' : 'ltr')
    }
    await page.goto(`${url}/about`)
    await shows('h1', 'de-DE', 'ABOUT_HEADING')
    await loadsOnly('de-DE')
    await page.click('a')
    await shows('#servicekit-example h2', 'de-DE', 'PRODUCTS_HEADING')
    await page.goBack()
    await shows('h1', 'de-DE', 'ABOUT_HEADING')
    await loadsOnly('de-DE')
    await page.selectOption('select', 'ar-EG')
    await shows('h1', 'ar-EG', 'ABOUT_HEADING')
    await page.click('a')
    await shows('#servicekit-example h2', 'ar-EG', 'PRODUCTS_HEADING')
    await page.goBack()
    await shows('h1', 'ar-EG', 'ABOUT_HEADING')
    await loadsOnly('ar-EG')
    if (!loadsDocuments) assert.equal(documents, 1)
    await page.reload()
    await shows('h1', 'ar-EG', 'ABOUT_HEADING')
    await loadsOnly('ar-EG')
    assert.deepEqual(errors, [])
    await page.unrouteAll({ behavior: 'wait' })
  } finally {
    await browser.close()
  }
}
