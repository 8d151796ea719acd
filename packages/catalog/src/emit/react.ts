/** Emits the adapter for React. */
export const emitReact = (runtime: string): string => `import { useSyncExternalStore } from 'react'
import { getChanges, getLanguage, setLanguage, subscribe } from '${runtime}'

export function useLanguage() {
  useSyncExternalStore(subscribe, getChanges, getChanges)
  return [getLanguage(), setLanguage]
}
`
