/**
 * What messages run on: the language that is shown, and the texts of the
 * packs that are loaded. Emitted as it stands, with the project's configuration put in;
 * a bundler drops what is not used.
 *
 * @typedef {string | ((args: any, plural: Plural) => string)} Entry
 * @typedef {(count: number, language?: string) => string} Plural
 * @typedef {{ readonly [index: string | number]: Entry }} Texts
 * @typedef {(language: string) => Promise<{ default: Texts }>} Load
 * @typedef {{ texts: Texts, load: Load }} Pack
 */

const config = /* @__PURE__ */ (() => __UILM_CONFIG__)()

/** @type {any} */
const scope = globalThis

/** Codes of the languages that there are, the default first. */
export const languages = /* @__PURE__ */ config.languages.map(([code]) => code)

/** The language in which a text without translation is shown. */
export const defaultLanguage = config.defaultLanguage

/** Readable name of a language. @param {string} language */
export const languageName = (language) =>
  config.languages.find(([code]) => code === language)?.[1] ?? language

/** `rtl` for languages that are written from right to left. @param {string} language */
export const directionOf = (language) =>
  /^(?:ar|arc|arz|azb|bal|bqi|ckb|dv|fa|glk|ha-arab|he|iw|khw|ks|ku-arab|lrc|mzn|nqo|pa-arab|pnb|ps|sd|syr|ug|ur|yi|uz-arab)(?![a-z])/i.test(
    language,
  )
    ? 'rtl'
    : 'ltr'

/**
 * The language to begin with: the one that was chosen last, else the first of
 * the browser's that there is (`de-AT` finds `de-DE`), else the default.
 */
export const detectLanguage = () => {
  /** @type {string[]} */
  const wanted = []
  // Servers may have these globals too, and they say nothing of a visitor.
  if (scope.document) {
    try {
      wanted.push(scope.localStorage.getItem(config.storageKey) ?? '')
    } catch {
      // Storage can be forbidden; the browser's languages remain.
    }
    wanted.push(...(scope.navigator?.languages ?? []))
  }
  for (const code of wanted) {
    const base = code.split('-')[0]
    const found =
      languages.find((language) => language.toLowerCase() === code.toLowerCase()) ??
      (base && languages.find((language) => language.split('-')[0] === base))
    if (found) return found
  }
  return config.defaultLanguage
}

let current = detectLanguage()
let wanted = current
/** @type {Pack[]} */
const packs = []
/** @type {Set<() => void>} */
const listeners = new Set()
let changes = 0
/** @type {Record<string, Intl.PluralRules>} */
const rules = Object.create(null)

/** @type {Plural} */
const plural = (count, language = current) =>
  (rules[language] ??= new Intl.PluralRules(language)).select(count)

/**
 * Registers the texts of a chunk and waits for them in the current language.
 * @param {Load} load
 */
export const pack = async (load) => {
  /** @type {Pack} */
  const entry = { load, texts: {} }
  let language
  // The language may change while the texts are on their way.
  do {
    language = current
    entry.texts = (await load(language)).default
  } while (language !== current)
  // Not before they are there: texts that cannot be loaded must not hold back a later switch.
  packs.push(entry)
  return entry
}

/**
 * The message at `index` of a pack.
 * @param {Pack} entry
 * @param {string | number} index
 */
export const message = (entry, index) => (/** @type {any} */ args) => {
  const text = entry.texts[index]
  return typeof text === 'function' ? text(args, plural) : /** @type {string} */ (text)
}

/** Tells everyone that texts have changed. */
export const changed = () => {
  changes++
  for (const listener of listeners) listener()
}

/** The language that is shown. */
export const getLanguage = () => current

/** A number that grows with every change of language or text. */
export const getChanges = () => changes

/**
 * Calls `listener` after every change of language or text.
 * @param {() => void} listener
 */
export const subscribe = (listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Shows another language once the texts of all loaded chunks are there; until
 * then, and when one cannot be loaded, nothing changes. Of several calls at
 * once the last one counts.
 * @param {string} language
 */
export const setLanguage = async (language) => {
  if (!languages.includes(language)) {
    throw new RangeError(`There is no language "${language}"; there are ${languages.join(', ')}`)
  }
  wanted = language
  /** @type {Map<Pack, Texts>} */
  const texts = new Map()
  // Chunks may arrive while others are awaited.
  while (texts.size < packs.length) {
    await Promise.all(
      packs.map(async (entry) => {
        if (!texts.has(entry)) texts.set(entry, (await entry.load(language)).default)
      }),
    )
  }
  if (wanted !== language) return
  for (const [entry, loaded] of texts) entry.texts = loaded
  current = language
  applyLanguage()
  try {
    // What was detected is not remembered: nobody has chosen it.
    if (scope.document) scope.localStorage.setItem(config.storageKey, current)
  } catch {
    // A page that may not store shows the language all the same.
  }
  changed()
}

/** Sets `lang` and `dir` of the document. */
const applyLanguage = () => {
  if (!scope.document) return
  scope.document.documentElement.lang = current
  scope.document.documentElement.dir = directionOf(current)
}
applyLanguage()
