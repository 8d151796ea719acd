import { Conflict, type DomainError, Invalid, NotFound, Refused } from '../domain-errors.ts'

/** Returns the status of the response to a request that a domain refuses. */
export function statusOfDomainError(error: DomainError): 400 | 404 | 409 | 422 | 502 {
  if (error instanceof Invalid) return 400
  if (error instanceof NotFound) return 404
  if (error instanceof Refused) return 422
  return error instanceof Conflict ? 409 : 502
}
