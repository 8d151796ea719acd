/**
 * Texts that stand for one key in one language each, so that one can look for them
 * in what was downloaded.
 *
 * @type {import('../texts.mjs').Decorate}
 */
export const sentinel = ({ key, language }) => `<${language}:${key}>`

/**
 * Texts that a visitor downloads and does not see.
 *
 * @typedef {object} Leaks
 * @property {number} languages texts of a language that is not shown, of any key
 * @property {number} pages texts in the language that is shown, of keys of another page alone
 * @property {number} unused texts in the language that is shown, of keys that no page shows
 */

/**
 * @param {import('./visit.mjs').Visit} visit of page one, its texts made by {@link sentinel}
 * @param {import('../texts.mjs').GeneratedTexts} texts
 * @param {import('./app.mjs').Pages} pages
 * @returns {Leaks}
 * @throws {Error} when texts cannot be found in the form in which they were downloaded
 */
export function countLeaks(visit, texts, pages) {
  const downloaded = visit.files.map(({ text }) => text).join('\n')
  const [shown = ''] = texts.languages
  const hidden = pages.one.find(
    ({ key }) => !downloaded.includes(sentinel({ key, language: shown, text: '' })),
  )
  // A form in which the texts that are shown are not found would hide leaks as well.
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
