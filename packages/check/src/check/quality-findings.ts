import { type CatalogModule, type Model, pseudoKindOf } from '@servicekit/catalog'
import { copyProblems, isRelated, spacingProblems } from '@servicekit/catalog/inspection'
import { positionsOf, type SnapshotFolder, type UnratedFinding } from './catalog-findings.ts'
import type { Glossary } from '../glossary/glossary.ts'

/** Translation of a key next to its source text. */
interface Pair {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly source: string
  readonly text: string
}

/**
 * Returns what is suspicious about the translations of each language: copies of the source text,
 * white space, and different translations of the same text.
 */
export function qualityFindings(
  model: Model,
  folder: SnapshotFolder,
  glossary?: Glossary,
): readonly UnratedFinding[] {
  const { catalog, options } = model
  const positions = positionsOf(model, folder)
  const kept = new Set(
    glossary?.terms.flatMap(({ term, keep }) => (keep ? [term.toLowerCase()] : [])),
  )
  return catalog.languages
    .filter(({ code }) => pseudoKindOf(code, options.pseudo) === undefined)
    .flatMap(({ code: language }) => {
      const isDefault = language === catalog.defaultLanguage
      const pairs = catalog.modules.flatMap((module) => pairsOf(module, language, model))
      const found = [
        ...pairs.flatMap((pair) =>
          spacingProblems(pair, isDefault).map((one) => ({ pair, ...one })),
        ),
        ...(isDefault || isRelated(language, catalog.defaultLanguage)
          ? []
          : pairs.flatMap((pair) => copyProblems(pair, kept).map((one) => ({ pair, ...one })))),
        ...(isDefault ? [] : inconsistencies(pairs)),
      ]
      return found.map(({ pair: { module, key }, rule, message }): UnratedFinding => {
        return { rule, message, language, module, key, ...positions(language, module, key) }
      })
    })
}

function pairsOf({ name, translations }: CatalogModule, language: string, { catalog }: Model) {
  const sources = translations.get(catalog.defaultLanguage)
  return [...(translations.get(language) ?? [])].flatMap(([key, text]): Pair[] => {
    const source = sources?.get(key)
    return text && source ? [{ module: name, key, language, source, text }] : []
  })
}

/** Plural forms of one text differ in other languages. */
const formOf = (key: string): string => /_(?:zero|one|two|few|many|other)$/.exec(key)?.[0] ?? ''

interface Inconsistency {
  readonly pair: Pair
  readonly rule: 'inconsistent'
  readonly message: string
}

/** Reports all but the most frequent translation of each source text. */
function inconsistencies(pairs: readonly Pair[]): readonly Inconsistency[] {
  return [...groupBy(pairs, ({ key, source }) => `${formOf(key)}\n${source}`).values()].flatMap(
    (same) => {
      const byText = groupBy(same, ({ text }) => text)
      if (byText.size < 2) return []
      const [most, ...others] = [...byText.values()].sort((a, b) => b.length - a.length)
      const { text, module, key } = most![0]!
      return others.flat().map((pair) => {
        const message = `translates ${quote(pair.source)} as ${quote(pair.text)}; ${module} ${key} has ${quote(text)}`
        return { pair, rule: 'inconsistent' as const, message }
      })
    },
  )
}

function groupBy<T>(all: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(nameOf(one))
    if (group) group.push(one)
    else groups.set(nameOf(one), [one])
  }
  return groups
}

const quote = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`
}
