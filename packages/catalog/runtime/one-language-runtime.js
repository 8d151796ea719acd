// Runtime of a build for one language, whose messages contain their translations.
import { directionOf, tagOf } from './languages.js'
import { initialLanguage } from './project.js'
import { createScope, currentScope } from './scope.js'
import { scoped } from './scoped.js'
import { canonicalTimeZone, getTimeZone } from './time-zone.js'

/** @import { Plural } from './types.js' */

export * from './changes.js'
export { defaultLanguage } from './project.js'
export { languages } from './project.js'
export { directionOf } from './languages.js'
export { languageName } from './languages.js'
export * from './time-zone.js'

const language = /** @type {string} */ (initialLanguage)

export const getLanguage = () => language
export const detectLanguage = getLanguage
// The only language that a server can respond in.
export const closestLanguage = getLanguage

/** @param {string} other */
export const setLanguage = async (other) => {
  if (other !== language) throw new RangeError(`This build contains only the language ${language}`)
}

export const htmlAttributes = () => ({
  lang: tagOf(language),
  dir: directionOf(language),
  'data-uilm': language,
  ...(getTimeZone() && { 'data-uilm-time-zone': getTimeZone() }),
})

/** @type {Record<string, Intl.PluralRules>} */
const rules = {}
/** @param {number} count */
const select = (count, code = language) =>
  (rules[code] ??= new Intl.PluralRules(code)).select(count)
export const plural = /* @__PURE__ */ Object.defineProperty(
  /** @type {Plural} */ (/** @type {unknown} */ (select)),
  'timeZone',
  { get: getTimeZone },
)

/**
 * Messages of this build are functions of their own, so that nothing calls this one. Adapters of
 * reactive frameworks import it.
 *
 * @param {readonly unknown[]} pack
 * @param {number} index
 */
export const message = (pack, index) => pack[index]

/** @param {string} other @param {{ readonly timeZone?: string | undefined }} [options] */
export const createLocalizer = async (other, options) => {
  await setLanguage(other)
  scoped.timeZone = () => currentScope()?.timeZone
  return createScope({ language, timeZone: canonicalTimeZone(options?.timeZone) })
}
