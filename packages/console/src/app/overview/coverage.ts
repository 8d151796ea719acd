import type { LanguageRecord, ModuleRecord } from '../state/records.ts'

/** Number of keys of a module that one language needs, and how many of them it lacks. */
interface CoverageCell {
  readonly module: string
  readonly keys: number
  readonly missing: number
  /** Share of missing translations: 0 for none, 4 for more than three quarters. */
  readonly level: 0 | 1 | 2 | 3 | 4
}

interface CoverageRow {
  readonly language: LanguageRecord
  readonly cells: readonly CoverageCell[]
  readonly missing: number
}

/** Counts missing translations by language and module, without the language of keys. */
export const coverageOf = (
  languages: readonly LanguageRecord[],
  modules: readonly ModuleRecord[],
): readonly CoverageRow[] =>
  languages
    .filter(({ languageCode }) => languageCode !== 'key')
    .map((language) => {
      const { languageCode: code } = language
      const cells = modules.map(({ moduleName, written, unusedForms, ...module }): CoverageCell => {
        const keys = module.keys - (unusedForms[code] ?? 0)
        const missing = Math.max(0, keys - (written[code] ?? 0))
        return { module: moduleName, keys, missing, level: levelOf(missing, keys) }
      })
      return { language, cells, missing: cells.reduce((sum, one) => sum + one.missing, 0) }
    })

function levelOf(missing: number, keys: number): CoverageCell['level'] {
  if (missing === 0) return 0
  return Math.min(4, 1 + Math.floor((4 * missing) / keys)) as CoverageCell['level']
}
