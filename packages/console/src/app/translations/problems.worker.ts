import {
  checkTranslations,
  type ModuleTexts,
  type ParseOptions,
  type TranslationProblem,
} from '@servicekit/catalog/inspection'

/** Module to check. */
export interface ModuleCheck {
  readonly texts: ModuleTexts
  /** Options of the application; undefined without a manifest of its build. */
  readonly options: ParseOptions | undefined
}

export interface ModuleProblems {
  readonly module: string
  readonly problems: readonly TranslationProblem[]
}

// Checks modules outside of the page's thread: 200,000 translations take seconds.
addEventListener('message', ({ data: { texts, options } }: MessageEvent<ModuleCheck>) => {
  const problems = checkTranslations(texts, options)
  postMessage({ module: texts.module, problems } satisfies ModuleProblems)
})
