// Inspector of messages in development. It records the key of each text, so that a click on a text
// finds its key. Alt+Shift+K or `uilm.showKeys()` shows keys instead of texts.
import { changed, getLanguage } from '~uilm'
import { openInConsole } from './console-frame.js'
import { modifier, url } from './settings.js'
import { findKey, record } from './shown-keys.js'

/** @typedef {(args?: any) => any} Message */

const page = globalThis.document
const storageKey = 'uilm-show-keys'

const readStored = () => {
  try {
    return sessionStorage.getItem(storageKey) === 'true'
  } catch {
    return false
  }
}
let areKeysShown = page ? readStored() : false

/**
 * Returns a message whose texts are recorded.
 * @param {Message} message @param {string} module @param {string} key
 * @returns {Message}
 */
export const inspected = (message, module, key) => (args) => {
  // Always called, because frameworks track what is read.
  // Returns nothing for a key that was deleted while the page is open.
  const translation = message(args) ?? key
  if (!page) return translation
  const shown = areKeysShown ? key : translation
  // The texts of a message with tags are in several elements.
  for (const part of [shown].flat()) {
    if (typeof part === 'string' && part.trim()) record(part, { module, key })
  }
  return shown
}

/** @type {Map<string, { readonly wrap: unknown, readonly message: Message }>} */
const messages = new Map()

/**
 * Creates the messages of a module, each once for all modules that import it.
 * @param {string} module
 * @param {(pack: object, name: string) => Message} create
 * @param {object} pack
 */
export const creator =
  (module, create, pack) =>
  /** @param {string} name @param {(message: Message) => Message} [wrap] */
  (name, key = name, wrap) => {
    const id = `${module}/${name}`
    const known = messages.get(id)
    if (known && known.wrap === wrap) return known.message
    const recorded = inspected(create(pack, name), module, key)
    const message = wrap ? wrap(recorded) : recorded
    messages.set(id, { wrap, message })
    return message
  }

const showKeys = (on = !areKeysShown) => {
  areKeysShown = on
  try {
    sessionStorage.setItem(storageKey, String(on))
  } catch {
    // Storage may be forbidden.
  }
  changed()
}

/** Opens the key of a text on which the user clicked, in the console or at the configured URL. */
const openKey = (/** @type {import('./shown-keys.js').KeyId} */ id) => {
  const values = { ...id, language: getLanguage() }
  page.dispatchEvent(new CustomEvent('uilm-key', { detail: values }))
  console.info(`[uilm] ${id.key} of ${id.module}`)
  if (openInConsole(id)) return
  navigator.clipboard?.writeText(id.key).catch(() => undefined)
  if (url === '') return
  const address = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => encodeURIComponent(value)),
    url,
  )
  globalThis.open(address, '_blank', 'noopener')
}

const isPressed = (/** @type {MouseEvent} */ event) =>
  ({
    alt: event.altKey,
    ctrl: event.ctrlKey,
    meta: event.metaKey,
    shift: event.shiftKey,
    none: false,
  })[modifier]

if (page) {
  page.addEventListener(
    'click',
    (event) => {
      const id = isPressed(event) ? findKey(event.target) : undefined
      if (!id) return
      event.preventDefault()
      event.stopPropagation()
      openKey(id)
    },
    true,
  )
  page.addEventListener('keydown', (event) => {
    const isShortcut = event.altKey && event.shiftKey && event.code === 'KeyK'
    if (isShortcut && modifier !== 'none') showKeys()
  })
  Object.assign(globalThis, { uilm: { showKeys } })
}
