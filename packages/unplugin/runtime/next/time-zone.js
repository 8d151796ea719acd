// Time zone of formatted dates. Each module graph has a copy of this file.
import { scopedTimeZone } from '#scope'

/** At first that in which the server rendered the page. */
let timeZone = globalThis.document?.documentElement.dataset.uilmTimeZone

export const getTimeZone = () => scopedTimeZone() ?? timeZone
export const setTimeZone = (name) => {
  timeZone = canonicalTimeZone(name)
}

/** Returns the time zone in the cookie of a visitor, or that of the server if it is unknown. */
export function timeZoneOfCookie(value) {
  try {
    return canonicalTimeZone(value) ?? timeZone ?? timeZoneOfMachine()
  } catch {
    return timeZone ?? timeZoneOfMachine()
  }
}

const timeZoneOfMachine = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the one name of a time zone under which its formatters are cached. */
export const canonicalTimeZone = (name) =>
  name && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
