// The language and the time zone of work that a localizer runs. Shared by the module graphs of Next.js, each
// of which has a copy of this file.

const shared = (globalThis[Symbol.for('servicekit.uilm.scope')] ??= create())

function create() {
  const Storage =
    globalThis.AsyncLocalStorage ??
    globalThis.process?.getBuiltinModule?.('node:async_hooks').AsyncLocalStorage
  return Storage ? new Storage() : { getStore: () => undefined, run: (_, work) => work() }
}

/** Returns the language of the localizer that runs; undefined outside. */
export const scopedLanguage = () => shared.getStore()?.language
/** Returns the time zone of the localizer that runs; undefined outside. */
export const scopedTimeZone = () => shared.getStore()?.timeZone

export const runInLanguage = (language, work, timeZone) => shared.run({ language, timeZone }, work)
