/**
 * Thrown if the database cannot be reached, or the connection breaks. The transaction is
 * rolled back, unless the connection broke during the commit: then its outcome is
 * unknown. Mapped to a 503 response.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor(cause: unknown) {
    super(`The database is unavailable: ${(cause as Error).message}`, { cause })
  }
}

/** Returns true for the error of the driver when a statement takes too long. */
export const isTimeout = (error: unknown): error is Error =>
  error instanceof Error && (error.message === 'Query read timeout' || isTimeout(error.cause))

/** Returns true if the database could not be reached or did not respond. */
export const isUnavailable = (error: unknown): boolean =>
  isTimeout(error) ||
  (error instanceof Error && (error.name === 'DatabaseUnavailable' || isUnavailable(error.cause)))
