/** Statement with a single command, and the values of `$1`, `$2` and so on. */
export interface Statement {
  /** Must be identical each time, because connections cache prepared statements by it. */
  readonly text: string
  readonly values: readonly StatementValue[]
}

/** Value of a parameter; a list is a text array. */
export type StatementValue = string | number | boolean | Date | null | readonly string[]

/** Result of a statement. Dates and timestamps are strings, as in `Tables`. */
export interface StatementResult<R = Readonly<Record<string, unknown>>> {
  readonly rows: readonly R[]
  /** Number of rows read or written. */
  readonly count: number
}

/** Formats a value in the text format of the wire protocol. */
export function wireValue(value: StatementValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? arrayValue(value) : String(value)
}

const arrayValue = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`

/** Adds a parameter value and returns its placeholder. */
export type Parameter = (value: StatementValue) => string

/** Collects the parameter values while a statement is composed. */
export function parameters(): { readonly values: StatementValue[]; readonly $: Parameter } {
  const values: StatementValue[] = []
  return { values, $: (value) => `$${values.push(value)}` }
}
