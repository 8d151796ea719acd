import { findProblems, type ModuleTexts, type TextProblem } from './find-problems.ts'

export interface ModuleProblems {
  readonly module: string
  readonly problems: readonly TextProblem[]
}

// Checks modules outside of the page's thread: 200,000 translations take seconds.
addEventListener('message', ({ data }: MessageEvent<ModuleTexts>) => {
  const problems: ModuleProblems = { module: data.module, problems: findProblems(data) }
  postMessage(problems)
})
