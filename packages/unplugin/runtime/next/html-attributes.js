import { directionOf } from './languages.js'
import { getTimeZone } from './time-zone.js'

/** Returns the attributes of the root element. */
export const htmlAttributes = (language) => ({
  lang: language.replaceAll('_', '-'),
  dir: directionOf(language),
  'data-uilm': language,
  ...(getTimeZone() && { 'data-uilm-time-zone': getTimeZone() }),
})
