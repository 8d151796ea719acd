import { readText, writeIfChanged } from '@servicekit/catalog'
import type { StoredSuggestion, SuggestionStore } from '@servicekit/check'
import { isObject, parseJson } from '@servicekit/core'

/**
 * Opens the file with the suggestions that were received. An unreadable file counts as empty: its
 * suggestions are requested again.
 */
export async function openSuggestionStore(file: string): Promise<SuggestionStore> {
  const stored = parseJson((await readText(file)) ?? '')
  const suggestions = new Map(Object.entries(isObject(stored) ? stored : {}))
  return {
    get: (id) => suggestions.get(id) as StoredSuggestion | undefined,
    set: (id, suggestion) => void suggestions.set(id, suggestion),
    async save() {
      await writeIfChanged(file, `${JSON.stringify(Object.fromEntries(suggestions), null, 1)}\n`)
    },
  }
}
