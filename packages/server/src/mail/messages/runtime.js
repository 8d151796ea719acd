/**
 * Runtime of the messages: the current language, and the translations of the loaded
 * packs. Emitted unchanged except for the configuration of the project. Bundlers remove
 * unused exports.
 *
 */

/*
 * A pack holds the translations of some messages, of one chunk for example: `entries` in
 * the current language, `by` in the languages of localizers.
 */

const outside = globalThis
/** Root element of the page; undefined outside a browser. @type {any} */
const root = (globalThis).document?.documentElement

/** Language codes of the project, starting with the default language. */
export const languages = ["en","de","fr"]

/** Language that is shown if a translation is missing. */
export const defaultLanguage = "en"

/** Display name of a language. @param {string} language */
export const languageName = (language) => ({["en"]:"English",["de"]:"German",["fr"]:"French"})[language] ?? language

/** Text direction of a language: `rtl` for right to left. @param {string} language */
export const directionOf = (language) => ([].includes(language) ? 'rtl' : 'ltr')

/**
 * Returns the language of the project that is closest to a language code: `de-DE` for
 * `de-AT`, `no` for `nb`, `zh-TW` for `zh-HK`. Returns undefined if there is none.
 */
export const closestLanguage = (code, codes = languages) => {
  const base = code.split('-')[0]
  return (
    codes.find((language) => language.toLowerCase() === code.toLowerCase()) ??
    [code, base]

      .find((one) => one && codes.includes(one)) ??
    (base && codes.find((language) => language.split('-')[0] === base))
  )
}

/**
 * Returns the initial language: the one of a server-rendered page
 * (`<html data-uilm="de-DE">`), otherwise the one that the user selected last, otherwise
 * the first language of the browser that the project has, otherwise the default language.
 */
export const detectLanguage = (codes = languages) => {
  const wanted = [root?.dataset.uilm ?? '']
  // Servers may have these globals too, but not those of the visitor.
  if (root) {
    try {
      wanted.push(localStorage.getItem("uilm-language") ?? '')
    } catch {
      // Storage may be forbidden.
    }
    wanted.push(...navigator.languages)
  }
  return (
    wanted.map((code) => closestLanguage(code, codes)).find(Boolean) ??
(codes[0])
  )
}

let current = detectLanguage()
let wanted = current
const packs = []
// These are set only by `joinLocalizers`, so that bundles for browsers do not contain them.
/** Returns the language of the active localizer. @type {(() => string | undefined) | undefined} */
let scoped
/** Loads a pack in the languages of all localizers. @type {((pack: Pack) => Promise<unknown>) | undefined} */
let complete
const rules = {}
/**
 * What translations need of the page: plural categories, and the time zone of dates.
 */
const plural = (count, language = getLanguage()) =>
  (rules[language] ??= new Intl.PluralRules(language)).select(count)
// The one in which the server rendered the page.
plural.timeZone = root?.dataset.uilmTimeZone

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
 */
const canonicalTimeZone = (name) =>
  name && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone

/** Changes the time zone of formatted dates. @param {string} [name] */
export const setTimeZone = (name) => {
  plural.timeZone = canonicalTimeZone(name)
  changed()
}

/**
 * Registers a pack and loads its translations in the current language.
 */
export const pack = async (load) => {
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
 */
export const message = (entry, index) => (args) => {
  const text = ((scoped && entry.by?.[scoped() ?? '']) || entry.entries)[index]
  return typeof text === 'function' ? text(args, plural) : (text)
}

/** Returns the current language. */
export const getLanguage = () => scoped?.() ?? current

/**
 * Returns a language code as HTML has it: `zh-TW` for `zh_TW`.
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
 */
const loadAll = async (language, load) => {
  for (;;) {
    const before = changes
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

const show = (loaded, language) => {
  for (const [entry, entries] of loaded) entry.entries = entries
  wanted = current = language
  applyLanguage()
}

/**
 * Changes the current language as soon as all packs are loaded in it. If one cannot be
 * loaded, nothing changes. The last of several concurrent calls wins.
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

  try {
    // A detected language is not stored: the user did not select it.
    if (root) localStorage.setItem("uilm-language", current)
  } catch {
    // Storage may be forbidden.
  }
  changed()
}

/**
 * State of the localizers. All copies of the runtime share it, because frameworks bundle a
 * server in several parts.
 */
const shared = /* @__PURE__ */ (() => {
  const Storage =
    outside.process?.getBuiltinModule?.('node:async_hooks').AsyncLocalStorage ??
    outside.AsyncLocalStorage
  return (outside[Symbol.for(`servicekit.${"uilm-language"}`)] ??= {
    storage: Storage && new Storage(),
    /** Languages of all localizers. */
    kept: new Set(),
    /** Functions that load the packs of each copy. */
    copies: new Set(),
  })
})()

/** Returns the functions that call messages in a language and time zone. @param {{ language: string, timeZone: string | undefined }} scope */
const createScope = (scope) => {
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
    translate: (message, ...args) => now(() => message(...args)),
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
 */
export const createLocalizer = async (language, options) => {
  if (!languages.includes(language)) {
    throw new RangeError(`Unknown language "${language}". Known languages: ${languages.join(', ')}`)
  }
  const timeZone = canonicalTimeZone(options?.timeZone)
  joinLocalizers()
  shared.kept.add(language)
  await Promise.all([...shared.copies].map((load) => load()))
  return createScope({ language, timeZone })
}

/** Sets `lang` and `dir` of the document. */
const applyLanguage = () => {
  if (!root) return
  root.lang = tagOf(current)
  root.dir = directionOf(current)
}
applyLanguage()

let read
/** Calls `reader` before each call of a message, so that a framework tracks it. */
export const onRead = (reader) => {
  const before = read
  read = () => {
    before?.()
    reader()
  }
}
/** Creates the function of a message whose calls are observed. */
export const observedMessage = (entry, index) => {
  const translate = message(entry, index)
  return (args) => {
    read?.()
    return translate(args)
  }
}

/** Creates a pack from the translations in every language. */
export const staticPack = (by) => ({
  by,
  get entries() {
    return by[current]
  },
})
