import { isDeepStrictEqual } from 'node:util'

/** Reason why a request is refused or cannot be completed. Requests map it to a status once. */
export abstract class DomainError extends Error {
  override readonly name: string = 'DomainError'
}

/** The input cannot be stored, or names what does not exist. */
export class Invalid extends DomainError {
  override readonly name = 'Invalid'
}

export class NotFound extends DomainError {
  override readonly name = 'NotFound'
}

/** The caller has not proved who it is. */
export class Unauthenticated extends DomainError {
  override readonly name = 'Unauthenticated'
}

/** The caller may not do this. */
export class PermissionDenied extends DomainError {
  override readonly name = 'PermissionDenied'
}

/** The data has changed since the caller read it. */
export class Conflict extends DomainError {
  override readonly name = 'Conflict'
}

/** The change is possible, and has consequences that the caller must confirm. */
export class Refused extends DomainError {
  override readonly name = 'Refused'
}

/** Another service, which the domain needs, did not do its part. */
export class Unavailable extends DomainError {
  override readonly name = 'Unavailable'
}

/** Requires that a resource exists. @throws NotFound */
export function requireFound(isFound: boolean, noun: string): asserts isFound {
  if (!isFound) throw new NotFound(`There is no such ${noun}.`)
}

/** Rejects a change of what the client has not seen. @throws Conflict */
export function requireUnchanged(
  current: unknown,
  expected: unknown,
  change = 'The drafts have changed.',
): void {
  if (expected === undefined || isDeepStrictEqual(current, expected)) return
  throw new Conflict(`${change} Read the current state before you continue.`)
}
