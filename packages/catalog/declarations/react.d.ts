// @ts-ignore react may not be installed
import type { ReactElement, ReactNode } from 'react'

/**
 * Returns the current language and the function that changes it. The component renders
 * again when the language or a translation changes.
 */
export function useLanguage(): readonly [
  language: Language,
  setLanguage: (language: Language) => Promise<void>,
]
/**
 * Returns a function that calls a message: `translate(WELCOME, { name })`. It is another
 * function after a change of the language or of a translation: a dependency of `useMemo`,
 * `useCallback` and `useEffect`.
 */
export function useTranslate(): <A extends readonly unknown[], R>(
  message: (...args: A) => R,
  ...args: A
) => R
/**
 * Provides the messages of an application that is compiled by React Compiler. Its components
 * render again when the language or a translation changes, also those with `memo`.
 */
export function LanguageProvider(props: { readonly children?: ReactNode }): ReactElement
export {}
