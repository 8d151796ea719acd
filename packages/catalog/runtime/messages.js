// The current language, and the translations of the loaded packs.
import { changed, getChanges } from './changes.js'
import { detectLanguage } from './detect-language.js'
import { checkLanguage, directionOf, tagOf } from './languages.js'
import { cookieName, initialLanguage, storageKey, storesCookie } from './project.js'
import { root } from './root.js'
import { scoped } from './scoped.js'
import { getTimeZone } from './time-zone.js'

/** @import { Entries, Load, Pack, Plural } from './types.js' */

let current = initialLanguage ?? detectLanguage()
/** Language of the last call of `setLanguage`. */
let wanted = current
/** @type {Pack[]} */
export const packs = []

/** Returns the current language. */
export const getLanguage = () => scoped.language?.() ?? current

/** Returns the language of the page, also while it is being loaded. */
export const getWantedLanguage = () => wanted

/** @type {Record<string, Intl.PluralRules>} */
const rules = {}
/** @param {number} count */
const select = (count, language = getLanguage()) =>
  (rules[language] ??= new Intl.PluralRules(language)).select(count)
const plural = /* @__PURE__ */ Object.defineProperty(
  /** @type {Plural} */ (/** @type {unknown} */ (select)),
  'timeZone',
  { get: getTimeZone },
)

/**
 * Registers a pack and loads its translations in the current language.
 * @param {Load} load
 */
export const pack = async (load) => {
  /** @type {Pack} */
  const entry = { load, entries: {} }
  let before
  // The language may change while the translations are being loaded.
  do {
    before = getChanges()
    entry.entries = (await load(current)).default
  } while (before !== getChanges())
  // Not registered earlier: a pack that cannot be loaded must not prevent a later switch.
  packs.push(entry)
  await scoped.loadAll?.(entry)
  return entry
}

/**
 * Creates the function of the message at `index` of a pack.
 * @param {Pack} entry
 * @param {string | number} index
 */
export const message = (entry, index) => (/** @type {any} */ args) => {
  const text = (entry.by?.[scoped.language?.() ?? ''] ?? entry.entries)[index]
  return typeof text === 'function' ? text(args, plural) : /** @type {string} */ (text)
}

/** Returns the attributes of the root element, for pages that a server renders. */
export const htmlAttributes = (language = getLanguage()) => ({
  lang: tagOf(language),
  dir: directionOf(language),
  'data-uilm': language,
  ...(getTimeZone() && { 'data-uilm-time-zone': getTimeZone() }),
})

/**
 * Loads all packs while a language is wanted. None is replaced.
 * @param {string} language
 * @param {(pack: Pack) => Promise<{ readonly default: Entries }>} load
 */
export const loadPacks = async (language, load) => {
  for (;;) {
    const before = getChanges()
    /** @type {Map<Pack, Entries>} */
    const loaded = new Map()
    // Packs may be registered while others are being loaded.
    while (loaded.size < packs.length) {
      await Promise.all(
        packs.map(async (entry) => {
          if (!loaded.has(entry)) loaded.set(entry, (await load(entry)).default)
        }),
      )
    }
    if (before === getChanges() || wanted !== language) return loaded
  }
}

/** Shows loaded packs. @type {(loaded: Map<Pack, Entries>, language: string) => void} */
export const showPacks = (loaded, language) => {
  for (const [entry, entries] of loaded) entry.entries = entries
  wanted = current = language
  applyLanguage()
}

/**
 * Changes the current language as soon as all packs are loaded in it. If one cannot be
 * loaded, nothing changes. The last of several concurrent calls wins.
 * @param {string} language
 */
export const setLanguage = async (language) => {
  checkLanguage(language)
  wanted = language
  // Without packs to load, as in programs with static imports, the language changes at once.
  let loaded = new Map()
  try {
    if (packs.length > 0) loaded = await loadPacks(language, ({ load }) => load(language))
  } catch (error) {
    if (wanted === language) wanted = current
    throw error
  }
  if (wanted !== language) return
  showPacks(loaded, language)
  if (root) storeLanguage()
  changed()
}

/** Stores the language. A detected language is not stored: the user did not select it. */
const storeLanguage = () => {
  if (storesCookie) {
    root.ownerDocument.cookie = `${cookieName}=${current};path=/;max-age=31536000;samesite=lax`
  }
  try {
    localStorage.setItem(storageKey, current)
  } catch {
    // Storage may be forbidden.
  }
}

/** Sets `lang` and `dir` of the document. */
const applyLanguage = () => {
  if (!root) return
  root.lang = tagOf(current)
  root.dir = directionOf(current)
}
applyLanguage()
