// Language and time zone of the work of localizers.
import { storageKey } from './project.js'

/** @import { Scope } from './types.js' */
/** @typedef {(...args: unknown[]) => unknown} Message */

/**
 * State of the localizers. All copies of the runtime share it, because frameworks bundle a
 * server in several parts.
 * @type {{
 *   readonly storage?: { readonly run: (scope: Scope, work: () => any) => any, readonly getStore: () => Scope | undefined },
 *   active?: Scope | undefined,
 *   readonly languages: Set<string>,
 *   readonly copies: Set<() => Promise<unknown>>,
 * }}
 */
export const shared = /* @__PURE__ */ (() => {
  /** @type {any} */
  const outside = globalThis
  const Storage =
    outside.process?.getBuiltinModule?.('node:async_hooks').AsyncLocalStorage ??
    outside.AsyncLocalStorage
  return (outside[Symbol.for(`servicekit.${storageKey}`)] ??= {
    storage: Storage && new Storage(),
    /** Languages of all localizers. */
    languages: new Set(),
    /** Functions that load the packs of each copy. */
    copies: new Set(),
  })
})()

/** Returns the scope of the work that runs; undefined outside of localizers. */
export const currentScope = () => shared.active ?? shared.storage?.getStore()

/** Returns a localizer: functions that call messages in a language and time zone. @param {Scope} scope */
export const createScope = (scope) => {
  /** @type {(work: () => any) => any} */
  const runNow = (work) => {
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
    translate: (/** @type {Message} */ message, /** @type {unknown[]} */ ...args) =>
      runNow(() => message(...args)),
    /** @type {(work: () => any) => any} */
    run: (work) => {
      if (shared.storage) return shared.storage.run(scope, work)
      const result = runNow(work)
      if (typeof result?.then !== 'function') return result
      throw new TypeError(
        'run() requires AsyncLocalStorage for asynchronous work. Use translate() instead.',
      )
    },
  }
}
