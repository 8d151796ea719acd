import type { ImportPlan } from './plan-import.ts'

/** Body of the control route that saves an import as drafts, all or nothing. */
interface ImportRequest {
  readonly languages: readonly { readonly languageCode: string; readonly isDefault?: boolean }[]
  readonly modules: readonly string[]
  readonly drafts: readonly {
    readonly module: string
    readonly key: string
    readonly language: string
    readonly value: string
    readonly expected: string | null
    readonly details?: { readonly context?: string; readonly maxLength?: number }
  }[]
  readonly states: readonly {
    readonly module: string
    readonly key: string
    readonly language: string
    readonly state: 'reviewed'
    readonly expected: string
  }[]
}

/**
 * Returns the request for an import. It is refused if one of the translations changed since the plan
 * was made.
 *
 * @param defaultLanguage default language of a project that has none yet.
 */
export const importRequest = (
  { newLanguages, newModules, changes, reviews }: ImportPlan,
  defaultLanguage?: string,
): ImportRequest => ({
  languages: newLanguages.map((languageCode) => ({
    languageCode,
    ...(languageCode === defaultLanguage && { isDefault: true }),
  })),
  modules: newModules,
  drafts: changes.map(
    ({ module, key, language, value, previous, isNewKey, context, maxLength }) => ({
      module,
      key,
      language,
      value,
      expected: previous,
      // The details of a key that exists are those of the project.
      ...(isNewKey &&
        (context || maxLength) && {
          details: { ...(context && { context }), ...(maxLength && { maxLength }) },
        }),
    }),
  ),
  states: reviews.map(({ value, ...translation }) => ({
    ...translation,
    state: 'reviewed',
    expected: value,
  })),
})
