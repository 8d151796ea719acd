// Adapter for Solid.
import { createSignal } from 'solid-js'
import { getChanges, getLanguage, setLanguage, subscribe } from './runtime.js'
import { trackedMessage } from './tracked.js'

const [changes, setChanges] = /* @__PURE__ */ createSignal(0)
subscribe(() => setChanges(getChanges()))
export const read = changes
export const message = /* @__PURE__ */ trackedMessage(read)

const language = () => {
  changes()
  return getLanguage()
}
export const useLanguage = () => [language, setLanguage]
