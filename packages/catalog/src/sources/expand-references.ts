import type { Catalog, CatalogModule } from '../model/catalog.ts'
import { fallbackChain } from '../model/fallback.ts'
import type { MessageSyntax } from '../syntax/message.ts'
import type { Translations } from '../model/normalise.ts'

/** Reference to another message in a text: `$t(common:NAME)` of i18next, `@:name` of vue-i18n. */
interface Reference {
  readonly key: string
  /** Modifier of vue-i18n: `@.upper:name`. */
  readonly modifier?: string | undefined
}

/** References of a syntax; undefined if it has none. */
const references: Readonly<
  Partial<
    Record<
      MessageSyntax,
      { readonly pattern: RegExp; readonly read: (match: RegExpMatchArray) => Reference }
    >
  >
> = {
  // With options, `$t(items, {"count": 2})`, it is left as it is.
  'double-brace': {
    pattern: /\$t\(\s*([^(){},\s]+)\s*\)/g,
    read: ([, key]) => ({ key: key! }),
  },
  'vue-i18n': {
    pattern: /@(?:\.([a-z]+))?:(?:\{'([^']*)'\}|([^\s{}()|@]+))/g,
    read: ([, modifier, quoted, plain]) => ({ key: quoted ?? plain!, modifier }),
  },
}

/** Deeper references lead in a circle. */
const deepest = 10

const modifiers: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toLocaleUpperCase(),
  lower: (text) => text.toLocaleLowerCase(),
  capitalize: (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1),
}

/** Returns the keys that a text refers to. */
export const referencesIn = (text: string, syntax: MessageSyntax): readonly string[] => {
  const found = references[syntax]
  return found ? [...text.matchAll(found.pattern)].map((match) => found.read(match).key) : []
}

/**
 * Replaces the references to other messages by their texts, so that nothing is looked up at run
 * time. References that cannot be resolved, such as those to plurals, stay as they are.
 */
export function resolveReferences(catalog: Catalog, syntax: MessageSyntax): Catalog {
  const found = references[syntax]
  if (!found) return catalog
  const byName = new Map(catalog.modules.map((module) => [module.name, module]))
  const languages = catalog.languages.map(({ code }) => code)
  const textOf = (module: CatalogModule, key: string, language: string): string | undefined => {
    const project = { languages, defaultLanguage: catalog.defaultLanguage }
    for (const code of fallbackChain(language, project)) {
      const text = module.translations.get(code)?.get(key)
      if (text) return text
    }
    return undefined
  }
  const lookUp = (key: string, module: CatalogModule, language: string) => {
    const own = textOf(module, key, language)
    if (own !== undefined) return { text: own, module }
    const end = syntax === 'double-brace' ? key.indexOf(':') : key.indexOf('.')
    const other = end < 0 ? undefined : byName.get(key.slice(0, end))
    const text = other && textOf(other, key.slice(end + 1), language)
    return text === undefined ? undefined : { text, module: other! }
  }
  const expand = (
    text: string,
    module: CatalogModule,
    language: string,
    depth: number,
  ): string | undefined => {
    if (depth > deepest) return undefined
    let isCircle = false
    const expanded = text.replaceAll(found.pattern, (...args) => {
      // The last arguments are offset and text.
      const { key, modifier } = found.read(args.slice(0, -2) as unknown as RegExpMatchArray)
      const target = lookUp(key, module, language)
      const isPlural = target !== undefined && syntax === 'vue-i18n' && target.text.includes('|')
      if (!target || isPlural) return args[0] as string
      const inner = expand(target.text, target.module, language, depth + 1)
      if (inner === undefined) {
        isCircle = true
        return ''
      }
      return modifier === undefined ? inner : (modifiers[modifier]?.(inner) ?? inner)
    })
    return isCircle ? undefined : expanded
  }
  let isChanged = false
  const modules = catalog.modules.map((module): CatalogModule => {
    const translations = new Map<string, Translations>()
    for (const [language, texts] of module.translations) {
      const expanded = [...texts].flatMap(([key, text]) => {
        if (text === null || text.search(found.pattern) < 0) return []
        const result = expand(text, module, language, 0) ?? text
        return result === text ? [] : [[key, result] as const]
      })
      translations.set(language, expanded.length === 0 ? texts : replaceTexts(texts, expanded))
      isChanged ||= expanded.length > 0
    }
    return { ...module, translations }
  })
  return isChanged ? { ...catalog, modules } : catalog
}

/** Keeps the order of the keys. */
function replaceTexts(
  texts: Translations,
  replaced: readonly (readonly [string, string])[],
): Translations {
  const result = new Map(texts)
  for (const [key, text] of replaced) result.set(key, text)
  return result
}
