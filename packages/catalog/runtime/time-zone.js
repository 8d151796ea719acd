// Time zone of formatted dates.
import { changed } from './changes.js'
import { root } from './root.js'
import { scoped } from './scoped.js'

/** At first that in which the server rendered the page. @type {string | undefined} */
let timeZone = root?.dataset.uilmTimeZone

/** Returns the time zone of formatted dates; undefined for that of the machine. */
export const getTimeZone = () => scoped.timeZone?.() ?? timeZone

/**
 * Returns the one name of a time zone under which its formatters are cached, so that other
 * spellings in requests do not fill the memory.
 * @type {(name?: string) => string | undefined}
 */
export const canonicalTimeZone = (name) =>
  name && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone

/** Changes the time zone of formatted dates. @param {string} [name] */
export const setTimeZone = (name) => {
  timeZone = canonicalTimeZone(name)
  changed()
}
