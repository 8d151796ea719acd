import { inspect, locateKey, type Model, type Problem, pseudoKindOf } from '@servicekit/catalog'
import { ruleOfProblem } from '@servicekit/catalog/inspection'
import { relative, sep } from 'node:path'
import type { Coverage } from './coverage.ts'
import { percentOf } from './coverage.ts'
import type { Finding } from './finding.ts'

/**
 * Finding before its severity is resolved. `severity: 'info'` overrides the severity of
 * the rule.
 */
export type UnratedFinding = Omit<Finding, 'severity'> & { readonly severity?: 'info' }

/** Paths used to report the position of translations. */
export interface SnapshotFolder {
  readonly root: string
  readonly snapshotDir: string
}

/** Returns the problems within the translations. */
export function catalogFindings(model: Model, folder: SnapshotFolder): readonly UnratedFinding[] {
  const positions = positionsOf(model, folder)
  const fromProblem = (problem: Problem): UnratedFinding[] => {
    const { code, language, module, key, message } = problem
    const location = {
      ...(language === undefined ? {} : { language }),
      ...(module === undefined ? {} : { module }),
      ...(key === undefined ? {} : { key }),
    }
    const at =
      module === undefined || key === undefined
        ? {}
        : positions(language ?? model.catalog.defaultLanguage, module, key)
    if (code === 'MISSING_TRANSLATION') {
      const rule = hasKey(model, language!, module!, key!) ? 'untranslated' : 'missing'
      return [{ rule, message, ...location, ...at }]
    }
    const rule = ruleOfProblem(code)
    return rule ? [{ rule, message, ...location, ...at }] : []
  }
  return inspect(model).flatMap(fromProblem)
}

/** Returns a finding for each language whose coverage is below its threshold. */
export function thresholdFindings(
  coverage: Coverage,
  thresholds: number | Readonly<Record<string, number>>,
): readonly UnratedFinding[] {
  return coverage.languages.flatMap((language, index): UnratedFinding[] => {
    const threshold = typeof thresholds === 'number' ? thresholds : (thresholds[language] ?? 0)
    const percent = percentOf(coverage, index)
    if (percent >= threshold) return []
    // Round down: 99.96 is not 100.
    const shown = Math.floor(percent * 10) / 10
    const message = `is ${shown} % translated; the threshold is ${threshold} %`
    return [{ rule: 'threshold', language, message }]
  })
}

function hasKey(model: Model, language: string, module: string, key: string): boolean {
  const found = model.modules.find(({ name }) => name === module)
  const message = found?.messages.find((one) => one.key === key)
  const translations = found?.source.translations.get(language)
  const keys = [key, ...(message?.group.plural?.values() ?? [])]
  return keys.some((one) => translations?.has(one))
}

/**
 * Returns a function that finds the position of a key in the file of a language, or in
 * that of the default language.
 */
export function positionsOf(model: Model, { root, snapshotDir }: SnapshotFolder) {
  return (
    language: string,
    module: string,
    key: string,
  ): Pick<UnratedFinding, 'file' | 'line' | 'column'> => {
    const { defaultLanguage } = model.catalog
    const own =
      pseudoKindOf(language, model.options.pseudo) === undefined ? language : defaultLanguage
    for (const code of new Set([own, defaultLanguage])) {
      const source = model.catalog.modules.find(({ name }) => name === module)
      const place = [key, `${key}_other`]
        .map((one) => source && locateKey(snapshotDir, source, code, one))
        .find((one) => one !== undefined)
      if (!place) continue
      const { path, ...position } = place
      return { file: relative(root, path).split(sep).join('/'), ...position }
    }
    return {}
  }
}
