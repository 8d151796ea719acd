import type { Rule } from '@servicekit/catalog'
import type { Coverage } from './coverage.ts'
import type { Finding } from './finding.ts'

/** Rules about a single translation, in the order of the report. */
export const qualityRules = [
  'missing',
  'untranslated',
  'copy',
  'parameter',
  'tag',
  'plural',
  'length',
  'spacing',
  'inconsistent',
  'term',
  'syntax',
] as const satisfies readonly Rule[]

/** Quality of the translations of one language. */
export interface LanguageQuality {
  readonly language: string
  readonly translated: number
  readonly total: number
  /** Number of findings by rule. */
  readonly problems: Readonly<Partial<Record<Rule, number>>>
  /** Share of keys in percent that are translated without a finding. */
  readonly score: number
}

/** Counts the findings of each language. */
export function qualityOf(
  coverage: Coverage,
  findings: readonly Finding[],
): readonly LanguageQuality[] {
  const total = coverage.totals.reduce((sum, one) => sum + one, 0)
  return coverage.languages.map((language, index) => {
    const own = findings.filter(
      (one) => one.language === language && (qualityRules as readonly Rule[]).includes(one.rule),
    )
    const problems: Partial<Record<Rule, number>> = {}
    for (const { rule } of own) problems[rule] = (problems[rule] ?? 0) + 1
    const affected = new Set(own.map(({ module, key }) => JSON.stringify([module, key])))
    const translated = coverage.translated[index]!.reduce((sum, one) => sum + one, 0)
    const good = Math.max(0, total - affected.size)
    return {
      language,
      translated,
      total,
      problems,
      score: total === 0 ? 100 : (100 * good) / total,
    }
  })
}
