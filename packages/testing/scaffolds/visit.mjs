import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../workspace/lib/root.mjs'
import { launchBrowser } from '../src/browser.mjs'
import { recordResponses } from '../src/record-responses.ts'

const translations = join(root, 'fixtures/projects/storefront/uilm')
const languages = ['en-US', 'de-DE', 'fr-FR', 'ar-EG']

/** Keys whose texts the pages show. */
const shownKeys = ['ABOUT_HEADING', 'PRODUCTS_HEADING']

/** @param {string} language @returns {Readonly<Record<string, string>>} texts of the module `catalog` */
const textsOf = (language) =>
  JSON.parse(readFileSync(join(translations, language, 'catalog.json'), 'utf8'))

/** @param {string} language @param {string} key of the module `catalog` */
const textOf = (language, key) => textsOf(language)[key] ?? ''

/**
 * Returns the languages other than the given one whose headings a text contains.
 *
 * @param {string} text
 * @param {string} language
 */
const foreignLanguages = (text, language) =>
  languages.filter(
    (other) => other !== language && shownKeys.some((key) => text.includes(textOf(other, key))),
  )

/**
 * Returns the keys of a language that no page shows and whose texts a text contains. Markers
 * of missing texts and texts with parameters, which are compiled, are not looked for.
 *
 * @param {string} text
 * @param {string} language
 */
const unusedKeys = (text, language) =>
  Object.entries(textsOf(language))
    .filter(([key, value]) => !shownKeys.includes(key) && value.length > 12 && !/[[{]/.test(value))
    .filter(([, value]) => text.includes(value))
    .map(([key]) => key)

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
 * @typedef {object} Visit what visitors saw; languages in the order of the visits
 * @property {readonly string[]} first first page
 * @property {readonly string[]} navigated after a link, the way back and a switch
 * @property {readonly string[]} reloaded after the page was loaded again
 * @property {number} warnings errors and warnings in the console of the browser
 * @property {number} foreignTexts texts of other languages in anything that was loaded
 * @property {number} unusedTexts texts that no page shows in anything that was loaded
 */

/**
 * Visits an application whose page `/` shows the example, and whose page `/about` shows
 * ABOUT_HEADING in `h1`, a select with the languages, and a link to `/`.
 *
 * @param {string} url
 * @param {import('./servers.mjs').Application} application
 * @returns {Promise<Visit>} rejects if a page has the wrong language
 */
export async function visitInLanguages(url, { loadsDocuments, rendersInBrowser }) {
  if (!rendersInBrowser) await readResponses(url)
  const browser = await launchBrowser()
  try {
    /** @type {string[]} */
    const first = []
    for (const language of ['fr-FR', 'ar-EG']) {
      const page = await browser.newPage({ locale: language })
      await page.goto(`${url}/`)
      await shows(page, '#servicekit-example h2', language, 'PRODUCTS_HEADING')
      first.push(language)
      await page.close()
    }
    const page = await browser.newPage({ locale: 'de-DE' })
    const errors = recordErrors(page)
    const loaded = await recordResponses(page)
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents++
    })
    /** @type {Set<string>} */
    const foreign = new Set()
    /** @type {Set<string>} */
    const unused = new Set()
    /** @param {string} language */
    const loadsOnly = async (language) => {
      await page.waitForLoadState('networkidle')
      for (const text of await loaded()) {
        for (const other of foreignLanguages(text, language)) foreign.add(`${other}: ${text}`)
        for (const key of unusedKeys(text, language)) unused.add(key)
      }
    }
    await page.goto(`${url}/about`)
    await shows(page, 'h1', 'de-DE', 'ABOUT_HEADING')
    await loadsOnly('de-DE')
    first.unshift('de-DE')
    await page.click('a')
    await shows(page, '#servicekit-example h2', 'de-DE', 'PRODUCTS_HEADING')
    await page.goBack()
    await shows(page, 'h1', 'de-DE', 'ABOUT_HEADING')
    await loadsOnly('de-DE')
    await page.selectOption('select', 'ar-EG')
    await shows(page, 'h1', 'ar-EG', 'ABOUT_HEADING')
    await page.click('a')
    await shows(page, '#servicekit-example h2', 'ar-EG', 'PRODUCTS_HEADING')
    await page.goBack()
    await shows(page, 'h1', 'ar-EG', 'ABOUT_HEADING')
    await loadsOnly('ar-EG')
    if (!loadsDocuments) assert.equal(documents, 1)
    await page.reload()
    await shows(page, 'h1', 'ar-EG', 'ABOUT_HEADING')
    await loadsOnly('ar-EG')
    assert.deepEqual(errors, [])
    assert.deepEqual([...foreign], [])
    await page.unrouteAll({ behavior: 'wait' })
    return {
      first,
      navigated: ['de-DE', 'ar-EG'],
      reloaded: ['ar-EG'],
      warnings: errors.length,
      foreignTexts: foreign.size,
      unusedTexts: unused.size,
    }
  } finally {
    await browser.close()
  }
}

/** Expects the language of a request in what the server renders. @param {string} url */
async function readResponses(url) {
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
}

/**
 * Waits until an element shows a text, and expects the attributes of the document.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} selector
 * @param {string} language
 * @param {string} key
 */
async function shows(page, selector, language, key) {
  await page.locator(selector, { hasText: textOf(language, key) }).waitFor()
  assert.equal(await page.getAttribute('html', 'lang'), language)
  assert.equal(await page.getAttribute('html', 'dir'), language === 'ar-EG' ? 'rtl' : 'ltr')
}
