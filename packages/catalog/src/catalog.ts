import type { Texts } from './normalise.ts'

/** Language of a catalog. */
export interface CatalogLanguage {
  /** Such as `de-DE`. */
  readonly code: string
  /** Such as `German (Germany)`. */
  readonly name: string
}

/** UILM module of a catalog: its texts by language. A language without a file is absent. */
export interface CatalogModule {
  readonly name: string
  readonly texts: ReadonlyMap<string, Texts>
}

/**
 * Translations as data: plain, immutable, complete. Everything that is checked
 * or emitted is computed from this one value.
 */
export interface Catalog {
  /** The default language first, the others in code-point order. */
  readonly languages: readonly CatalogLanguage[]
  readonly defaultLanguage: string
  /** In code-point order of their names. */
  readonly modules: readonly CatalogModule[]
}

/** Size of a catalog, for a report. */
export interface CatalogSize {
  readonly languages: number
  readonly modules: number
  /** Keys, each counted once per module. */
  readonly keys: number
  /** Texts of all languages that somebody has written. */
  readonly texts: number
}

/** Keys of a module in any language, in code-point order. */
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

/** The catalog with one file replaced. */
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
