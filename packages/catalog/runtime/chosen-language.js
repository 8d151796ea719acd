import { closestLanguage } from './languages.js'
import { languages, storageKey } from './project.js'
import { root } from './root.js'

/**
 * Returns the language of a server-rendered page (`<html data-uilm="de-DE">`), otherwise the one
 * that the user selected last. Returns undefined if there is neither.
 * @type {(codes?: readonly string[]) => string | undefined}
 */
export const chosenLanguage = (codes = languages) => {
  // Servers may have a storage too, but not that of the visitor.
  if (!root) return undefined
  const wanted = [root.dataset.uilm]
  try {
    wanted.push(localStorage.getItem(storageKey))
  } catch {
    // Storage may be forbidden.
  }
  return wanted.map((code) => closestLanguage(code ?? '', codes)).find(Boolean)
}
