import { escapeInvisible } from '@servicekit/core'

/** Codes of problems in translation data. */
export type ProblemCode =
  | 'CACHE_UNUSABLE'
  | 'EMPTY_FILE'
  | 'FILE_IGNORED'
  | 'IDENTIFIER_CLASH'
  | 'INVALID_KEY'
  | 'MISSING_TRANSLATION'
  | 'MODULE_CLASH'
  | 'NESTED_TRANSLATION'
  | 'INVALID_TRANSLATION'
  | 'KEY_REMOVED'
  | 'PARAMETER_MISSING'
  | 'PARAMETER_TYPE'
  | 'PARAMETER_UNKNOWN'
  | 'PLURAL_MISSING'
  | 'SYNTAX'
  | 'TAG_INVALID'
  | 'TAG_MISSING'
  | 'TAG_UNKNOWN'
  | 'TRANSLATION_REFUSED'
  | 'TOO_LONG'

/** Problem in the translations. The caller (plugin, command) prints it or fails. */
export interface Problem {
  /** `error` stops a build, `warning` is printed, `info` is counted. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: ProblemCode
  readonly language?: string
  readonly module?: string
  readonly key?: string
  /** Single sentence that describes the problem and, if it is not obvious, the solution. */
  readonly message: string
}

/** Returns whether a translation with this problem is not shown: its fallback is. */
export const isRefused = (code: ProblemCode): boolean => refusedCodes.has(code)

const refusedCodes: ReadonlySet<ProblemCode> = new Set([
  'PARAMETER_TYPE',
  'PARAMETER_UNKNOWN',
  'TAG_INVALID',
  'TAG_MISSING',
  'TAG_UNKNOWN',
])

/** Formats a problem for a terminal: `auth SIGN_IN (de-DE): …`. */
export function formatProblem(problem: Problem): string {
  const location = [problem.module, problem.key].filter((part) => part !== undefined).join(' ')
  const language = problem.language === undefined ? '' : ` (${problem.language})`
  return escapeInvisible(`${location}${language}: ${problem.message}`)
}
