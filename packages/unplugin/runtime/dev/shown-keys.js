// Keys by the texts that the page shows, wherever a framework has put them.

/** @typedef {{ readonly module: string, readonly key: string }} KeyId */

const maxTexts = 5000
/** @type {Map<string, KeyId>} */
const keysByText = new Map()

/** Records that a text of a key is shown. @param {string} shown @param {KeyId} id */
export const record = (shown, id) => {
  const text = normalise(shown)
  // The last one wins, and is removed last.
  keysByText.delete(text)
  keysByText.set(text, id)
  const [oldest] = keysByText.keys()
  if (keysByText.size > maxTexts && oldest !== undefined) keysByText.delete(oldest)
}

/** Returns the key of the whole text of an element, or else of the longest part of it. */
export const findKey = (/** @type {unknown} */ target) => {
  if (!(target instanceof Element)) return undefined
  const texts = textsOf(target)
  const whole = texts.find((text) => keysByText.has(text))
  const parts = [...keysByText.keys()].filter((part) => texts.some((text) => text.includes(part)))
  return keysByText.get(whole ?? parts.sort((a, b) => b.length - a.length)[0] ?? '')
}

/** Returns the innermost elements that show one of the keys of a module. */
export const elementsOf = (/** @type {string} */ module, /** @type {readonly string[]} */ keys) => {
  const texts = [...keysByText]
    .filter(([text, id]) => text !== '' && id.module === module && keys.includes(id.key))
    .map(([text]) => text)
  if (texts.length === 0) return []
  const elements = [...document.body.querySelectorAll('*:not(script, style)')]
  const whole = elements.filter((element) =>
    textsOf(element).some((shown) => texts.includes(shown)),
  )
  const showing =
    whole.length > 0
      ? whole
      : elements.filter((element) =>
          textsOf(element).some((shown) => texts.some((text) => shown.includes(text))),
        )
  return showing.filter(
    (element) => !showing.some((other) => other !== element && element.contains(other)),
  )
}

const attributes = ['placeholder', 'title', 'aria-label', 'alt']

/** Returns the text of an element, its value, and the texts of its attributes. */
const textsOf = (/** @type {Element} */ element) =>
  [
    element.textContent,
    'value' in element ? element.value : undefined,
    ...attributes.map((name) => element.getAttribute(name)),
  ]
    .filter((text) => typeof text === 'string')
    .map(normalise)

const normalise = (/** @type {string} */ text) => text.replaceAll(/\s+/g, ' ').trim()
