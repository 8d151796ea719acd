import type { ParseOptions, TranslationProblem } from '@servicekit/catalog/inspection'
import type { KeyRecord } from '../state/records.ts'
import { idOf, messageOf } from './key-values.ts'
import { moduleTexts, problemsOfChanges, type ProjectLanguages } from './module-texts.ts'
import type { ModuleCheck, ModuleProblems } from './problems.worker.ts'

type ByLanguage = ReadonlyMap<string, readonly TranslationProblem[]>

/**
 * Creates the list of problems, which a worker finds. Call it while a component is initialised.
 */
export function createProblems(
  languages: () => ProjectLanguages,
  options: () => ParseOptions | undefined,
  rows: () => readonly KeyRecord[],
) {
  let byModule = $state.raw<ReadonlyMap<string, ReadonlyMap<string, ByLanguage>>>(new Map())
  let pending = $state(0)
  let isStarted = $state(false)
  const worker = new Worker(new URL('./problems.worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ModuleProblems>) => {
    pending--
    byModule = new Map(byModule).set(data.module, groupProblems(data))
  })
  $effect(() => () => worker.terminate())
  return {
    /** True until the checks of all modules have ended. */
    get isChecking() {
      return pending > 0
    },
    /** True once everything was checked. */
    get isChecked() {
      return isStarted && pending === 0
    },
    /** Returns the problems of a key by language. */
    of: ({ module, key }: KeyRecord): ByLanguage | undefined =>
      byModule.get(module)?.get(idOf({ module, key })),
    /** Returns a function that checks texts of a key in a language before they are saved. */
    checkerOf: (row: KeyRecord) => {
      const message = messageOf(row)
      const own = rows().filter((one) => messageOf(one) === message)
      const { module, key } = row
      return (language: string, value: string): readonly TranslationProblem[] =>
        problemsOfChanges(
          own,
          [{ module, key, language, value, expected: null }],
          languages(),
          options(),
        )
    },
    /** Checks the modules of the rows again. */
    check: (rows: readonly KeyRecord[]) => {
      isStarted = true
      const groups = new Map<string, KeyRecord[]>()
      for (const row of rows) {
        const own = groups.get(row.module)
        if (own) own.push(row)
        else groups.set(row.module, [row])
      }
      for (const [module, own] of groups) {
        pending++
        const texts = { ...moduleTexts(own, languages()), module }
        worker.postMessage({ texts, options: options() } satisfies ModuleCheck)
      }
    },
  }
}

export type Problems = ReturnType<typeof createProblems>

const severities = ['error', 'warning', 'info']
const bySeverity = (a: TranslationProblem, b: TranslationProblem): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity)

function groupProblems({ module, problems }: ModuleProblems): ReadonlyMap<string, ByLanguage> {
  const found = new Map<string, Map<string, TranslationProblem[]>>()
  for (const problem of problems) {
    for (const key of problem.keys) {
      const id = idOf({ module, key })
      const byLanguage = found.get(id) ?? new Map<string, TranslationProblem[]>()
      const all = [...(byLanguage.get(problem.language) ?? []), problem]
      byLanguage.set(problem.language, all.sort(bySeverity))
      found.set(id, byLanguage)
    }
  }
  return found
}
