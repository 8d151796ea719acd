/** What went wrong, for code that reacts to it. */
export type PlatformErrorCode =
  | 'OPTION_INVALID'
  | 'PROJECT_INVALID'
  | 'DATABASE_IN_USE'
  | 'DATABASE_INCOMPATIBLE'
  | 'DATABASE_FAILED'
  | 'LISTEN_FAILED'
  | 'STORAGE_UNAVAILABLE'

type Fact = string | number | boolean

/** Extra parts of a {@link PlatformError}. */
export interface PlatformErrorParts {
  readonly cause?: unknown
  readonly facts?: Readonly<Record<string, Fact>>
  readonly help?: string
}

/**
 * A fault of the platform itself or of what it was started with. The message
 * says what failed, the facts and what to do; `code` is stable. NOT thrown for a
 * request that the platform refuses: that is an answer.
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
  readonly code: PlatformErrorCode
  readonly facts: Readonly<Record<string, Fact>>
  readonly help: string | undefined

  constructor(code: PlatformErrorCode, summary: string, parts: PlatformErrorParts = {}) {
    const facts = parts.facts ?? {}
    const lines = [
      summary,
      ...Object.entries(facts).map(([name, value]) => `  ${name}: ${value}`),
      ...(parts.help ? [parts.help] : []),
    ]
    super(lines.join('\n'), 'cause' in parts ? { cause: parts.cause } : undefined)
    this.code = code
    this.facts = facts
    this.help = parts.help
  }
}
