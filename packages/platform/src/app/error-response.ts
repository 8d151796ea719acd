import { BodyTooLarge } from '@servicekit/core/node'
import { isUnavailable } from '../database/unavailable.ts'
import {
  Conflict,
  DomainError,
  Invalid,
  NotFound,
  PermissionDenied,
  Refused,
  Unauthenticated,
} from '../domain-errors.ts'
import {
  clientClosedRequest,
  problemDetails,
  tooManyRequests,
  TooManyRequestsError,
  unavailable,
} from '../http/responses.ts'
import type { ResolvedOptions } from '../options.ts'
import { StorageError } from '../storage/storage-error.ts'
import { DroppedConnection } from './inject-fault.ts'

const statuses = [
  [Invalid, 400],
  [Unauthenticated, 401],
  [PermissionDenied, 403],
  [NotFound, 404],
  [Conflict, 409],
  [Refused, 422],
] as const

const statusOf = (error: DomainError): number =>
  statuses.find(([type]) => error instanceof type)?.[1] ?? 502

/** Returns the response to an error that no operation documents; reports those of the platform. */
export function errorResponse(
  error: Error,
  signal: AbortSignal,
  requestId: string,
  options: ResolvedOptions,
): Response {
  if (error instanceof DroppedConnection) throw error
  if (signal.aborted) return clientClosedRequest()
  if (error instanceof TooManyRequestsError) return tooManyRequests(error, options)
  if (error instanceof BodyTooLarge) return problemDetails(413, error.message, requestId)
  if (error instanceof DomainError) return problemDetails(statusOf(error), error.message, requestId)
  options.onError(error)
  if (error instanceof StorageError) return unavailable(error.message, requestId, error.status)
  return isUnavailable(error)
    ? unavailable('The database is not available.', requestId)
    : problemDetails(500, 'The request failed.', requestId)
}
