/** Codes of the errors that this package throws. */
export type CodegenErrorCode =
  | 'CONFIG_INVALID'
  | 'LISTING_FAILED'
  | 'LISTING_INVALID'
  | 'OUTPUT_FOREIGN'
  | 'OUTPUT_FAILED'
  | 'REMOVAL_REFUSED'

/** What an error knows beside its first line. Values are printed: no secret belongs in here. */
export type CodegenFacts = Readonly<Record<string, string | number | undefined>>

export interface CodegenErrorDetails {
  readonly code: CodegenErrorCode
  readonly facts?: CodegenFacts
  readonly help?: string
  readonly cause?: unknown
}

/**
 * Every error of this package. The first line says what failed, then come the
 * facts, then what to do. It is NOT thrown for odd data in a listing: that is a
 * {@link Problem} in the report.
 *
 * ```text
 * Could not list the data schemas
 *   url: https://api.example.com/data/v4/schemas
 *   project: P5c1…
 *   status: 404
 *   reason: Project not found
 * Check the project key.
 * ```
 */
export class CodegenError extends Error {
  readonly code: CodegenErrorCode
  readonly facts: CodegenFacts
  readonly help: string | undefined

  constructor(summary: string, { code, facts = {}, help, cause }: CodegenErrorDetails) {
    const lines = Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `  ${name}: ${String(value)}`)
    super(
      [summary, ...lines, ...(help === undefined ? [] : [help])].join('\n'),
      cause === undefined ? undefined : { cause },
    )
    this.name = 'CodegenError'
    this.code = code
    this.facts = facts
    this.help = help
  }
}

/** First line of whatever was thrown, for a fact. */
export function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  // fetch says only "fetch failed": what failed is one cause deeper.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return (cause === '' ? said : `${said}: ${cause}`).split('\n', 1)[0] ?? ''
}
