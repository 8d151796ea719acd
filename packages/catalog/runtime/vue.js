// Adapter for Vue.
import { customRef, isRef, shallowRef, unref, watch } from 'vue'
import { getChanges, getLanguage, setLanguage, subscribe } from './runtime.js'
import { syncWith } from './sync-language.js'
import { trackedMessage } from './tracked.js'

export { Markup } from './vue-markup.js'

const changes = /* @__PURE__ */ shallowRef(0)
subscribe(() => {
  changes.value = getChanges()
})
export const read = () => changes.value
export const message = /* @__PURE__ */ trackedMessage(read)

// A computed value would keep the language of the first request of a server.
const language = /* @__PURE__ */ customRef(() => ({
  get: () => {
    read()
    return getLanguage()
  },
  set: (/** @type {string} */ code) => void setLanguage(code),
}))
export const useLanguage = () => language

/**
 * State of vue-i18n: `locale` is a ref in its composition API, a string in the legacy one.
 * @typedef {{ locale: string | import('vue').Ref<string>, readonly availableLocales: readonly string[] }} Composer
 */

/**
 * Keeps vue-i18n and the messages in the same language. Returns a function that ends it.
 * @param {{ readonly global: Composer }} i18n
 * @param {{ readonly load?: (code: string) => unknown }} [options]
 */
export const syncLanguage = ({ global }, { load } = {}) => {
  const getCode = () => unref(global.locale)
  const { follow, stop } = syncWith({
    getCode,
    getCodes: () => global.availableLocales,
    async change(code) {
      await load?.(code)
      if (isRef(global.locale)) global.locale.value = code
      else global.locale = code
    },
  })
  const unwatch = watch(getCode, follow, { flush: 'sync' })
  return () => {
    stop()
    unwatch()
  }
}
