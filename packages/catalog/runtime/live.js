// Live updates: a page replaces its packs by newer ones without a new build.
import { changed } from './changes.js'
import { detectLanguage } from './detect-language.js'
import { getLanguage, getWantedLanguage, loadPacks, pack, showPacks } from './messages.js'
import { languages, live, names, rightToLeft, setDefaultLanguage } from './project.js'
import { root } from './root.js'

/** @import { Entries, Pointer } from './types.js' */

/** Packs and languages of the build. @type {Pointer} */
const built = { packs: {}, languages: { ...names }, rtl: [], turn: 0 }
/** Pointer whose packs are shown. */
let current = built
/** Number of pointers that were asked for. */
let turns = 0
/** Result of the first check. @type {unknown} */
let firstCheck

const pointerUrl = () => new URL(root.dataset.uilmLive || live.url, root.baseURI)

/**
 * Shows the packs of a pointer in one step, as soon as all of them are loaded, unless a later
 * pointer was faster.
 * @param {Pointer} pointer
 */
const showPointer = async (pointer) => {
  const codes = Object.keys(pointer.languages)
  if (!codes[0]) return
  let language, loaded
  /** @type {any} */
  let target
  // The user may select another language while the packs are being loaded.
  do {
    language = getWantedLanguage()
    const isDetected = language === detectLanguage()
    target = isDetected || !codes.includes(language) ? detectLanguage(codes) : language
    loaded = await loadPacks(language, ({ load }) => /** @type {any} */ (load)(target, pointer))
  } while (getWantedLanguage() !== language)
  if (pointer.turn < current.turn) return
  // Throws before anything has changed if it is no list.
  rightToLeft.push(...pointer.rtl)
  current = pointer
  languages.splice(0, languages.length, ...codes)
  setDefaultLanguage(/** @type {string} */ (codes[0]))
  Object.assign(names, pointer.languages)
  showPacks(loaded, target)
  changed()
}

/** Returns whether a value is an object of texts; throws for null. @param {object} value */
const isTexts = (value) =>
  value.constructor === Object && Object.values(value).every((one) => typeof one === 'string')

/** Shows the packs that the pointer names. The page keeps its messages if that fails. */
const check = async () => {
  const turn = ++turns
  try {
    const options = { cache: /** @type {const} */ ('no-cache'), signal: AbortSignal.timeout(1e4) }
    const text = await (await fetch(pointerUrl(), options)).text()
    if (text === current.text) return
    const pointer = JSON.parse(text)
    // An error page is no pointer.
    if (!isTexts(pointer.packs) || !isTexts(pointer.languages)) return
    const names = [...Object.values(pointer.packs), ...Object.keys(pointer.languages)]
    // A path would lead to another script.
    if (!names.every((name) => /^[\w-]+$/.test(name))) return
    await showPointer({ ...pointer, turn, text })
  } catch {
    // The next check tries again.
  }
}

/** Starts the checks. The result is awaited by the first packs. */
const start = () => {
  const first = check()
  if (live.check === 'navigation') {
    ;/** @type {any} */ (globalThis).navigation?.addEventListener('currententrychange', check)
  } else if (live.check !== 'start') setInterval(check, live.check * 1000)
  return live.waitMs
    ? Promise.race([first, new Promise((done) => setTimeout(done, live.waitMs))])
    : 1
}

/**
 * Registers the pack of a chunk.
 * @param {(addressOf: (hash: string, base?: string) => string | URL) => Promise<{ default: Entries }>} load
 * @param {number} size Number of its messages.
 */
export const livePack = async (load, size) => {
  /** @type {(language: string, pointer: Pointer) => Promise<any>} */
  const loadFrom = async (language, { packs }) => {
    const loaded = await load((hash, base = './') =>
      packs[hash]
        ? new URL(`uilm-${packs[hash]}.${language}.js`, pointerUrl())
        : `${base}uilm-${hash}.${language}.js`,
    )
    const { default: entries } = loaded
    const isComplete =
      Array.isArray(entries) &&
      entries.length === size &&
      entries.every((entry) => typeof entry === 'string' || typeof entry === 'function')
    if (isComplete) return loaded
    throw new TypeError('Invalid language pack')
  }
  /** @type {(language: string, pointer?: Pointer) => Promise<any>} */
  const loadNewest = (language, pointer) =>
    pointer
      ? loadFrom(language, pointer)
      : // Rejects if the build does not have the language either.
        loadFrom(language, current).catch(() => loadFrom(language, built))
  if (root) await (firstCheck ??= start())
  try {
    return await pack(loadNewest)
  } catch (error) {
    if (getLanguage() in built.languages) throw error
    // The build has no such language: the page returns to its own messages and languages.
    current = built
    await showPointer(built)
    return pack(loadNewest)
  }
}
