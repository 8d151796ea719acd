import { DatabaseError } from 'pg'

/**
 * Thrown if the database cannot be reached, or the connection breaks. The transaction is
 * rolled back, unless the connection broke during the commit: then its outcome is
 * unknown. Mapped to a 503 response.
 */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'

  constructor(cause: unknown) {
    super(`The database does not answer: ${(cause as Error).message}`, { cause })
  }
}

/**
 * PostgreSQL error classes of a server that shuts down, starts up or accepts no more
 * connections.
 */
const ofServer = /^(08|57P|53300)/

/** Returns true if an error is about the connection, not the statement. */
export const isAway = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || ofServer.test(error.code ?? '')
