// Keeps another library in the language of the messages, in both directions.
import { chosenLanguage } from './chosen-language.js'
import { closestLanguage, getLanguage, setLanguage, subscribe } from './current-language.js'
import { storageKey } from './project.js'

/**
 * Replaces the stored language by its code in the other library, which may read the same key, and
 * knows only its own codes.
 * @param {string} code
 */
const replaceStored = (code) => {
  try {
    if (localStorage.getItem(storageKey) !== null) localStorage.setItem(storageKey, code)
  } catch {
    // Storage may be forbidden.
  }
}

/**
 * @typedef {object} OtherLibrary
 * @property {() => string | undefined} getCode Returns its language.
 * @property {() => readonly string[]} getCodes Returns the languages that it knows.
 * @property {(code: string) => unknown} change Changes its language.
 */

/**
 * Starts in the language that was chosen before, otherwise in that of the other library. Returns
 * the function to call after the other library has changed its language, and the one that ends it.
 * @param {OtherLibrary} other
 */
export const syncWith = ({ getCode, getCodes, change }) => {
  // The last language that was selected in either library: a change of the other one to it is
  // no selection. Both may load translations before they change.
  let selected = getLanguage()
  let current = selected

  const follow = () => {
    const language = closestLanguage(getCode() ?? '')
    if (!language || language === selected) return
    selected = language
    void setLanguage(language)
  }
  /** Returns the code of a language in the other library. @param {string} language */
  const codeOf = (language) => {
    const code = getCode() ?? ''
    if (closestLanguage(code) === language) return code
    const codes = getCodes()
    return codes.includes(language)
      ? language
      : (codes.find((one) => closestLanguage(one) === language) ?? language)
  }
  const lead = () => void change(codeOf(selected))
  const stop = subscribe(() => {
    // The time zone or a translation may have changed.
    if (getLanguage() === current) return
    current = getLanguage()
    replaceStored(codeOf(current))
    if (current === selected) return
    selected = current
    lead()
  })
  const chosen = chosenLanguage()
  const theirs = closestLanguage(getCode() ?? '')
  // With one storage key, the other library may just have stored its own choice, such as `?lng=de`.
  if (chosen === undefined || chosen === theirs) follow()
  else if (theirs !== selected) lead()
  return { follow, stop }
}
