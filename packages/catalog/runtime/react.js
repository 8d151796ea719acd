// Adapter for React.
import { createContext, createElement, useMemo, useSyncExternalStore } from 'react'
import { getChanges, getLanguage, setLanguage, subscribe } from './runtime.js'

/** @import { ReactNode } from 'react' */
/** @typedef {(...args: unknown[]) => unknown} Message */

const useChanges = () => useSyncExternalStore(subscribe, getChanges, getChanges)

export function useLanguage() {
  useChanges()
  return [getLanguage(), setLanguage]
}

export function useTranslate() {
  const changes = useChanges()
  return useMemo(
    () =>
      (/** @type {Message} */ message, /** @type {unknown[]} */ ...args) =>
        message(...args),
    [changes],
  )
}

export const Changes = /* @__PURE__ */ createContext(/** @type {number | undefined} */ (undefined))

/** @param {{ children?: ReactNode }} props */
export const LanguageProvider = ({ children }) =>
  createElement(Changes.Provider, { value: useChanges() }, children)
