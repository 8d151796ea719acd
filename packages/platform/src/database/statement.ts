/** A statement with one command, and the values of `$1`, `$2` and so on. */
export interface Statement {
  /** The same text each time: it is what connections know prepared statements by. */
  readonly text: string
  readonly values: readonly StatementValue[]
}

/** What a value of a statement may be; a list is an array of texts. */
export type StatementValue = string | number | boolean | Date | null | readonly string[]

/** What a statement answered. Instants are texts, as they are for `Tables`. */
export interface StatementResult<R = Readonly<Record<string, unknown>>> {
  readonly rows: readonly R[]
  /** Rows that were read or written. */
  readonly count: number
}

/** A value in the text form of the wire protocol. */
export function wireValue(value: StatementValue): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? arrayValue(value) : String(value)
}

const arrayValue = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`

/** Takes up a value of a statement that is put together, and answers what stands for it there. */
export type Parameter = (value: StatementValue) => string

/** Collects the values of a statement that is put together of parts. */
export function parameters(): { readonly values: StatementValue[]; readonly $: Parameter } {
  const values: StatementValue[] = []
  return { values, $: (value) => `$${values.push(value)}` }
}
