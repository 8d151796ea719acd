// Localizers: languages of requests on a server, in addition to the current one.
import { checkLanguage } from './languages.js'
import { packs } from './messages.js'
import { languages } from './project.js'
import { createScope, currentScope, shared } from './scope.js'
import { scoped } from './scoped.js'
import { canonicalTimeZone } from './time-zone.js'

/** @import { Pack } from './types.js' */

/** Makes the messages of this copy of the runtime follow the localizers of all copies. */
export const joinLocalizers = () => {
  if (scoped.language) return
  scoped.language = () => {
    const language = currentScope()?.language
    // A process may contain projects with different languages.
    return language && languages.includes(language) ? language : undefined
  }
  scoped.timeZone = () => currentScope()?.timeZone
  scoped.loadAll = loadAll
  shared.copies.add(() => Promise.all(packs.map(loadAll)))
}

/** Loads a pack in the languages of all localizers. @param {Pack} pack */
const loadAll = (pack) => {
  const by = (pack.by ??= {})
  return Promise.all(
    languages.map(async (code) => {
      if (shared.languages.has(code)) by[code] ??= (await pack.load(code)).default
    }),
  )
}

/**
 * Creates a localizer: a language in addition to the current one, for a request on a
 * server. With AsyncLocalStorage, `run` also applies to everything that it awaits.
 * @param {string} language
 * @param {{ readonly timeZone?: string | undefined }} [options]
 */
export const createLocalizer = async (language, options) => {
  checkLanguage(language)
  const timeZone = canonicalTimeZone(options?.timeZone)
  joinLocalizers()
  shared.languages.add(language)
  await Promise.all([...shared.copies].map((load) => load()))
  return createScope({ language, timeZone })
}
