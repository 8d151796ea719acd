/**
 * Runtime of the messages: the current language, and the translations of the loaded
 * packs. Emitted unchanged except for the project's configuration; bundlers remove
 * what is not used.
 *
 * @typedef {string | ((args: any, plural: Plural) => string)} Entry
 * @typedef {(count: number, language?: string) => string} Plural
 * @typedef {{ readonly [index: string | number]: Entry }} Texts
 * @typedef {(language: string) => Promise<{ default: Texts }>} Load
 * @typedef {{ texts: Texts, load: Load, by?: Record<string, Texts> }} Pack
 */

/** @type {any} */
const outside = globalThis
/** Of the page, where there is one. @type {any} */
const root = /** @type {any} */ (globalThis).document?.documentElement

/** Codes of the languages that there are, the default first. */
export const languages = __UILM_LANGUAGES__

/** The language in which a text without translation is shown. */
export const defaultLanguage = __UILM_DEFAULT__

/** Readable name of a language. @param {string} language */
export const languageName = (language) => __UILM_NAMES__[language] ?? language

/** `rtl` for languages that are written from right to left. @param {string} language */
export const directionOf = (language) => (__UILM_RTL__.includes(language) ? 'rtl' : 'ltr')

/**
 * The language of this project for a code that somebody else has written: `de-AT`
 * finds `de-DE`, `nb` finds `no`, `zh-HK` finds `zh-TW`; nothing where there is none.
 * @type {(code: string) => string | undefined}
 */
export const closestLanguage = (code) => {
  const base = code.split('-')[0]
  return (
    languages.find((language) => language.toLowerCase() === code.toLowerCase()) ??
    [code, base].map((one = '') => __UILM_KIN__[one.toLowerCase()]).find(Boolean) ??
    (base && languages.find((language) => language.split('-')[0] === base))
  )
}

/**
 * The language to begin with: that of a page that a server has rendered
 * (`<html data-uilm="de-DE">`), else the one that was chosen last, else the first of
 * the browser's that there is, else the default.
 */
export const detectLanguage = () => {
  /** @type {string[]} */
  const wanted = [root?.dataset.uilm ?? '']
  // Servers may have these globals too, and they say nothing of a visitor.
  if (root) {
    try {
      wanted.push(localStorage.getItem(__UILM_STORAGE_KEY__) ?? '')
    } catch {
      // Storage can be forbidden; the browser's languages remain.
    }
    wanted.push(...navigator.languages)
  }
  for (const code of wanted) {
    const found = closestLanguage(code)
    if (found) return found
  }
  return defaultLanguage
}

let current = __UILM_BEGIN__
let wanted = current
/** @type {Pack[]} */
const packs = []
/** @type {Set<() => void>} */
const listeners = new Set()
let changes = 0
// Both are set by localizers alone, so that a bundle without them holds nothing of it.
/** The language that is shown here and now, where a localizer says so. @type {(() => string | undefined) | undefined} */
let scoped
/** Loads the texts of a chunk in the languages of all localizers. @type {((pack: Pack) => Promise<unknown>) | undefined} */
let complete
/** @type {Record<string, Intl.PluralRules>} */
const rules = Object.create(null)

/** @type {Plural} */
const plural = (count, language = getLanguage()) =>
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
  if (complete) await complete(entry)
  return entry
}

/**
 * The message at `index` of a pack.
 * @param {Pack} entry
 * @param {string | number} index
 */
export const message = (entry, index) => (/** @type {any} */ args) => {
  const text = ((scoped && entry.by?.[scoped() ?? '']) || entry.texts)[index]
  return typeof text === 'function' ? text(args, plural) : /** @type {string} */ (text)
}

/** Tells everyone that texts have changed. */
export const changed = () => {
  changes++
  for (const listener of listeners) listener()
}

/** The language that is shown. */
export const getLanguage = () => scoped?.() ?? current

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
    if (root) localStorage.setItem(__UILM_STORAGE_KEY__, current)
  } catch {
    // A page that may not store shows the language all the same.
  }
  changed()
}

/**
 * A language beside the one that is shown, for servers: each request has its own.
 * Where there is AsyncLocalStorage, all that `run` awaits is in its language too.
 * @param {string} language
 */
export const createLocalizer = async (language) => {
  if (!languages.includes(language)) {
    throw new RangeError(`There is no language "${language}"; there are ${languages.join(', ')}`)
  }
  kept.add(language)
  scoped ??= () => active ?? storage?.getStore()
  complete ??= (entry) => {
    const by = (entry.by ??= {})
    return Promise.all(
      [...kept].map(async (code) => (by[code] ??= (await entry.load(code)).default)),
    )
  }
  await Promise.all(packs.map(complete))
  /** @type {(work: () => any) => any} */
  const now = (work) => {
    const before = active
    active = language
    try {
      return work()
    } finally {
      active = before
    }
  }
  return {
    language,
    /** @type {(message: (...args: any[]) => string, ...args: any[]) => string} */
    text: (message, ...args) => now(() => message(...args)),
    /** @type {(work: () => any) => any} */
    run: (work) => {
      if (storage) return storage.run(language, work)
      const result = now(work)
      if (typeof result?.then !== 'function') return result
      throw new TypeError(
        'There is no AsyncLocalStorage here: run what awaits nothing, or use text',
      )
    },
  }
}
/** Languages of all localizers. @type {Set<string>} */
const kept = /* @__PURE__ */ new Set()
/** The language of what runs now and awaits nothing. @type {string | undefined} */
let active
const storage = /* @__PURE__ */ (() => {
  const Storage =
    outside.process?.getBuiltinModule?.('node:async_hooks').AsyncLocalStorage ??
    outside.AsyncLocalStorage
  return Storage && new Storage()
})()

/** Sets `lang` and `dir` of the document. */
const applyLanguage = () => {
  if (!root) return
  root.lang = current
  root.dir = directionOf(current)
}
applyLanguage()
