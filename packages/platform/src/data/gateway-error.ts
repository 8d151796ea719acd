import { type ASTNode, GraphQLError } from 'graphql'
import type { Denial } from './access-levels.ts'

/** PostgreSQL error code for a statement that exceeded `statement_timeout`. */
const queryCanceled = '57014'

/** Creates an error in the request, whose message is shown to the caller. */
export const validationError = (message: string, node?: ASTNode): GraphQLError =>
  new GraphQLError(message, { nodes: node ?? null, extensions: { code: 'VALIDATION_ERROR' } })

/** Creates an error for denied access, thrown before any part of the request runs. */
export const accessError = (denial: Denial, what: string): GraphQLError =>
  denial === 'forbidden'
    ? new GraphQLError(`You may not ${what}.`, { extensions: { code: 'AUTH_NOT_AUTHORIZED' } })
    : new GraphQLError(
        `You must be signed in to ${what}. Send the cookies of a session, or a bearer token.`,
        { extensions: { code: 'AUTH_NOT_AUTHENTICATED' } },
      )

/**
 * Converts an error for the caller. Errors in the request are passed on, with a code;
 * internal errors are reported and replaced by a generic message.
 */
export function shownError(error: GraphQLError, onError: (error: Error) => void): GraphQLError {
  const { nodes = null, source, positions, path, originalError: cause } = error
  const withCode = (message: string, code: unknown): GraphQLError =>
    new GraphQLError(message, { nodes, source, positions, path, extensions: { code } })
  if (cause && !(cause instanceof GraphQLError)) {
    if (hasSqlState(cause, queryCanceled)) return withCode('The query took too long.', 'TIMEOUT')
    onError(cause)
    return withCode('The operation failed.', 'INTERNAL_ERROR')
  }
  if (error.extensions['code'] !== undefined) return error
  return withCode(error.message, cause?.extensions['code'] ?? 'VALIDATION_ERROR')
}

/** Returns true if the error or one of its causes has this PostgreSQL error code. */
export function hasSqlState(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return (error as { code?: unknown }).code === code || hasSqlState(error.cause, code)
}
