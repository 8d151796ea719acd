import { DatabaseError } from 'pg'

/**
 * Raised where the database cannot be reached, or went away in the middle. What a
 * transaction wrote until then is undone, unless it went away while it committed:
 * nobody knows then. Answered with 503.
 */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'

  constructor(cause: unknown) {
    super(`The database does not answer: ${(cause as Error).message}`, { cause })
  }
}

/** Classes of PostgreSQL's codes that tell of a server that ends, starts or takes nobody more. */
const ofServer = /^(08|57P|53300)/

/** Whether a failure is one of the connection, and says nothing of the statement. */
export const isAway = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || ofServer.test(error.code ?? '')
