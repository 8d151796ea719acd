import { fileNameOf } from '@servicekit/core'
import type { Translations } from './normalise.ts'

/**
 * Returns the path of a translation file relative to the snapshot folder:
 * `de-DE/auth.json`.
 */
export function snapshotPath(language: string, module: string): string {
  return `${fileNameOf(language)}/${fileNameOf(module)}.json`
}

/**
 * Formats a translation file: sorted, one key per line, so that a changed translation is
 * one changed line.
 */
export function printTranslations(translations: Translations): string {
  if (translations.size === 0) return '{}\n'
  const lines = [...translations].map(
    ([key, text]) => `  ${JSON.stringify(key)}: ${JSON.stringify(text)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Returns the one-based line of each key in the output of {@link printTranslations}. */
export const linesOfKeys = (translations: Translations): ReadonlyMap<string, number> =>
  new Map([...translations.keys()].map((key, index) => [key, index + 2]))
