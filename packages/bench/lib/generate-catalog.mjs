import { createRandom, seedOf } from './random.mjs'
import { alphabets, languageCodes, moduleNames, parameterNames, words } from './vocabulary.mjs'

/**
 * Messages of a generated project: UPPER_SNAKE keys, each translated to every language,
 * with the lengths of real interface messages (a third have one or two words, a tenth are
 * whole sentences) and a parameter in every seventh. The default language uses English
 * words; a translation has the same parameters and as many words, built from the language's
 * own syllables, so that it compresses like real text.
 *
 * @typedef {object} GeneratedCatalog
 * @property {readonly string[]} languages the default first
 * @property {readonly string[]} modules in code-point order
 * @property {readonly GeneratedMessage[]} messages in code-point order of module and key
 *
 * @typedef {object} GeneratedMessage
 * @property {string} module
 * @property {string} key
 * @property {readonly string[]} params
 * @property {Readonly<Record<string, string>>} translations by language, with parameters as
 *   `{{name}}`
 *
 * @typedef {(translation: { text: string, key: string, language: string }) => string} Decorate
 */

/**
 * @param {object} size
 * @param {number} size.keys
 * @param {number} size.languages at most 20
 * @param {number} [size.modules]
 * @param {number} [size.seed]
 * @param {Decorate} [size.decorate] transforms each translation
 * @returns {GeneratedCatalog}
 */
export function generateCatalog({ keys, languages, modules = 10, seed = 1, decorate }) {
  const codes = languageCodes.slice(0, languages)
  if (codes.length < languages)
    throw new RangeError(`languages must be at most ${codes.length} (received ${languages})`)
  const names = moduleNames.slice(0, modules).sort()
  const random = createRandom(seed)
  const translators = new Map(codes.map((code) => [code, createTranslator(code)]))
  const taken = new Set()
  const generated = Array.from({ length: keys }, (_, index) => {
    const module = /** @type {string} */ (names[Math.floor((index * names.length) / keys)])
    const shape = randomShape(random)
    const key = uniqueKey(shape, module, taken)
    const translations = Object.fromEntries(
      codes.map((language) => {
        const translate = /** @type {(word: string) => string} */ (translators.get(language))
        const text = printText(shape, translate)
        return [language, decorate ? decorate({ text, key, language }) : text]
      }),
    )
    const params = shape.flatMap((part) => (part.param ? [part.param] : []))
    return { module, key, params, translations }
  })
  generated.sort((a, b) => compare(a.module, b.module) || compare(a.key, b.key))
  return { languages: codes, modules: names, messages: generated }
}

/** @typedef {{ word?: string, param?: string, end?: string }} Part */

/** @param {import('./random.mjs').Random} random @returns {Part[]} */
function randomShape(random) {
  const kind = random.next()
  const length =
    kind < 0.35 ? 1 + random.below(2) : kind < 0.93 ? 2 + random.below(6) : 8 + random.below(16)
  /** @type {Part[]} */
  const parts = Array.from({ length }, () => ({ word: random.pickEarly(words) }))
  // Labels rarely begin with a function word.
  if (length <= 2) parts[0] = { word: random.pick(words.slice(23)) }
  if (random.next() < 0.15) {
    const param = random.pick(parameterNames)
    parts.splice(random.below(length + 1), 0, { param })
    if (random.next() < 0.2 && param !== 'name')
      parts.splice(random.below(length), 0, { param: 'name' })
  }
  if (length > 4) parts.push({ end: random.pick(['.', '.', '.', '!', '?', '…']) })
  return parts
}

/** @param {readonly Part[]} shape @param {(word: string) => string} translate */
function printText(shape, translate) {
  let text = ''
  for (const { word, param, end } of shape) {
    if (end) text += end
    else text += (text && ' ') + (param ? `{{${param}}}` : translate(/** @type {string} */ (word)))
  }
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** @param {readonly Part[]} shape @param {string} module @param {Set<string>} taken */
function uniqueKey(shape, module, taken) {
  const name = shape
    .flatMap(({ word }) => word ?? [])
    .slice(0, 4)
    .join('_')
    .toUpperCase()
  let key = name
  // Unique across modules, since some peers have no modules.
  for (let number = 2; taken.has(key); number++) key = `${name}_${number}`
  taken.add(key)
  return key
}

/** Maps each English word to one invented word. @param {string} language */
function createTranslator(language) {
  const [base = ''] = language.split('-')
  if (base === 'en') return (/** @type {string} */ word) => word
  const [consonants, vowels] = /** @type {[string, string]} */ (
    alphabets[base] ?? alphabets['default']
  )
  const random = createRandom(seedOf(language))
  const known = new Map()
  return (/** @type {string} */ word) => {
    let translated = known.get(word)
    if (translated === undefined) {
      const syllables = Math.max(1, Math.round((word.length * (0.8 + random.next() * 0.6)) / 2))
      translated = Array.from(
        { length: syllables },
        () => random.pickEarly([...consonants]) + random.pickEarly([...vowels]),
      ).join('')
      known.set(word, translated)
    }
    return translated
  }
}

/**
 * Prints the argument of a call as `{ name: 'x' }`, or an empty string without parameters.
 *
 * @param {GeneratedMessage} message
 * @param {(param: string) => string} printValue
 */
export const printArgument = ({ params }, printValue) =>
  params.length === 0
    ? ''
    : `{ ${params.map((name) => `${name}: ${printValue(name)}`).join(', ')} }`

/** @param {string} a @param {string} b */
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
