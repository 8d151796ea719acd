import type {
  auth,
  data,
  iam,
  idp,
  knowledge,
  localization,
  storage,
  tools,
  translation,
  webhooks,
} from '@servicekit/contract'
import {
  type OperationError,
  type RequestError,
  type ResponseShapeError,
  ServicekitError,
} from './errors.ts'

/** Operations in a group of the contract; a group also exports schemas and records. */
type OperationsIn<Group> = Extract<Group[keyof Group], { readonly route: { readonly id: string } }>

type AnyOperation =
  | OperationsIn<typeof auth>
  | OperationsIn<typeof data>
  | OperationsIn<typeof iam>
  | OperationsIn<typeof idp>
  | OperationsIn<typeof knowledge>
  | OperationsIn<typeof localization>
  | OperationsIn<typeof storage>
  | OperationsIn<typeof tools>
  | OperationsIn<typeof translation>
  | OperationsIn<typeof webhooks>

/** Operation ids of the contract: `auth.callback`, `iam.createUser` … */
export type OperationId = AnyOperation['route']['id']

type ResponsesOf<Id extends OperationId> = Extract<
  AnyOperation,
  { readonly route: { readonly id: Id } }
>['responses']

/** Failure statuses, as a list so that documented ones can be distinguished from the others. */
type FailureStatus =
  | (300 | 301 | 302 | 303 | 304 | 305 | 307 | 308)
  | (400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415)
  | (416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451)
  | (500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511)

/** Output type of a zod schema. */
type BodyOf<Response> = Response extends {
  readonly schema: { readonly _zod: { output: infer Body } }
}
  ? Body
  : undefined

/** Refused request. The body may also be text, for example the page of a proxy. */
type RefusedRequest<Status extends number, Body> = RequestError & {
  readonly code: Status extends 429 ? 'RATE_LIMITED' : 'REQUEST_REFUSED'
  readonly status: Status
  readonly body: Body
}

type RefusedRequests<Responses> = {
  readonly [Status in FailureStatus]: RefusedRequest<
    Status,
    Status extends keyof Responses ? BodyOf<Responses[Status]> | string | undefined : unknown
  >
}[FailureStatus]

type NoResponse = RequestError & {
  readonly code: 'REQUEST_FAILED' | 'REQUEST_TIMED_OUT' | 'REQUEST_ABORTED' | 'RESPONSE_TOO_LARGE'
  readonly status: undefined
}

/** Failure reported with a success status. */
type FailedWithStatus200<Responses> = OperationError & {
  readonly code: 'OPERATION_FAILED'
  readonly status: 200
  readonly retryAfterMs?: undefined
  readonly body: Responses extends { readonly 200: infer Response } ? BodyOf<Response> : unknown
}

/** Declares the members of the other errors as well, so that all can be accessed on the union. */
type UnexpectedResponse = ResponseShapeError & {
  readonly code: 'RESPONSE_INVALID'
  readonly status?: undefined
  readonly body?: undefined
  readonly retryAfterMs?: undefined
}

/**
 * Failures of an operation as documented by the contract: a union discriminated by `code`,
 * and for `REQUEST_REFUSED` by `status`, each with its body.
 *
 * ```ts
 * type Refused = ErrorOf<'auth.callback'> & { status: 400 }
 * // body: { error: string, error_description?: string } | string | undefined
 * ```
 *
 * @see section 7
 */
export type ErrorOf<Id extends OperationId> =
  | RefusedRequests<ResponsesOf<Id>>
  | FailedWithStatus200<ResponsesOf<Id>>
  | NoResponse
  | UnexpectedResponse

/**
 * Checks whether a caught value is a failure of this operation and narrows it to {@link
 * ErrorOf}. Returns false for errors of other operations and of other code.
 *
 * ```ts
 * try {
 *   await completeSignIn(core, location.href)
 * } catch (error) {
 *   if (!isErrorOf(error, 'auth.callback') || error.status !== 400) throw error
 *   if (typeof error.body === 'object') show(error.body.error) // 'invalid_state' …
 * }
 * ```
 *
 * @see section 7
 */
export const isErrorOf = <Id extends OperationId>(error: unknown, id: Id): error is ErrorOf<Id> =>
  error instanceof ServicekitError && error.details['operation'] === id
