import { findProblems, type ModuleTranslations, type TranslationProblem } from './find-problems.ts'

export interface ModuleProblems {
  readonly module: string
  readonly problems: readonly TranslationProblem[]
}

// Checks modules outside of the page's thread: 200,000 translations take seconds.
addEventListener('message', ({ data }: MessageEvent<ModuleTranslations>) => {
  const problems: ModuleProblems = { module: data.module, problems: findProblems(data) }
  postMessage(problems)
})
