import { directionOf } from './languages.js'
import { getTimeZone } from './time-zone.js'

/** Returns the attributes of the root element. */
export const htmlAttributes = (language, timeZone = getTimeZone()) => ({
  lang: language.replaceAll('_', '-'),
  dir: directionOf(language),
  'data-uilm': language,
  ...(timeZone && { 'data-uilm-time-zone': timeZone }),
})
