import { chosenLanguage } from './chosen-language.js'
import { closestLanguage } from './languages.js'
import { languages } from './project.js'
import { root } from './root.js'

/**
 * Returns the initial language: the chosen one, otherwise the first language of the browser
 * that the project has, otherwise the default language.
 * @type {(codes?: readonly string[]) => string}
 */
export const detectLanguage = (codes = languages) => {
  // Servers may have this global too, but not that of the visitor.
  const ofBrowser = () =>
    (root ? navigator.languages : []).map((code) => closestLanguage(code, codes)).find(Boolean)
  return chosenLanguage(codes) ?? ofBrowser() ?? /** @type {string} */ (codes[0])
}
