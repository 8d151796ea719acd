import { isObject, parseJson } from '@servicekit/core'
import type { LanguageRecord } from '../state/records.ts'

/** Creates the choice of the languages that the grid shows, as the user left it in this browser. */
export function createColumns(projectKey: string) {
  const storageKey = `servicekit-console-columns ${projectKey}`
  const stored = parseJson(localStorage.getItem(storageKey) ?? '')
  const given = isObject(stored) && Array.isArray(stored['hidden']) ? stored['hidden'] : []
  let hidden = $state.raw<ReadonlySet<string>>(
    new Set(given.filter((code): code is string => typeof code === 'string')),
  )
  const change = (next: ReadonlySet<string>): void => {
    hidden = next
    localStorage.setItem(storageKey, JSON.stringify({ hidden: [...next] }))
  }
  return {
    has: (language: string): boolean => !hidden.has(language),
    show: (language: string, isShown: boolean): void => {
      const next = new Set(hidden)
      if (isShown) next.delete(language)
      else next.add(language)
      change(next)
    },
    showAll: (): void => change(new Set()),
    /**
     * Returns the languages to show: the default one first, then that of the filter, which is shown
     * in any case.
     */
    of: (
      languages: readonly LanguageRecord[],
      first: readonly string[],
    ): readonly LanguageRecord[] => {
      const rank = ({ languageCode }: LanguageRecord): number => {
        const index = first.indexOf(languageCode)
        return index === -1 ? first.length : index
      }
      return languages
        .filter(({ languageCode }) => !hidden.has(languageCode) || first.includes(languageCode))
        .toSorted((a, b) => rank(a) - rank(b))
    },
  }
}

export type Columns = ReturnType<typeof createColumns>
