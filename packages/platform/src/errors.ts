import { BaseError, type Details } from '@servicekit/core'

/** Error code, for programmatic handling. */
export type PlatformErrorCode =
  | 'OPTION_INVALID'
  | 'PROJECT_INVALID'
  | 'DATABASE_IN_USE'
  | 'DATABASE_INCOMPATIBLE'
  | 'DATABASE_FAILED'
  | 'LISTEN_FAILED'
  | 'STORAGE_UNAVAILABLE'

/** Optional parts of a {@link PlatformError}. */
export interface PlatformErrorParts {
  readonly cause?: unknown
  readonly details?: Details
  readonly help?: string
}

/**
 * Error in the platform, its options or its project files. The message contains what
 * failed, the details and how to fix it; `code` is stable. NOT thrown for rejected
 * requests, which receive an error response.
 */
export class PlatformError extends BaseError<PlatformErrorCode> {
  constructor(code: PlatformErrorCode, summary: string, parts: PlatformErrorParts = {}) {
    super(summary, { code, ...parts })
  }
}
