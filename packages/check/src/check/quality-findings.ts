import { type CatalogModule, type Model, pseudoKindOf } from '@servicekit/catalog'
import { isProbablyCopied, isRelated } from '@servicekit/catalog/inspection'
import { positionsOf, type SnapshotFolder, type UnratedFinding } from './catalog-findings.ts'
import type { Glossary } from './glossary.ts'

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

interface QualityProblem {
  readonly rule: 'copy' | 'spacing' | 'inconsistent'
  readonly message: string
}

/** Languages that are written without spaces between words. */
const isWithoutSpaces = (language: string): boolean => /^(?:ja|zh|th|lo|km|my)\b/.test(language)

/** Plural forms of one text differ in other languages. */
const formOf = (key: string): string => /_(?:zero|one|two|few|many|other)$/.exec(key)?.[0] ?? ''

function copyProblems(
  { source, text }: Pair,
  kept: ReadonlySet<string>,
): readonly QualityProblem[] {
  if (!isProbablyCopied(source, text, kept)) return []
  return [{ rule: 'copy', message: 'is the same as the source text, and probably not translated' }]
}

function spacingProblems(
  { source, text, language }: Pair,
  isDefault: boolean,
): readonly QualityProblem[] {
  const problem = (message: string): QualityProblem => ({ rule: 'spacing', message })
  const found: QualityProblem[] = []
  const hasDouble = (one: string): boolean => /\S {2,}\S/.test(one)
  if (hasDouble(text) && (isDefault || !hasDouble(source)))
    found.push(problem('contains two spaces in a row'))
  if (isDefault || isWithoutSpaces(language)) return found
  const ends = [
    ['starts', /^\s+/],
    ['ends', /\s+$/],
  ] as const
  for (const [verb, pattern] of ends) {
    if (pattern.test(text) === pattern.test(source)) continue
    found.push(
      problem(
        pattern.test(text)
          ? `${verb} with white space, unlike the source text`
          : `does not ${verb.slice(0, -1)} with white space, unlike the source text`,
      ),
    )
  }
  return found
}

/** Reports all but the most frequent translation of each source text. */
function inconsistencies(
  pairs: readonly Pair[],
): readonly (QualityProblem & { readonly pair: Pair })[] {
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
