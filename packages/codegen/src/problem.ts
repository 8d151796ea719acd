import { escapeInvisible } from '@servicekit/core'

/** Codes of problems in a schema listing. */
export type ProblemCode =
  | 'CROSS_CHECK'
  | 'DUPLICATE_FIELD'
  | 'DUPLICATE_OPERATION'
  | 'DUPLICATE_SCHEMA'
  | 'EMPTY_LISTING'
  | 'FIELD_INVALID'
  | 'INSERT_DERIVED'
  | 'NAME_NOT_GRAPHQL'
  | 'NOT_A_LISTING'
  | 'QUERY_MISSING'
  | 'RENAMED'
  | 'REQUIRED_ON_UNKNOWN'
  | 'SCHEMA_INVALID'
  | 'SCHEMA_TYPE_UNKNOWN'
  | 'TYPE_MISSING'
  | 'TYPE_SPELLING'
  | 'TYPE_UNKNOWN'
  | 'WHERE_RESERVED'

/**
 * Problem in the data of a listing: a value, not an exception. Code is still generated,
 * except after an `error`.
 */
export interface Problem {
  /** `error` stops the command, `warning` is printed, `info` is counted. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: ProblemCode
  /** Single sentence that describes the problem and, if it is not obvious, the solution. */
  readonly message: string
  /** Name of the schema in the listing; empty if it has none. */
  readonly schema: string
  readonly field?: string
}

/** Formats a problem for a terminal: `Product Price: …`. */
export function formatProblem(problem: Problem): string {
  const location = [problem.schema, problem.field].filter(Boolean).join(' ')
  return escapeInvisible(location === '' ? problem.message : `${location}: ${problem.message}`)
}
