import { byCodePoint } from '@servicekit/core'
import type { FileId, Translations } from '../model/normalise.ts'
import { isPending } from './key-file.ts'
import { type KeyEntries, type KeyEntry } from '../model/key-draft.ts'

/** Returns the pending entries of a module. */
export const pendingOf = (
  entries: KeyEntries,
  module: string,
): readonly (readonly [string, KeyEntry])[] =>
  [...(entries.get(module) ?? [])].filter(([, entry]) => isPending(entry))

/** Returns the modules with pending keys, in code-point order. */
export const modulesOf = (entries: KeyEntries): readonly string[] =>
  [...entries.keys()].filter((module) => pendingOf(entries, module).length > 0).sort(byCodePoint)

/**
 * Returns the translations of a file with the keys that the source does not serve yet: a new
 * key has its source text, a renamed key the translation of its former name.
 */
export function withPending(
  translations: Translations,
  { language, module }: FileId,
  { entries, defaultLanguage }: { readonly entries: KeyEntries; readonly defaultLanguage: string },
): Translations {
  const pending = pendingOf(entries, module)
  if (pending.length === 0) return translations
  const merged = new Map(translations)
  for (const [key, { text, language: own = defaultLanguage, renamedFrom }] of pending) {
    const former = renamedFrom === undefined ? undefined : translations.get(renamedFrom)
    if (renamedFrom !== undefined) merged.delete(renamedFrom)
    if (merged.has(key)) continue
    if (former !== undefined) merged.set(key, former)
    else if (text !== undefined && language === own) merged.set(key, text)
  }
  return new Map([...merged].sort(([a], [b]) => byCodePoint(a, b)))
}

/**
 * Returns the entries after a pull: a key that the source serves is no longer pending.
 *
 * @param isServed Returns whether the source serves a key in any language.
 */
export function settle(
  entries: KeyEntries,
  isServed: (module: string, key: string) => boolean,
): KeyEntries {
  return new Map(
    [...entries].map(([module, keys]) => [
      module,
      new Map(
        [...keys].map(([key, entry]) => {
          if (!isPending(entry) || !isServed(module, key)) return [key, entry]
          const { text: _, language: __, renamedFrom: ___, ...details } = entry
          return [key, details]
        }),
      ),
    ]),
  )
}
