import { BaseError } from '@servicekit/core'

/** Codes of the errors thrown by this package. */
export type CodegenErrorCode =
  | 'CONFIG_INVALID'
  | 'LISTING_FAILED'
  | 'LISTING_INVALID'
  | 'OUTPUT_FOREIGN'
  | 'OUTPUT_FAILED'
  | 'REMOVAL_REFUSED'

/**
 * Error of this package. The message states what failed, followed by the details and a help
 * text. Unusual data in a listing is NOT an error, but a {@link Problem} in the report.
 *
 * ```text
 * Cannot list the data schemas: the service responded with 404
 *   project: P5c1…
 *   url: https://api.example.com/data/v4/schemas?…
 *   message: Project not found
 * Check baseUrl and projectKey.
 * ```
 */
export class CodegenError extends BaseError<CodegenErrorCode> {}
