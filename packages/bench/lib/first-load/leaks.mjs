/**
 * Returns a text that is unique to a key and language, so that it can be found in the
 * downloaded files.
 *
 * @type {import('../texts.mjs').Decorate}
 */
export const sentinel = ({ key, language }) => `<${language}:${key}>`

/**
 * Translations that a visitor downloads but does not see.
 *
 * @typedef {object} Leaks
 * @property {number} languages translations in a language that is not shown, of any key
 * @property {number} pages translations in the shown language, of keys that only another page shows
 * @property {number} unused translations in the shown language, of keys that no page shows
 */

/**
 * @param {import('./visit.mjs').Visit} visit of page one, its texts made by {@link sentinel}
 * @param {import('../texts.mjs').GeneratedTexts} texts
 * @param {import('./app.mjs').Pages} pages
 * @returns {Leaks}
 * @throws {Error} when shown texts are not found in the downloaded files
 */
export function countLeaks(visit, texts, pages) {
  const downloaded = visit.files.map(({ text }) => text).join('\n')
  const [shown = ''] = texts.languages
  const hidden = pages.one.find(
    ({ key }) => !downloaded.includes(sentinel({ key, language: shown, text: '' })),
  )
  // If the shown texts cannot be found, leaks could not be found either.
  if (hidden) throw new Error(`${hidden.key} is shown and was not found in what was downloaded`)
  const [one, two] = [pages.one, pages.two].map((shown) => new Set(shown.map(({ key }) => key)))
  const leaks = { languages: 0, pages: 0, unused: 0 }
  for (const { key } of texts.keys) {
    for (const language of texts.languages) {
      if (!downloaded.includes(sentinel({ key, language, text: '' }))) continue
      if (language !== shown) leaks.languages++
      else if (one?.has(key)) continue
      else if (two?.has(key)) leaks.pages++
      else leaks.unused++
    }
  }
  return leaks
}
