import { BaseError } from '@servicekit/core'

/** Error code, for programmatic handling. */
export type PlatformErrorCode =
  | 'OPTION_INVALID'
  | 'PROJECT_INVALID'
  | 'DATABASE_IN_USE'
  | 'DATABASE_INCOMPATIBLE'
  | 'DATABASE_FAILED'
  | 'LISTEN_FAILED'
  | 'STORAGE_UNAVAILABLE'
  | 'BACKUP_INVALID'

type Parts = Omit<ConstructorParameters<typeof BaseError>[1], 'code'>

/**
 * Error in the platform, its options or its project files. The message contains what
 * failed, the details and how to fix it; `code` is stable. NOT thrown for rejected
 * requests, which receive an error response.
 */
export class PlatformError extends BaseError<PlatformErrorCode> {
  constructor(code: PlatformErrorCode, summary: string, parts: Parts = {}) {
    super(summary, { code, ...parts })
  }
}
