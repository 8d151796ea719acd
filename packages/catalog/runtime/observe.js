// Messages of a program without a plugin, which the adapters that it loads observe.
import { message } from './messages.js'

/** @import { Pack } from './types.js' */

/** @type {(() => void)[]} */
const readers = []

/**
 * Calls `reader` before each call of a message, so that a framework tracks it.
 * @param {() => void} reader
 */
export const onRead = (reader) => void readers.push(reader)

/**
 * Creates the function of a message whose calls are observed.
 * @param {Pack} pack
 * @param {string | number} index
 */
export const observedMessage = (pack, index) => {
  const translate = message(pack, index)
  return (/** @type {any} */ args) => {
    for (const reader of readers) reader()
    return translate(args)
  }
}
