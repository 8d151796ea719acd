import { gzipSync } from 'node:zlib'
import { generateTexts } from '../texts.mjs'
import { choosePages, expectedTexts } from './app.mjs'
import { buildNothing, writeNothing, writeServicekit } from './contenders.mjs'
import { countLeaks, sentinel } from './leaks.mjs'
import { visitInBrowser } from './visit-browser.mjs'
import { downloaded, visitPage } from './visit.mjs'

/**
 * Creates the work of the first-load claims: a catalog of 1,000 keys and an application of
 * two pages, each of which shows 100 of them.
 *
 * @param {number} languages
 * @param {import('../texts.mjs').Decorate} [decorate]
 */
function createWork(languages, decorate) {
  const texts = generateTexts({
    keys: 1000,
    languages,
    modules: 10,
    ...(decorate === undefined ? {} : { decorate }),
  })
  return { texts, pages: choosePages(texts, 100) }
}

/**
 * Measures the translation bytes of the first load: what page one loads, each JavaScript
 * and JSON file compressed with gzip -9, minus what the same application loads when its 100
 * messages are calls of one empty function. Key names, imports, runtime and texts all
 * count.
 *
 * @param {import('./contenders.mjs').BuildApp} buildApp
 * @param {number} languages
 * @param {() => string} folder returns empty folders
 * @throws {Error} when the page does not show its texts
 */
export async function firstLoadBytes(buildApp, languages, folder) {
  const work = createWork(languages)
  const { texts, pages } = work
  const [root, empty] = [folder(), folder()]
  await buildApp(root, texts, pages)
  await buildNothing(empty, texts, pages)
  const visit = await visitPage(root, 'one')
  assertShown(visit.shown, work)
  return downloaded(visit) - downloaded(await visitPage(empty, 'one'))
}

/**
 * Measures the same for one of the bundlers, in a browser.
 *
 * @param {import('./bundlers.mjs').Bundle} build
 * @param {number} languages
 * @param {() => string} folder
 * @param {Awaited<ReturnType<typeof import('@servicekit/workspace/browser').launchBrowser>>} browser
 */
export async function bundledBytes(build, languages, folder, browser) {
  const work = createWork(languages)
  const { texts, pages } = work
  const [root, empty] = [folder(), folder()]
  await writeServicekit(root, texts, pages)
  await build(root, { isOurs: true })
  await writeNothing(empty, texts, pages)
  await build(empty)
  const visit = await visitInBrowser(browser, root, 'one')
  assertShown(visit.shown, work)
  return downloaded(visit) - downloaded(await visitInBrowser(browser, empty, 'one'))
}

/**
 * Counts the translations that page one downloads but does not show.
 *
 * @param {import('./contenders.mjs').BuildApp} buildApp
 * @param {number} languages
 * @param {() => string} folder
 */
export async function firstLoadLeaks(buildApp, languages, folder) {
  const work = createWork(languages, sentinel)
  const root = folder()
  await buildApp(root, work.texts, work.pages)
  const visit = await visitPage(root, 'one')
  assertShown(visit.shown, work)
  return countLeaks(visit, work.texts, work.pages)
}

/** Returns the lower bound for any way of loading the shown texts: their size as a JSON array. */
export function stringsAlone() {
  const { texts, pages } = createWork(1)
  const [language = ''] = texts.languages
  const shown = pages.one.map((one) => one.texts[language])
  return gzipSync(JSON.stringify(shown), { level: 9 }).length
}

/** @param {readonly string[]} shown @param {ReturnType<typeof createWork>} work */
function assertShown(shown, { texts, pages }) {
  const expected = expectedTexts(pages.one, texts.languages[0] ?? '')
  const wrong = expected.findIndex((text, index) => text !== shown[index])
  if (wrong >= 0) {
    throw new Error(`page one shows "${shown[wrong]}" in place of "${expected[wrong]}"`)
  }
}
