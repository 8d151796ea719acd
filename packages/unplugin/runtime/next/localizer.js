import { languages } from './languages.js'
import { runInLanguage } from '#scope'

export { htmlAttributes } from './html-attributes.js'
export { closestLanguage, defaultLanguage, languages } from './languages.js'

/** Creates a localizer: every message within `run` is in its language. */
export const createLocalizer = async (language) => {
  if (!languages.includes(language)) {
    throw new RangeError(`Unknown language "${language}". Known languages: ${languages.join(', ')}`)
  }
  return {
    language,
    translate: (message, ...args) => runInLanguage(language, () => message(...args)),
    run: (work) => runInLanguage(language, work),
  }
}
