// Languages of the project.
import { aliases, languages, names, rightToLeft } from './project.js'

export { defaultLanguage } from './project.js'
export { languages } from './project.js'

/** Display name of a language. @param {string} language */
export const languageName = (language) => names[language] ?? language

/** Text direction of a language: `rtl` for right to left. @param {string} language */
export const directionOf = (language) => (rightToLeft.includes(language) ? 'rtl' : 'ltr')

/**
 * Returns a language code as HTML has it: `zh-TW` for `zh_TW`.
 * @param {string} language
 */
export const tagOf = (language) => language.replaceAll('_', '-')

/**
 * Returns the language of the project that is closest to a language code: `de-DE` for
 * `de-AT`, `no` for `nb`, `zh-TW` for `zh-HK`. Returns undefined if there is none.
 * @type {(code: string, codes?: readonly string[]) => string | undefined}
 */
export const closestLanguage = (code, codes = languages) => {
  const base = code.split('-')[0]
  return (
    codes.find((language) => language.toLowerCase() === code.toLowerCase()) ??
    [code, base]
      .map((other = '') => aliases[other.toLowerCase()])
      .find((language) => language && codes.includes(language)) ??
    (base && codes.find((language) => language.split('-')[0] === base))
  )
}

/**
 * Throws for a language that the project does not have.
 * @param {string} language
 */
export const checkLanguage = (language) => {
  if (languages.includes(language)) return
  throw new RangeError(`Unknown language "${language}". Known languages: ${languages.join(', ')}`)
}
