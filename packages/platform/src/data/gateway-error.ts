import { type ASTNode, GraphQLError } from 'graphql'
import type { Denial } from './access-levels.ts'

/** PostgreSQL's code for a statement that ran into `statement_timeout`. */
const queryCanceled = '57014'

/** A fault of the request, told to the caller in so many words. */
export const validationError = (message: string, node?: ASTNode): GraphQLError =>
  new GraphQLError(message, {
    ...(node ? { nodes: node } : {}),
    extensions: { code: 'VALIDATION_ERROR' },
  })

/** A refusal of a request, before anything of it runs. */
export const accessError = (denial: Denial, what: string): GraphQLError =>
  denial === 'forbidden'
    ? new GraphQLError(`You may not ${what}.`, { extensions: { code: 'AUTH_NOT_AUTHORIZED' } })
    : new GraphQLError(
        `You must be signed in to ${what}. Send the cookies of a session, or a bearer token.`,
        { extensions: { code: 'AUTH_NOT_AUTHENTICATED' } },
      )

/**
 * What a caller is told of an error. A request's own fault passes, with a code;
 * a failure of ours becomes a sentence that gives nothing away, and is reported.
 */
export function tellError(error: GraphQLError, onFault: (fault: Error) => void): GraphQLError {
  const cause = error.originalError
  if (cause && !(cause instanceof GraphQLError)) {
    const isTimeout = hasSqlState(cause, queryCanceled)
    if (!isTimeout) onFault(cause)
    return new GraphQLError(isTimeout ? 'The query took too long.' : 'The operation failed.', {
      ...(error.nodes ? { nodes: error.nodes } : {}),
      ...(error.path ? { path: error.path } : {}),
      extensions: { code: isTimeout ? 'TIMEOUT' : 'INTERNAL_ERROR' },
    })
  }
  if (error.extensions['code'] !== undefined) return error
  return new GraphQLError(error.message, {
    ...(error.nodes ? { nodes: error.nodes } : {}),
    ...(error.source ? { source: error.source } : {}),
    ...(error.positions ? { positions: error.positions } : {}),
    ...(error.path ? { path: error.path } : {}),
    extensions: { code: cause?.extensions['code'] ?? 'VALIDATION_ERROR' },
  })
}

/** Returns whether PostgreSQL failed with this code, at any depth of causes. */
export function hasSqlState(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return (error as { code?: unknown }).code === code || hasSqlState(error.cause, code)
}
