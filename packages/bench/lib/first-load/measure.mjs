import { gzipSync } from 'node:zlib'
import { generateCatalog } from '../generate-catalog.mjs'
import { temporaryFolder } from '../temporary-folder.mjs'
import { expectedStrings, selectPages, selectTenPages } from './app.mjs'
import { countLeaks, sentinel } from './leaks.mjs'
import { downloadedBytes, loadPage } from './load-page.mjs'

/** @typedef {import('./apps.mjs').App} App */
/** @typedef {import('./load-page.mjs').Browser} Browser */

/**
 * Creates the input of the first-load claims: a catalog of 1,000 keys and two pages that
 * show 100 of them each.
 *
 * @param {number} languages
 * @param {import('../generate-catalog.mjs').Decorate} [decorate]
 */
export function createInput(languages, decorate) {
  const catalog = generateCatalog({
    keys: 1000,
    languages,
    modules: 10,
    ...(decorate === undefined ? {} : { decorate }),
  })
  return { catalog, pages: selectPages(catalog, 100) }
}

/**
 * Builds an application and loads its first page.
 *
 * @param {Browser} browser
 * @param {App} app
 * @param {ReturnType<typeof createInput>} input
 */
export async function buildAndLoad(browser, app, { catalog, pages }) {
  const root = temporaryFolder()
  await app.write(root, catalog, pages)
  await app.build(root)
  return loadPage(browser, root, 'one')
}

/**
 * Measures the translation bytes of the first load: what page one loads, each JavaScript
 * and JSON file compressed with gzip -9, minus what the same application loads when its 100
 * messages are calls of one empty function. Key names, imports, runtime and translations
 * all count.
 *
 * @param {Browser} browser
 * @param {App} app
 * @param {App} empty built by the same bundler
 * @param {number} languages
 * @throws {Error} if the page does not show its messages
 */
export async function firstLoadBytes(browser, app, empty, languages) {
  const input = createInput(languages)
  const loaded = await buildAndLoad(browser, app, input)
  assertShown(loaded.shown, input.pages.one, input.catalog)
  return downloadedBytes(loaded) - downloadedBytes(await buildAndLoad(browser, empty, input))
}

/**
 * Counts the translations that page one downloads but does not show.
 *
 * @param {Browser} browser
 * @param {App} app
 * @param {number} languages
 */
export async function firstLoadLeaks(browser, app, languages) {
  const input = createInput(languages, sentinel)
  const loaded = await buildAndLoad(browser, app, input)
  assertShown(loaded.shown, input.pages.one, input.catalog)
  return countLeaks(loaded, input.catalog, { shown: input.pages.one, others: input.pages.two })
}

/**
 * Counts the translations that each of ten pages downloads but does not show, of any kind.
 *
 * @param {Browser} browser
 * @param {App} app
 * @param {number} [count] number of pages to load
 */
export async function tenPagesLeaks(browser, app, count = 10) {
  const catalog = generateCatalog({ keys: 1000, languages: 10, modules: 10, decorate: sentinel })
  const { layout, ...pages } = selectTenPages(catalog)
  const root = temporaryFolder()
  await app.write(root, catalog, { layout, ...pages })
  await app.build(root)
  let sum = 0
  for (const [name, messages] of Object.entries(pages).slice(0, count)) {
    const shown = [...layout, ...messages]
    const loaded = await loadPage(browser, root, name)
    assertShown(loaded.shown, shown, catalog)
    const others = Object.values(pages).flat()
    const leaks = countLeaks(loaded, catalog, { shown, others })
    sum += leaks.languages + leaks.pages + leaks.unused
  }
  return sum
}

/** Returns the lower bound for any way to load the shown messages: their size as a JSON array. */
export function stringsOnlyBytes() {
  const { catalog, pages } = createInput(1)
  const [language = ''] = catalog.languages
  const shown = pages.one.map(({ translations }) => translations[language])
  return gzipSync(JSON.stringify(shown), { level: 9 }).length
}

/**
 * @param {readonly string[]} shown
 * @param {readonly import('../generate-catalog.mjs').GeneratedMessage[]} messages
 * @param {import('../generate-catalog.mjs').GeneratedCatalog} catalog
 */
function assertShown(shown, messages, catalog) {
  const expected = expectedStrings(messages, catalog.languages[0] ?? '')
  const wrong = expected.findIndex((text, index) => text !== shown[index])
  if (wrong >= 0) {
    throw new Error(`The page shows "${shown[wrong]}" instead of "${expected[wrong]}"`)
  }
}
