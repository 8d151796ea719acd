import { isDeepStrictEqual } from 'node:util'

/** Reason why a domain refuses a change or cannot complete it. Requests map it to a status once. */
export class DomainError extends Error {
  override readonly name: string = 'DomainError'
}

/** The input cannot be stored, or names what does not exist. */
export class Invalid extends DomainError {
  override readonly name = 'Invalid'
}

export class NotFound extends DomainError {
  override readonly name = 'NotFound'
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

/** Rejects a change of what the client has not seen. @throws Conflict */
export function requireUnchanged(
  current: unknown,
  expected: unknown,
  change = 'The drafts have changed.',
): void {
  if (expected === undefined || isDeepStrictEqual(current, expected)) return
  throw new Conflict(`${change} Read the current state before you continue.`)
}
