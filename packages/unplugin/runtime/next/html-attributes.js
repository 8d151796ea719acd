import { directionOf } from './languages.js'

/** Returns the attributes of the root element. */
export const htmlAttributes = (language) => ({
  lang: language.replaceAll('_', '-'),
  dir: directionOf(language),
  'data-uilm': language,
})
