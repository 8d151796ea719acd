import {
  identity,
  type Operation,
  projectHeader,
  Rejection,
  SessionError,
  UilmError,
  ValidationDetail,
  webhooks,
} from '@servicekit/contract'
import { json, problemDetails, rejection, sessionError, uilmError } from './responses.ts'

/** Missing authentication or permission. */
type AccessProblem =
  | {
      readonly reason: 'unauthenticated'
      /** Error code such as `session_not_found`. */
      readonly error: string
      readonly message: string
    }
  | { readonly reason: 'forbidden'; readonly message: string }

/** Reason why a request is rejected. */
export type RequestProblem =
  | { readonly reason: 'keyMissing' | 'keyUnknown'; readonly message: string }
  | {
      readonly reason: 'invalid'
      readonly errors: Readonly<Record<string, readonly string[]>>
      /** The same errors as a list, for routes that return it. */
      readonly issues?: ValidationDetail['detail']
    }
  | AccessProblem
  /** A page that may not use the cookies of its visitors. */
  | { readonly reason: 'crossSite'; readonly message: string }

/**
 * Thrown for a request that is rejected, and mapped to the response that its operation
 * documents. Rolls back the transaction in which it is thrown.
 */
export class RejectedRequest extends Error {
  override readonly name: string = 'RejectedRequest'
  readonly problem: RequestProblem

  constructor(problem: RequestProblem) {
    super(messageOf(problem))
    this.problem = problem
  }
}

/** Thrown for a caller who lacks permission. */
export class Forbidden extends RejectedRequest {
  override readonly name = 'Forbidden'

  constructor(message: string) {
    super({ reason: 'forbidden', message })
  }
}

/**
 * Creates the response to a rejected request, in the format and with the status that the
 * operation documents. For project keys: 401 if the operation documents it, otherwise 400
 * for a missing and 404 for an unknown key.
 */
export function rejectionResponse(
  operation: Operation,
  problem: RequestProblem,
  traceId: string,
): Response {
  const message = messageOf(problem)
  if (problem.reason === 'crossSite') return rejection(406, message)
  const isAccess = isAccessProblem(problem)
  if (isAccess && operation.denied === 'result') {
    // The data gateway reports all errors with status 200 (section 4.5, rule 5).
    const isForbidden = problem.reason === 'forbidden'
    const code = isForbidden ? 'AUTH_NOT_AUTHORIZED' : 'AUTH_NOT_AUTHENTICATED'
    return json({ data: null, errors: [{ message, extensions: { code } }] })
  }
  const status = statusOf(operation, problem.reason)
  const errors = problem.reason === 'invalid' ? problem.errors : undefined
  switch (operation.answers[status]?.schema) {
    case ValidationDetail: {
      const loc = ['header', isAccess ? 'authorization' : projectHeader]
      const issue = { loc, msg: message, type: isAccess ? problem.reason : 'missing' }
      const detail = problem.reason === 'invalid' ? (problem.issues ?? []) : [issue]
      return json({ detail } satisfies ValidationDetail, status)
    }
    case webhooks.WebhookSaved:
      return json(
        { success: false, errorMessage: message, validationErrors: errors ?? null },
        status,
      )
    case SessionError: {
      const error = problem.reason === 'unauthenticated' ? problem.error : 'invalid_request'
      return sessionError(status, error, message)
    }
    case identity.WriteRefused: {
      if (!errors) break
      const joined = Object.entries(errors).map(([name, texts]) => [name, texts.join(' ')])
      return json({ isSuccess: false, itemId: null, errors: Object.fromEntries(joined) }, status)
    }
    case UilmError: {
      const name = isAccess ? 'Authorization' : 'ProjectKey'
      const title = problem.reason === 'unauthenticated' ? noToken : undefined
      return uilmError(status, errors ?? { [name]: [message] }, traceId, title)
    }
    case Rejection:
      return rejection(status, message)
    default:
  }
  const isKey = problem.reason === 'keyMissing' || problem.reason === 'keyUnknown'
  return isKey ? rejection(status, message) : problemDetails(status, message, traceId)
}

const noToken = 'The bearer token is missing or not valid.'

const isAccessProblem = (problem: RequestProblem): problem is AccessProblem =>
  problem.reason === 'unauthenticated' || problem.reason === 'forbidden'

const messageOf = (problem: RequestProblem): string =>
  'errors' in problem ? Object.values(problem.errors).flat().join(' ') : problem.message

function statusOf({ answers }: Operation, reason: RequestProblem['reason']): number {
  if (reason === 'invalid') return answers[422] ? 422 : 400
  if (reason === 'unauthenticated') return 401
  if (reason === 'forbidden') return 403
  // Only the uilm routes reject project keys with 401 (section 7).
  if (answers[401]?.schema === UilmError) return 401
  return reason === 'keyMissing' ? 400 : 404
}
