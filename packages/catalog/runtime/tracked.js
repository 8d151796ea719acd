import { message } from './runtime.js'

/**
 * Returns the function that creates messages whose calls a framework tracks.
 * @param {() => unknown} read Reads what the framework tracks.
 */
export const trackedMessage =
  (read) => (/** @type {any} */ pack, /** @type {string | number} */ index) => {
    const translate = message(pack, index)
    return (/** @type {any} */ args) => {
      read()
      return translate(args)
    }
  }
