import {
  type Operation,
  projectHeader,
  Rejection,
  SessionError,
  UilmError,
  userRecords,
  ValidationDetail,
  webhooks,
} from '@servicekit/contract'
import { json, problemDetails, rejection, sessionError, uilmError } from './responses.ts'

export interface RequestProblem {
  readonly reason:
    | 'keyMissing'
    | 'keyUnknown'
    | 'invalid'
    | 'unauthenticated'
    | 'forbidden'
    | 'crossSite'
  /** By default the messages of `errors`. */
  readonly message?: string
  /** Error code of an unauthenticated request, such as `session_not_found`. */
  readonly error?: string
  /** Errors of an invalid request, by parameter. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
  /** The same errors as a list, for routes that return it. */
  readonly issues?: ValidationDetail['detail']
}

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
  const { reason, error = 'invalid_request', errors, issues } = problem
  const message = messageOf(problem)
  if (reason === 'crossSite') return rejection(406, message)
  const isAccess = reason === 'unauthenticated' || reason === 'forbidden'
  if (isAccess && operation.denied === 'result') {
    // The data gateway reports all errors with status 200 (section 4.5, rule 5).
    const code = reason === 'forbidden' ? 'AUTH_NOT_AUTHORIZED' : 'AUTH_NOT_AUTHENTICATED'
    return json({ data: null, errors: [{ message, extensions: { code } }] })
  }
  const status = statusOf(operation, reason)
  switch (operation.responses[status]?.schema) {
    case ValidationDetail: {
      const loc = ['header', isAccess ? 'authorization' : projectHeader]
      const issue = { loc, msg: message, type: isAccess ? reason : 'missing' }
      const detail = reason === 'invalid' ? (issues ?? []) : [issue]
      return json({ detail } satisfies ValidationDetail, status)
    }
    case webhooks.WebhookSaved:
      return json(
        { success: false, errorMessage: message, validationErrors: errors ?? null },
        status,
      )
    case SessionError:
      return sessionError(status, error, message)
    case userRecords.WriteRefused: {
      if (!errors) break
      const joined = Object.entries(errors).map(([name, texts]) => [name, texts.join(' ')])
      return json({ isSuccess: false, itemId: null, errors: Object.fromEntries(joined) }, status)
    }
    case UilmError: {
      const name = isAccess ? 'Authorization' : 'ProjectKey'
      const title = reason === 'unauthenticated' ? noToken : undefined
      return uilmError(status, errors ?? { [name]: [message] }, traceId, title)
    }
    case Rejection:
      return rejection(status, message)
    default:
  }
  const isKey = reason === 'keyMissing' || reason === 'keyUnknown'
  return isKey ? rejection(status, message) : problemDetails(status, message, traceId)
}

const noToken = 'The bearer token is missing or not valid.'

const messageOf = ({ message, errors = {} }: RequestProblem): string =>
  message ?? Object.values(errors).flat().join(' ')

function statusOf({ responses }: Operation, reason: RequestProblem['reason']): number {
  if (reason === 'invalid') return responses[422]?.schema === ValidationDetail ? 422 : 400
  if (reason === 'unauthenticated') return 401
  if (reason === 'forbidden') return 403
  // Only the uilm routes reject project keys with 401 (section 7).
  if (responses[401]?.schema === UilmError) return 401
  return reason === 'keyMissing' ? 400 : 404
}
