import {
  Conflict,
  type DomainError,
  Invalid,
  NotFound,
  PermissionDenied,
  Refused,
  Unauthenticated,
  Unavailable,
} from '../domain-errors.ts'

const statuses = [
  [Invalid, 400],
  [Unauthenticated, 401],
  [PermissionDenied, 403],
  [NotFound, 404],
  [Conflict, 409],
  [Refused, 422],
  [Unavailable, 502],
] as const

/** Returns the status of the response to a request that a domain refuses. */
export const statusOfDomainError = (error: DomainError): number =>
  statuses.find(([type]) => error instanceof type)?.[1] ?? 500
