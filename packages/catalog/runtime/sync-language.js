// Keeps another library in the language of the messages, in both directions.
import { chosenLanguage } from './chosen-language.js'
import { closestLanguage, getLanguage, setLanguage, subscribe } from './current-language.js'

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
  const lead = () => {
    const codes = getCodes()
    void change(
      codes.includes(selected)
        ? selected
        : (codes.find((code) => closestLanguage(code) === selected) ?? selected),
    )
  }
  const stop = subscribe(() => {
    // The time zone or a translation may have changed.
    if (getLanguage() === current) return
    current = getLanguage()
    if (current === selected) return
    selected = current
    lead()
  })
  if (chosenLanguage() === undefined) follow()
  else if (closestLanguage(getCode() ?? '') !== selected) lead()
  return { follow, stop }
}
