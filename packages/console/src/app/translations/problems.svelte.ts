import type { KeyRecord } from '../state/records.ts'
import type { ModuleTranslations, TranslationProblem } from './find-problems.ts'
import { idOf, shownText, valueOf } from './key-values.ts'
import type { ModuleProblems } from './problems.worker.ts'

type ByLanguage = ReadonlyMap<string, readonly TranslationProblem[]>

/**
 * Creates the list of problems, which a worker finds. Call it while a component is initialised.
 */
export function createProblems(languages: () => readonly string[], defaultLanguage: () => string) {
  let byModule = $state.raw<ReadonlyMap<string, ReadonlyMap<string, ByLanguage>>>(new Map())
  let pending = $state(0)
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
    /** Returns the problems of a key by language. */
    of: ({ module, key }: KeyRecord): ByLanguage | undefined =>
      byModule.get(module)?.get(idOf({ module, key })),
    /** Checks the modules of the rows again. */
    check: (rows: readonly KeyRecord[]) => {
      const groups = new Map<string, KeyRecord[]>()
      for (const row of rows) {
        const own = groups.get(row.module)
        if (own) own.push(row)
        else groups.set(row.module, [row])
      }
      for (const [module, own] of groups) {
        pending++
        const input: ModuleTranslations = {
          module,
          defaultLanguage: defaultLanguage(),
          languages: [...languages()],
          keys: own.map((row) => translationsOf(row, languages())),
        }
        worker.postMessage(input)
      }
    },
  }
}

export type Problems = ReturnType<typeof createProblems>

const translationsOf = (
  row: KeyRecord,
  languages: readonly string[],
): ModuleTranslations['keys'][number] => ({
  key: row.key,
  translations: languages.map((language) => shownText(valueOf(row, language)) || null),
  ...(row.details?.maxLength !== undefined && { maxLength: row.details.maxLength }),
})

function groupProblems({ module, problems }: ModuleProblems): ReadonlyMap<string, ByLanguage> {
  const found = new Map<string, Map<string, TranslationProblem[]>>()
  for (const problem of problems) {
    const id = idOf({ module, key: problem.key })
    const byLanguage = found.get(id) ?? new Map<string, TranslationProblem[]>()
    byLanguage.set(problem.language, [...(byLanguage.get(problem.language) ?? []), problem])
    found.set(id, byLanguage)
  }
  return found
}
