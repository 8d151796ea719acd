/**
 * Runtime of the messages: the current language, and the translations of the loaded
 * packs. Emitted unchanged except for the configuration of the project. Bundlers remove
 * unused exports.
 *
 * @typedef {string | ((args: any, plural: Plural) => string)} Entry
 * @typedef {((count: number, language?: string) => string) & { timeZone?: string | undefined }} Plural
 * @typedef {{ readonly [index: string | number]: Entry }} Entries
 * @typedef {(language: string) => Promise<{ default: Entries }>} Load
 * @typedef {{ entries: Entries, load: Load, by?: Record<string, Entries> }} Pack
 */

/*
 * A pack holds the translations of some messages, of one chunk for example: `entries` in
 * the current language, `by` in the languages of localizers.
 */

/** @type {any} */
const outside = globalThis
/** Root element of the page; undefined outside a browser. @type {any} */
const root = /** @type {any} */ (globalThis).document?.documentElement

/** Language codes of the project, starting with the default language. */
export const languages = __UILM_LANGUAGES__

/** Language that is shown if a translation is missing. */
export let defaultLanguage = __UILM_DEFAULT__

/** Display name of a language. @param {string} language */
export const languageName = (language) => __UILM_NAMES__[language] ?? language

/** Text direction of a language: `rtl` for right to left. @param {string} language */
export const directionOf = (language) => (__UILM_RTL__.includes(language) ? 'rtl' : 'ltr')

/**
 * Returns the language of the project that is closest to a language code: `de-DE` for
 * `de-AT`, `no` for `nb`, `zh-TW` for `zh-HK`. Returns undefined if there is none.
 * @type {(code: string, codes?: readonly string[]) => string | undefined}
 */
export const closestLanguage = (code, codes = languages) => {
  const base = code.split('-')[0]
  return (
    codes.find((language) => language.toLowerCase() === code.toLowerCase()) ??
    [code, base]
      .map((one = '') => __UILM_ALIASES__[one.toLowerCase()])
      .find((one) => one && codes.includes(one)) ??
    (base && codes.find((language) => language.split('-')[0] === base))
  )
}

/**
 * Returns the initial language: the one of a server-rendered page
 * (`<html data-uilm="de-DE">`), otherwise the one that the user selected last, otherwise
 * the first language of the browser that the project has, otherwise the default language.
 * @type {(codes?: readonly string[]) => string}
 */
export const detectLanguage = (codes = languages) => {
  /** @type {string[]} */
  const wanted = [root?.dataset.uilm ?? '']
  // Servers may have these globals too, but not those of the visitor.
  if (root) {
    try {
      wanted.push(localStorage.getItem(__UILM_STORAGE_KEY__) ?? '')
    } catch {
      // Storage may be forbidden.
    }
    wanted.push(...navigator.languages)
  }
  return (
    wanted.map((code) => closestLanguage(code, codes)).find(Boolean) ??
    /** @type {string} */ (codes[0])
  )
}

let current = __UILM_BEGIN__
let wanted = current
/** @type {Pack[]} */
const packs = []
// These are set only by `joinLocalizers`, so that bundles for browsers do not contain them.
/** Returns the language of the active localizer. @type {(() => string | undefined) | undefined} */
let scoped
/** Loads a pack in the languages of all localizers. @type {((pack: Pack) => Promise<unknown>) | undefined} */
let complete
/** @type {Record<string, Intl.PluralRules>} */
const rules = {}
/**
 * What translations need of the page: plural categories, and the time zone of dates.
 * @type {Plural}
 */
const plural = (count, language = getLanguage()) =>
  (rules[language] ??= new Intl.PluralRules(language)).select(count)
// The one in which the server rendered the page.
plural.timeZone = root?.dataset.uilmTimeZone

// state:start
/** @type {Set<() => void>} */
const listeners = new Set()
let changes = 0

/** Notifies all subscribers of a change. */
export const changed = () => {
  changes++
  for (const listener of listeners) listener()
}

/** Returns a number that increases with every change of the language, the time zone or a translation. */
export const getChanges = () => changes

/**
 * Calls `listener` after every change of the language, the time zone or a translation.
 * Returns a function that unsubscribes.
 * @param {() => void} listener
 */
export const subscribe = (listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the time zone of formatted dates; undefined for that of the machine. */
export const getTimeZone = () => plural.timeZone

/**
 * Returns the one name of a time zone under which its formatters are cached, so that other
 * spellings in requests do not fill the memory.
 * @type {(name?: string) => string | undefined}
 */
const canonicalTimeZone = (name) =>
  name && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone

/** Changes the time zone of formatted dates. @param {string} [name] */
export const setTimeZone = (name) => {
  plural.timeZone = canonicalTimeZone(name)
  changed()
}
// state:end

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
    before = changes
    entry.entries = (await load(current)).default
  } while (before !== changes)
  // Not registered earlier: a pack that cannot be loaded must not prevent a later switch.
  packs.push(entry)
  if (complete) await complete(entry)
  return entry
}

/**
 * Creates the function of the message at `index` of a pack.
 * @param {Pack} entry
 * @param {string | number} index
 */
export const message = (entry, index) => (/** @type {any} */ args) => {
  const text = ((scoped && entry.by?.[scoped() ?? '']) || entry.entries)[index]
  return typeof text === 'function' ? text(args, plural) : /** @type {string} */ (text)
}

/** Returns the current language. */
export const getLanguage = () => scoped?.() ?? current

/**
 * Returns a language code as HTML has it: `zh-TW` for `zh_TW`.
 * @param {string} language
 */
const tagOf = (language) => language.replaceAll('_', '-')

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
 * @param {(pack: Pack) => Promise<{ default: Entries }>} load
 */
const loadAll = async (language, load) => {
  for (;;) {
    const before = changes
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
    if (before === changes || wanted !== language) return loaded
  }
}

/** @type {(loaded: Map<Pack, Entries>, language: string) => void} */
const show = (loaded, language) => {
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
  if (!languages.includes(language)) {
    throw new RangeError(`Unknown language "${language}". Known languages: ${languages.join(', ')}`)
  }
  wanted = language
  // Without packs to load, as in programs with static imports, the language changes at once.
  const loaded =
    packs.length > 0 ? await loadAll(language, ({ load }) => load(language)) : new Map()
  if (wanted !== language) return
  show(loaded, language)
  if (root)
    outside.document.cookie = __UILM_COOKIE__ + current + ';path=/;max-age=31536000;samesite=lax'
  try {
    // A detected language is not stored: the user did not select it.
    if (root) localStorage.setItem(__UILM_STORAGE_KEY__, current)
  } catch {
    // Storage may be forbidden.
  }
  changed()
}

// scope:start
/**
 * State of the localizers. All copies of the runtime share it, because frameworks bundle a
 * server in several parts.
 */
const shared = /* @__PURE__ */ (() => {
  const Storage =
    outside.process?.getBuiltinModule?.('node:async_hooks').AsyncLocalStorage ??
    outside.AsyncLocalStorage
  return (outside[Symbol.for(`servicekit.${__UILM_STORAGE_KEY__}`)] ??= {
    storage: Storage && new Storage(),
    /** Languages of all localizers. */
    kept: new Set(),
    /** Functions that load the packs of each copy. */
    copies: new Set(),
  })
})()

/** Returns the functions that call messages in a language and time zone. @param {{ language: string, timeZone: string | undefined }} scope */
const createScope = (scope) => {
  /** @type {(work: () => any) => any} */
  const now = (work) => {
    const before = shared.active
    shared.active = scope
    try {
      return work()
    } finally {
      shared.active = before
    }
  }
  return {
    language: scope.language,
    /** @type {(message: (...args: any[]) => string, ...args: any[]) => string} */
    translate: (message, ...args) => now(() => message(...args)),
    /** @type {(work: () => any) => any} */
    run: (work) => {
      if (shared.storage) return shared.storage.run(scope, work)
      const result = now(work)
      if (typeof result?.then !== 'function') return result
      throw new TypeError(
        'run() requires AsyncLocalStorage for asynchronous work. Use translate() instead.',
      )
    },
  }
}

/** Makes dates follow the localizers. */
const scopeTimeZone = () => {
  let { timeZone } = plural
  Object.defineProperty(plural, 'timeZone', {
    get: () => (shared.active ?? shared.storage?.getStore())?.timeZone ?? timeZone,
    set: (name) => {
      timeZone = name
    },
  })
}
// scope:end

/** Makes the messages of this copy follow the localizers of all copies. */
const joinLocalizers = () => {
  if (scoped) return
  scoped = () => {
    const language = (shared.active ?? shared.storage?.getStore())?.language
    // A process may contain projects with different languages.
    return language && languages.includes(language) ? language : undefined
  }
  scopeTimeZone()
  const load = (complete = (entry) => {
    const by = (entry.by ??= {})
    return Promise.all(
      languages.map(async (code) => {
        if (shared.kept.has(code)) by[code] ??= (await entry.load(code)).default
      }),
    )
  })
  shared.copies.add(() => Promise.all(packs.map(load)))
}

/**
 * Creates a localizer: a language in addition to the current one, for a request on a
 * server. With AsyncLocalStorage, `run` also applies to everything that it awaits.
 * @param {string} language
 * @param {{ readonly timeZone?: string | undefined }} [options]
 */
export const createLocalizer = async (language, options) => {
  if (!languages.includes(language)) {
    throw new RangeError(`Unknown language "${language}". Known languages: ${languages.join(', ')}`)
  }
  const timeZone = canonicalTimeZone(options?.timeZone)
  joinLocalizers()
  shared.kept.add(language)
  await Promise.all([...shared.copies].map((/** @type {any} */ load) => load()))
  return createScope({ language, timeZone })
}

// live:start
/**
 * Content of the pointer: the hash of the newest packs of a chunk by that of the built ones.
 * @typedef {{ packs: Record<string, string>, languages: Record<string, string>, rtl: readonly string[] }} Pointer
 */
/** Languages of the packs of the build. */
const built = [...languages]
/** @type {Pointer} */
const noPointer = { packs: {}, languages: {}, rtl: [] }
let live = noPointer
/** Pointer whose packs are shown, as text. @type {string | undefined} */
let shown
/** @type {unknown} */
let started
const manifestUrl = root && new URL(root.dataset.uilmLive || __UILM_LIVE_URL__, root.baseURI)

/**
 * Shows the packs of a pointer in one step, as soon as all of them are loaded.
 * @param {Pointer} pointer
 */
const showPointer = async (pointer) => {
  const codes = pointer === noPointer ? built : Object.keys(pointer.languages)
  let language, target, loaded
  // The user may select another language while the packs are being loaded.
  do {
    language = wanted
    const isDetected = language === detectLanguage()
    const next = (target =
      isDetected || !codes.includes(language) ? detectLanguage(codes) : language)
    loaded = await loadAll(language, ({ load }) => /** @type {any} */ (load)(next, pointer))
  } while (wanted !== language)
  live = pointer
  ;/** @type {any} */ (languages).splice(0, languages.length, ...codes)
  defaultLanguage = /** @type {string} */ (codes[0])
  show(loaded, target)
  changed()
}

/** Shows the packs that the pointer names. The page keeps its messages if that fails. */
const check = async () => {
  try {
    const options = { cache: 'no-cache', signal: AbortSignal.timeout(1e4) }
    const text = await (await outside.fetch(manifestUrl, options)).text()
    if (text === shown) return
    const pointer = JSON.parse(text)
    // An error page is no pointer.
    if (!pointer.packs || !pointer.rtl || !Object.keys(pointer.languages)[0]) return
    await showPointer(pointer)
    shown = text
  } catch {
    // The next check tries again.
  }
}

/** Starts the checks. The result is awaited by the first packs. */
const start = () => {
  const first = check()
  if (__UILM_LIVE_CHECK__ === 'navigation') {
    outside.navigation?.addEventListener('currententrychange', check)
  } else if (__UILM_LIVE_CHECK__ !== 'start') setInterval(check, __UILM_LIVE_CHECK__ * 1000)
  return __UILM_LIVE_WAIT__
    ? Promise.race([first, new Promise((done) => setTimeout(done, __UILM_LIVE_WAIT__))])
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
    const loaded = await load((/** @type {string} */ hash, base = './') =>
      packs[hash]
        ? new URL(`uilm-${packs[hash]}.${language}.js`, manifestUrl)
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
  const loadNewest = async (language, pointer) => {
    if (pointer) return loadFrom(language, pointer)
    const loaded = loadFrom(language, live)
    return built.includes(language) ? loaded.catch(() => loadFrom(language, noPointer)) : loaded
  }
  if (root) await (started ??= start())
  try {
    return await pack(loadNewest)
  } catch (error) {
    if (built.includes(current)) throw error
    // The build has no such language: the page returns to its own messages and languages.
    shown = undefined
    await showPointer(noPointer)
    return pack(loadNewest)
  }
}
// live:end

/** Sets `lang` and `dir` of the document. */
const applyLanguage = () => {
  if (!root) return
  root.lang = tagOf(current)
  root.dir = directionOf(current)
}
applyLanguage()
