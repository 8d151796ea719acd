// For applications that use i18next. Backend: each translation file is a module that is loaded when
// i18next requests it.
import { loads } from './i18next-resources.js'
import { syncWith } from './sync-language.js'

export { options } from './i18next-resources.js'

/** @type {(language: string, namespace: string) => Promise<Record<string, string>>} */
export const load = async (language, namespace) =>
  (await loads[`${language}/${namespace}`]?.())?.default ?? {}

export const backend = {
  type: 'backend',
  init() {},
  /** @type {(language: string, namespace: string, done: (error: unknown, translations: object | null) => void) => void} */
  read(language, namespace, done) {
    load(language, namespace).then(
      (translations) => done(null, translations),
      (error) => done(error, null),
    )
  },
}

/**
 * Keeps i18next and the messages in the same language. Returns a function that ends it.
 * @param {any} i18next
 */
export const syncLanguage = (i18next) => {
  /** @type {ReturnType<typeof syncWith> | undefined} */
  let sync
  // The first change of language is the detection of i18next, while it is initialized.
  const start = () => {
    sync ??= syncWith({
      getCode: () => i18next.language,
      getCodes: () => [
        ...(i18next.options.supportedLngs || []),
        ...Object.keys(i18next.store?.data ?? {}),
      ],
      change: (code) => i18next.changeLanguage(code),
    })
  }
  const follow = () => sync?.follow()
  i18next.on('languageChanged', follow)
  if (i18next.isInitialized) start()
  else i18next.on('initialized', start)
  return () => {
    sync?.stop()
    i18next.off('languageChanged', follow)
    i18next.off('initialized', start)
  }
}
