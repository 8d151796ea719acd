/** Emits the adapter for React. */
export const emitReact = (
  runtime: string,
): string => `import { createContext, createElement, useMemo, useSyncExternalStore } from 'react'
import { getChanges, getLanguage, setLanguage, subscribe } from '${runtime}'

const useChanges = () => useSyncExternalStore(subscribe, getChanges, getChanges)

export function useLanguage() {
  useChanges()
  return [getLanguage(), setLanguage]
}

export function useTranslate() {
  const changes = useChanges()
  return useMemo(() => (message, ...args) => message(...args), [changes])
}

export const Changes = /* @__PURE__ */ createContext(undefined)

export const LanguageProvider = ({ children }) =>
  createElement(Changes.Provider, { value: useChanges() }, children)
`
