/**
 * Returns the current language and a function that changes it. JSX that calls messages
 * updates when it changes.
 */
export function useLanguage(): readonly [
  language: () => Language,
  setLanguage: (language: Language) => Promise<void>,
]
