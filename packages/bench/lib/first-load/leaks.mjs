/**
 * Returns a text that is unique to a key and language, so that it can be found in the
 * downloaded files.
 *
 * @type {import('../generate-catalog.mjs').Decorate}
 */
export const sentinel = ({ key, language }) => `<${language}:${key}>`

/** @typedef {import('../generate-catalog.mjs').GeneratedMessage} Message */

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
 * @param {{ shown: readonly Message[], others: readonly Message[] }} pages messages of page one,
 *   and those of the other pages
 * @returns {Leaks}
 * @throws {Error} if translations that the page shows are not found in the downloaded files
 */
export function countLeaks(loaded, catalog, pages) {
  const downloaded = loaded.files.map(({ text }) => text).join('\n')
  const [language = ''] = catalog.languages
  const missing = pages.shown.find(
    ({ key }) => !downloaded.includes(sentinel({ key, language, text: '' })),
  )
  // If the shown translations cannot be found, leaks could not be found either.
  if (missing) throw new Error(`The page shows ${missing.key}, but no downloaded file contains it`)
  const [shown, others] = [pages.shown, pages.others].map(
    (page) => new Set(page.map(({ key }) => key)),
  )
  const leaks = { languages: 0, pages: 0, unused: 0 }
  for (const { key } of catalog.messages) {
    for (const code of catalog.languages) {
      if (!downloaded.includes(sentinel({ key, language: code, text: '' }))) continue
      if (code !== language) leaks.languages++
      else if (shown?.has(key)) continue
      else if (others?.has(key)) leaks.pages++
      else leaks.unused++
    }
  }
  return leaks
}
