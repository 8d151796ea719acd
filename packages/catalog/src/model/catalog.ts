import { byCodePoint, type Position } from '@servicekit/core'
import type { KeyEntries } from './key-draft.ts'
import type { FileId, Translations } from './normalise.ts'

/** Language of a catalog. */
export interface CatalogLanguage {
  /** Language code, e.g. `de-DE`. */
  readonly code: string
  /** Display name, e.g. `German (Germany)`. */
  readonly name: string
}

/** Translation file of a folder: where its keys are. */
export interface TranslationFile {
  /** Absolute path. */
  readonly path: string
  /** Returns the position of a key; undefined if the file does not have it. */
  readonly positionOf: (key: string) => Position | undefined
}

/**
 * UILM module of a catalog with its translations by language. Languages without a file
 * are absent.
 */
export interface CatalogModule {
  readonly name: string
  readonly translations: ReadonlyMap<string, Translations>
  /** Files of a folder that is the source of truth, by language; undefined for a snapshot. */
  readonly files?: ReadonlyMap<string, TranslationFile>
}

/**
 * All translations as plain, immutable data. Checks and generated code are computed from
 * this value alone.
 */
export interface Catalog {
  /** Default language first, the others in code-point order. */
  readonly languages: readonly CatalogLanguage[]
  readonly defaultLanguage: string
  /** Sorted by name in code-point order. */
  readonly modules: readonly CatalogModule[]
  /** Details of keys, and keys that the source does not serve yet; undefined if there are none. */
  readonly details?: KeyEntries
}

/** Size of a catalog, for reports. */
export interface CatalogSize {
  readonly languages: number
  readonly modules: number
  /** Number of keys, each counted once per module. */
  readonly keys: number
  /** Number of non-empty translations in all languages. */
  readonly translations: number
}

/** Returns the keys of a module in all languages, in code-point order. */
export const keysOf = ({ translations }: CatalogModule): readonly string[] =>
  [...new Set([...translations.values()].flatMap((file) => [...file.keys()]))].sort(byCodePoint)

export function sizeOf(catalog: Catalog): CatalogSize {
  let keys = 0
  let translations = 0
  for (const module of catalog.modules) {
    keys += keysOf(module).length
    for (const language of module.translations.values()) {
      for (const text of language.values()) if (text) translations++
    }
  }
  return {
    languages: catalog.languages.length,
    modules: catalog.modules.length,
    keys,
    translations,
  }
}

/** Returns a copy of the catalog with one file replaced. */
export function withTranslations(
  catalog: Catalog,
  id: FileId,
  translations: Translations,
): Catalog {
  return {
    ...catalog,
    modules: catalog.modules.map((module) =>
      module.name === id.module
        ? { ...module, translations: new Map(module.translations).set(id.language, translations) }
        : module,
    ),
  }
}
