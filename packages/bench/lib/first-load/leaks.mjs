/**
 * Returns a text that is unique to a key and language, so that it can be found in the
 * downloaded files.
 *
 * @type {import('../generate-catalog.mjs').Decorate}
 */
export const sentinel = ({ key, language }) => `<${language}:${key}>`

/**
 * Number of translations that a page downloads but does not show.
 *
 * @typedef {object} Leaks
 * @property {number} languages in a language that is not shown, of any key
 * @property {number} pages in the shown language, of keys that only another page shows
 * @property {number} unused in the shown language, of keys that no page shows
 */

/**
 * @param {import('./load-page.mjs').LoadedPage} loaded page one, with translations by {@link sentinel}
 * @param {import('../generate-catalog.mjs').GeneratedCatalog} catalog
 * @param {import('./app.mjs').Pages} pages
 * @returns {Leaks}
 * @throws {Error} if translations that the page shows are not found in the downloaded files
 */
export function countLeaks(loaded, catalog, pages) {
  const downloaded = loaded.files.map(({ text }) => text).join('\n')
  const [shown = ''] = catalog.languages
  const missing = pages.one.find(
    ({ key }) => !downloaded.includes(sentinel({ key, language: shown, text: '' })),
  )
  // If the shown translations cannot be found, leaks could not be found either.
  if (missing) throw new Error(`The page shows ${missing.key}, but no downloaded file contains it`)
  const [one, two] = [pages.one, pages.two].map((page) => new Set(page.map(({ key }) => key)))
  const leaks = { languages: 0, pages: 0, unused: 0 }
  for (const { key } of catalog.messages) {
    for (const language of catalog.languages) {
      if (!downloaded.includes(sentinel({ key, language, text: '' }))) continue
      if (language !== shown) leaks.languages++
      else if (one?.has(key)) continue
      else if (two?.has(key)) leaks.pages++
      else leaks.unused++
    }
  }
  return leaks
}
