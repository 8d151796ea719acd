import {
  identity,
  type Operation,
  type ProblemDetails,
  projectHeader,
  Rejection,
  SessionError,
  UilmError,
  ValidationDetail,
  webhooks,
} from '@servicekit/contract'
import type { z } from 'zod'
import type { Denied, ForbiddenRefusal } from './authorize.ts'
import type { Unauthenticated } from '../identity/caller.ts'
import type { ResolvedOptions } from '../options.ts'
import { type Answer, json } from './answer.ts'

/** Reason why a request is rejected before it reaches its handler. */
export type Refusal =
  | { readonly reason: 'keyMissing' | 'keyUnknown'; readonly message: string }
  | {
      readonly reason: 'invalid'
      readonly errors: Readonly<Record<string, readonly string[]>>
      /** The same errors as a list, for routes that return it. */
      readonly issues?: ValidationDetail['detail']
    }
  | Denied

/**
 * Creates the response to a rejected request, in the format and with the status that the
 * operation documents. For project keys: 401 if the operation documents it, otherwise 400
 * for a missing and 404 for an unknown key.
 */
export function refuse(operation: Operation, refusal: Refusal, traceId: string): Answer {
  if (refusal.reason === 'crossSite') return rejection(406, refusal.message)
  if (isDenied(refusal) && operation.denied === 'result') return gatewayRefusal(refusal)
  const status = statusOf(operation, refusal.reason)
  const schema = operation.answers[status]?.schema
  if (schema === ValidationDetail) {
    const header = isDenied(refusal) ? 'authorization' : projectHeader
    const type = isDenied(refusal) ? refusal.reason : 'missing'
    const issue = { loc: ['header', header], msg: textOf(refusal), type }
    const detail = refusal.reason === 'invalid' ? (refusal.issues ?? []) : [issue]
    return json({ detail } satisfies ValidationDetail, status)
  }
  if (schema === webhooks.WebhookSaved) {
    const validationErrors = refusal.reason === 'invalid' ? refusal.errors : null
    return json({ success: false, errorMessage: textOf(refusal), validationErrors }, status)
  }
  if (schema === SessionError) {
    const error = refusal.reason === 'unauthenticated' ? refusal.error : 'invalid_request'
    return sessionError(status, error, textOf(refusal))
  }
  if (refusal.reason === 'invalid' && schema === identity.WriteRefused) {
    const errors = Object.entries(refusal.errors).map(([name, texts]) => [name, texts.join(' ')])
    return json({ isSuccess: false, itemId: null, errors: Object.fromEntries(errors) }, status)
  }
  return answerIn(schema, status, refusal, traceId)
}

const isDenied = (refusal: Refusal): refusal is Unauthenticated | ForbiddenRefusal =>
  refusal.reason === 'unauthenticated' || refusal.reason === 'forbidden'

/**
 * Creates a gateway error. The data gateway reports all failures with status 200 (section
 * 4.5, rule 5).
 */
function gatewayRefusal({ reason, message }: Unauthenticated | ForbiddenRefusal): Answer {
  const code = reason === 'forbidden' ? 'AUTH_NOT_AUTHORIZED' : 'AUTH_NOT_AUTHENTICATED'
  return json({ data: null, errors: [{ message, extensions: { code } }] })
}

function statusOf({ answers }: Operation, reason: Refusal['reason']): number {
  if (reason === 'invalid') return answers[422] ? 422 : 400
  if (reason === 'unauthenticated') return 401
  if (reason === 'forbidden') return 403
  // Only the uilm routes reject project keys with 401 (section 7).
  if (answers[401]?.schema === UilmError) return 401
  return reason === 'keyMissing' ? 400 : 404
}

function answerIn(
  schema: z.ZodType | undefined,
  status: number,
  refusal: Refusal,
  traceId: string,
): Answer {
  if (schema === UilmError) {
    const errors = 'errors' in refusal ? refusal.errors : { [nameOf(refusal)]: [refusal.message] }
    const title = refusal.reason === 'unauthenticated' ? noToken : undefined
    return uilmError(status, errors, traceId, title)
  }
  const isOfKey = refusal.reason === 'keyMissing' || refusal.reason === 'keyUnknown'
  if (schema === Rejection || isOfKey) return rejection(status, textOf(refusal))
  return problem(status, textOf(refusal), traceId)
}

const nameOf = ({ reason }: Refusal): string =>
  reason === 'unauthenticated' || reason === 'forbidden' ? 'Authorization' : 'ProjectKey'

const textOf = (refusal: Refusal): string =>
  'errors' in refusal ? Object.values(refusal.errors).flat().join(' ') : refusal.message

/** Creates the response to a failed session or token request (section 4.1). */
export const sessionError = (status: number, error: string, description: string): Answer =>
  json({ error, error_description: description } satisfies SessionError, status)

const titles: Readonly<Record<number, string>> = {
  400: 'One or more parameters are missing or not defined.',
  401: 'The project key is missing or not valid.',
  404: 'There is nothing at this address.',
}

const noToken = 'The bearer token is missing or not valid.'

/** Creates the response to a rejected localization request (section 7). */
export function uilmError(
  status: number,
  errors: Readonly<Record<string, readonly string[]>>,
  traceId: string,
  title = titles[status] ?? 'The request failed.',
): Answer {
  const types: Record<number, string> = { 400: 'ValidationFailed', 401: 'Unauthorized' }
  const type = types[status] ?? 'NotFound'
  return json({ code: status, message: { type, title, status, errors, traceId } }, status)
}

/** Creates the response to a request that was rejected before routing. */
export const rejection = (status: number, message: string): Answer =>
  json({ Errors: { Message: message }, IsSuccess: false } satisfies Rejection, status)

/** Thrown for a request that exceeds a rate limit; mapped to a 429 response. */
export class TooManyRequestsError extends Error {
  override readonly name = 'TooManyRequestsError'
  readonly retryAfterSeconds: number

  constructor(
    retryAfterSeconds: number,
    message = `Too many attempts. Try again in ${retryAfterSeconds} seconds.`,
  ) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Creates the response to a rate-limited request (429). */
export function tooManyRequests(
  { message, retryAfterSeconds }: TooManyRequestsError,
  { retryAfter }: Pick<ResolvedOptions, 'retryAfter'>,
): Answer {
  const answer = rejection(429, message)
  return retryAfter
    ? { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } }
    : answer
}

/** Creates the response to an unexpected error, and to errors without a format of their own. */
export const problem = (status: number, title: string, traceId: string): Answer =>
  json(
    { type: 'about:blank', title, status, traceId } satisfies ProblemDetails,
    status,
    'application/problem+json',
  )
