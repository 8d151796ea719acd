import { join } from 'node:path'
import type { CatalogModule } from './catalog.ts'
import { linesOfKeys, snapshotPath } from './snapshot-text.ts'
import type { Translations } from './normalise.ts'

/** Place of a key in a translation file. */
export interface KeyPlace {
  /** Absolute path. */
  readonly path: string
  /** One-based. */
  readonly line: number
  readonly column: number
}

/**
 * Returns where a language has a key: in the file of a folder that is the source of truth, or in the
 * snapshot; undefined if it does not have it.
 */
export function locateKey(
  snapshotDir: string,
  { name, translations, files }: CatalogModule,
  language: string,
  key: string,
): KeyPlace | undefined {
  if (files) {
    const file = files.get(language)
    const position = file?.positionOf(key)
    return position && { path: file!.path, ...position }
  }
  const line = linesOf(translations.get(language) ?? new Map()).get(key)
  return line === undefined
    ? undefined
    : { path: join(snapshotDir, snapshotPath(language, name)), line, column: 3 }
}

const known = new WeakMap<Translations, ReadonlyMap<string, number>>()

function linesOf(translations: Translations): ReadonlyMap<string, number> {
  const lines = known.get(translations) ?? linesOfKeys(translations)
  known.set(translations, lines)
  return lines
}
