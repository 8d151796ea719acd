// Adapter for Svelte.
import { createSubscriber } from 'svelte/reactivity'
import { getLanguage, setLanguage, subscribe } from './runtime.js'
import { trackedMessage } from './tracked.js'

export const read = /* @__PURE__ */ createSubscriber(subscribe)
export const message = /* @__PURE__ */ trackedMessage(read)

export const language = {
  get current() {
    read()
    return getLanguage()
  },
  set current(code) {
    void setLanguage(code)
  },
}
