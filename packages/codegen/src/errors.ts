/** Codes of the errors thrown by this package. */
export type CodegenErrorCode =
  | 'CONFIG_INVALID'
  | 'LISTING_FAILED'
  | 'LISTING_INVALID'
  | 'OUTPUT_FOREIGN'
  | 'OUTPUT_FAILED'
  | 'REMOVAL_REFUSED'

/** Details of an error. They are printed, so they must not contain secrets. */
export type CodegenDetails = Readonly<Record<string, string | number | undefined>>

export interface CodegenErrorDetails {
  readonly code: CodegenErrorCode
  readonly details?: CodegenDetails
  readonly help?: string
  readonly cause?: unknown
}

/**
 * Error of this package. The message states what failed, followed by the details and a help
 * text. Unusual data in a listing is NOT an error, but a {@link Problem} in the report.
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
  readonly details: CodegenDetails
  readonly help: string | undefined

  constructor(summary: string, { code, details = {}, help, cause }: CodegenErrorDetails) {
    const lines = Object.entries(details)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `  ${name}: ${String(value)}`)
    super(
      [summary, ...lines, ...(help === undefined ? [] : [help])].join('\n'),
      cause === undefined ? undefined : { cause },
    )
    this.name = 'CodegenError'
    this.code = code
    this.details = details
    this.help = help
  }
}

/** Returns the first line of the message of anything thrown. */
export function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  // fetch only throws "fetch failed"; the reason is in its cause.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return (cause === '' ? said : `${said}: ${cause}`).split('\n', 1)[0] ?? ''
}
