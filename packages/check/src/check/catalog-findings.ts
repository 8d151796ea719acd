import {
  inspect,
  type Model,
  type Problem,
  type ProblemCode,
  pseudoKindOf,
  type Rule,
  snapshotPath,
} from '@servicekit/catalog'
import { relative, sep } from 'node:path'
import type { Coverage } from './coverage.ts'
import { percentOf } from './coverage.ts'
import type { Finding } from './finding.ts'

/**
 * Finding before its severity is resolved. `severity: 'info'` overrides the severity of
 * the rule.
 */
export type Found = Omit<Finding, 'severity'> & { readonly severity?: 'info' }

const ruleOf: Readonly<Partial<Record<ProblemCode, Rule>>> = {
  IDENTIFIER_CLASH: 'clash',
  MODULE_CLASH: 'clash',
  PARAMETER_MISSING: 'parameter',
  PARAMETER_UNKNOWN: 'parameter',
  PLURAL_MISSING: 'plural',
  SYNTAX: 'syntax',
}

/** Paths used to report the position of translations. */
export interface TextPlaces {
  readonly root: string
  readonly snapshotDir: string
}

/** Returns the problems within the translations. */
export function catalogFindings(model: Model, places: TextPlaces): readonly Found[] {
  const positions = positionsOf(model, places)
  const fromProblem = (problem: Problem): Found[] => {
    const { code, language, module, key, message } = problem
    const place = {
      ...(language === undefined ? {} : { language }),
      ...(module === undefined ? {} : { module }),
      ...(key === undefined ? {} : { key }),
    }
    const at =
      module === undefined || key === undefined
        ? {}
        : positions(language ?? model.catalog.defaultLanguage, module, key)
    if (code === 'MISSING_TEXT') {
      const rule = hasKey(model, language!, module!, key!) ? 'untranslated' : 'missing'
      return [{ rule, message, ...place, ...at }]
    }
    const rule = ruleOf[code]
    return rule ? [{ rule, message, ...place, ...at }] : []
  }
  return inspect(model).flatMap(fromProblem)
}

/** Returns a finding for each language whose coverage is below its threshold. */
export function thresholdFindings(
  coverage: Coverage,
  thresholds: number | Readonly<Record<string, number>>,
): readonly Found[] {
  return coverage.languages.flatMap((language, index): Found[] => {
    const asked = typeof thresholds === 'number' ? thresholds : (thresholds[language] ?? 0)
    const percent = percentOf(coverage, index)
    if (percent >= asked) return []
    // Round down: 99.96 is not 100.
    const shown = Math.floor(percent * 10) / 10
    const message = `is translated to ${shown} %, and has to be to ${asked} %`
    return [{ rule: 'threshold', language, message }]
  })
}

function hasKey(model: Model, language: string, module: string, key: string): boolean {
  const found = model.modules.find(({ name }) => name === module)
  const message = found?.messages.find((one) => one.key === key)
  const texts = found?.source.texts.get(language)
  const keys = [key, ...(message?.group.plural?.values() ?? [])]
  return keys.some((one) => texts?.has(one))
}

/**
 * Returns a function that finds the position of a key in the file of a language, or in
 * that of the default language.
 */
export function positionsOf(model: Model, { root, snapshotDir }: TextPlaces) {
  const lines = new Map<string, ReadonlyMap<string, number>>()
  const linesOf = (language: string, module: string): ReadonlyMap<string, number> => {
    const id = `${language}\n${module}`
    const known = lines.get(id)
    if (known) return known
    const texts = model.catalog.modules.find(({ name }) => name === module)?.texts.get(language)
    const read = new Map([...(texts?.keys() ?? [])].map((key, index) => [key, index + 2]))
    lines.set(id, read)
    return read
  }
  return (
    language: string,
    module: string,
    key: string,
  ): Pick<Found, 'file' | 'line' | 'column'> => {
    const { defaultLanguage } = model.catalog
    const own =
      pseudoKindOf(language, model.options.pseudo) === undefined ? language : defaultLanguage
    for (const code of new Set([own, defaultLanguage])) {
      const found = linesOf(code, module)
      const line = found.get(key) ?? found.get(`${key}_other`)
      if (line === undefined) continue
      const path = relative(root, snapshotDir).split(sep).join('/')
      return { file: `${path}/${snapshotPath(code, module)}`, line, column: 3 }
    }
    return {}
  }
}
