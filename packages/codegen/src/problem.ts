/** Codes of oddities in a schema listing. */
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
 * A doubt about the listing's data: a value, not an exception. Code is generated
 * all the same, save after an `error`.
 */
export interface Problem {
  /** `error` stops the generation; `warning` is printed; `info` is counted. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly code: ProblemCode
  /** Name of the schema as the listing spells it; empty where it has none. */
  readonly schema: string
  readonly field?: string
  /** One sentence: what is odd, and what was done about it. */
  readonly message: string
}

/** `Product Price: …`, for a terminal. */
export function formatProblem(problem: Problem): string {
  const place = [problem.schema, problem.field].filter(Boolean).join(' ')
  return place === '' ? problem.message : `${place}: ${problem.message}`
}
