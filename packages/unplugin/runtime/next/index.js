// `~uilm` in an application of Next.js.
import { getLanguage, getTimeZone } from '#language'
import { htmlAttributes as attributesOf } from './html-attributes.js'

export * from './languages.js'
export {
  detectLanguage,
  getChanges,
  getLanguage,
  getTimeZone,
  setLanguage,
  setTimeZone,
  subscribe,
} from '#language'
export const htmlAttributes = (language = getLanguage()) => attributesOf(language, getTimeZone())
