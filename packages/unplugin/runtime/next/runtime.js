import { languages } from './languages.js'
import { runInLanguage } from '#scope'
import { canonicalTimeZone } from './time-zone.js'

export { htmlAttributes } from './html-attributes.js'
export { closestLanguage, defaultLanguage, languages } from './languages.js'

/** Creates a localizer: every message within `run` is in its language. */
export const createLocalizer = async (language, options) => {
  if (!languages.includes(language)) {
    throw new RangeError(`Unknown language "${language}". Known languages: ${languages.join(', ')}`)
  }
  const timeZone = canonicalTimeZone(options?.timeZone)
  const run = (work) => runInLanguage(language, work, timeZone)
  return { language, translate: (message, ...args) => run(() => message(...args)), run }
}
