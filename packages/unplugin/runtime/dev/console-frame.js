// Connects a page with the console that shows it in a frame: the console marks elements in the page,
// and the page tells it which key is under the pointer.
import { getLanguage } from '~uilm'
import { consoles } from './settings.js'
import { elementsOf, findKey } from './shown-keys.js'

/** @import { KeyId } from './shown-keys.js' */

/** Origin of the console. @type {string | undefined} */
let connected

/** Opens a key in the console; returns false without a console. */
export const openInConsole = (/** @type {KeyId} */ id) => post('uilm:open', id)

const post = (/** @type {string} */ type, /** @type {KeyId | undefined} */ id) => {
  if (connected === undefined) return false
  globalThis.parent.postMessage({ type, ...id, language: getLanguage() }, connected)
  return true
}

let hovered = ''
const hover = (/** @type {KeyId | undefined} */ id) => {
  const name = id ? `${id.module}/${id.key}` : ''
  if (name === hovered) return
  if (post('uilm:hover', id)) hovered = name
}

const mark = 'data-uilm-shown'

/** Marks the elements that show a key; none without keys. */
const markElements = (
  /** @type {{ readonly module: string, readonly keys?: readonly string[] }} */ {
    module,
    keys = [],
  },
) => {
  for (const element of document.querySelectorAll(`[${mark}]`)) element.removeAttribute(mark)
  const elements = elementsOf(module, keys)
  for (const element of elements) element.setAttribute(mark, '')
  elements[0]?.scrollIntoView({ block: 'nearest' })
}

if (globalThis.document && consoles.length > 0 && globalThis.parent !== globalThis.window) {
  document.addEventListener('mouseover', ({ target }) => hover(findKey(target)))
  document.documentElement.addEventListener('mouseleave', () => hover(undefined))
  globalThis.addEventListener('message', ({ data, origin, source }) => {
    if (source !== globalThis.parent || !consoles.includes(origin)) return
    if (data?.type === 'uilm:connect') {
      connected = origin
      post('uilm:connected', undefined)
    } else if (data?.type === 'uilm:mark') markElements(data)
  })
  const style = new CSSStyleSheet()
  style.replaceSync(
    `[${mark}] { outline: 3px solid #8250df !important; outline-offset: 2px !important }`,
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
  // Says only that the page is there: its console is not known yet.
  globalThis.parent.postMessage({ type: 'uilm:ready' }, '*')
}
