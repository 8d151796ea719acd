import type { Texts } from './normalise.ts'

/** Language of a catalog. */
export interface CatalogLanguage {
  /** Language code, e.g. `de-DE`. */
  readonly code: string
  /** Display name, e.g. `German (Germany)`. */
  readonly name: string
}

/**
 * UILM module of a catalog with its translations by language. Languages without a file
 * are absent.
 */
export interface CatalogModule {
  readonly name: string
  readonly texts: ReadonlyMap<string, Texts>
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
}

/** Size of a catalog, for reports. */
export interface CatalogSize {
  readonly languages: number
  readonly modules: number
  /** Number of keys, each counted once per module. */
  readonly keys: number
  /** Number of non-empty translations in all languages. */
  readonly texts: number
}

/** Returns the keys of a module in all languages, in code-point order. */
export function keysOf(module: CatalogModule): readonly string[] {
  const lists = [...module.texts.values()]
  const [first] = lists
  if (!first) return []
  const all = new Set(first.keys())
  for (const texts of lists) for (const key of texts.keys()) all.add(key)
  return all.size === first.size ? [...all] : [...all].sort()
}

export function sizeOf(catalog: Catalog): CatalogSize {
  let keys = 0
  let texts = 0
  for (const module of catalog.modules) {
    keys += keysOf(module).length
    for (const language of module.texts.values()) {
      for (const text of language.values()) if (text !== null && text !== '') texts++
    }
  }
  return { languages: catalog.languages.length, modules: catalog.modules.length, keys, texts }
}

/** Returns a copy of the catalog with one file replaced. */
export function withTexts(
  catalog: Catalog,
  place: { readonly language: string; readonly module: string },
  texts: Texts,
): Catalog {
  return {
    ...catalog,
    modules: catalog.modules.map((module) =>
      module.name === place.module
        ? { ...module, texts: new Map(module.texts).set(place.language, texts) }
        : module,
    ),
  }
}
