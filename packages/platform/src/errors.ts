/** Error code, for programmatic handling. */
export type PlatformErrorCode =
  | 'OPTION_INVALID'
  | 'PROJECT_INVALID'
  | 'DATABASE_IN_USE'
  | 'DATABASE_INCOMPATIBLE'
  | 'DATABASE_FAILED'
  | 'LISTEN_FAILED'
  | 'STORAGE_UNAVAILABLE'

type Fact = string | number | boolean

/** Optional parts of a {@link PlatformError}. */
export interface PlatformErrorParts {
  readonly cause?: unknown
  readonly details?: Readonly<Record<string, Fact>>
  readonly help?: string
}

/**
 * Error in the platform, its options or its project files. The message contains what
 * failed, the details and how to fix it; `code` is stable. NOT thrown for rejected
 * requests, which receive an error response.
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly code: PlatformErrorCode
  readonly details: Readonly<Record<string, Fact>>
  readonly help: string | undefined

  constructor(code: PlatformErrorCode, summary: string, parts: PlatformErrorParts = {}) {
    const details = parts.details ?? {}
    const lines = [
      summary,
      ...Object.entries(details).map(([name, value]) => `  ${name}: ${value}`),
      ...(parts.help ? [parts.help] : []),
    ]
    super(lines.join('\n'), 'cause' in parts ? { cause: parts.cause } : undefined)
    this.code = code
    this.details = details
    this.help = parts.help
  }
}
