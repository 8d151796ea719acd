import { escapeInvisible } from './visible.ts'

/** Codes of faults in translation data. */
export type ProblemCode =
  | 'CACHE_UNUSABLE'
  | 'EMPTY_FILE'
  | 'IDENTIFIER_CLASH'
  | 'INVALID_KEY'
  | 'MISSING_TEXT'
  | 'MODULE_CLASH'
  | 'NESTED_TEXT'
  | 'NOT_A_TEXT'
  | 'PARAMETER_MISSING'
  | 'PARAMETER_UNKNOWN'
  | 'PLURAL_MISSING'
  | 'SYNTAX'

/**
 * A fault in the data: a value, not an exception. The edge (plugin, command)
 * decides what is printed and what fails.
 */
export interface Problem {
  /** `error` stops a build; `warning` is printed; `info` is counted. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: ProblemCode
  readonly language?: string
  readonly module?: string
  readonly key?: string
  /** One sentence that names what is wrong and, where it is not plain, what to do. */
  readonly message: string
}

/** `auth SIGN_IN (de-DE): …`, for a terminal. */
export function formatProblem(problem: Problem): string {
  const place = [problem.module, problem.key].filter((part) => part !== undefined).join(' ')
  const language = problem.language === undefined ? '' : ` (${problem.language})`
  return escapeInvisible(`${place}${language}: ${problem.message}`)
}
