import { type Operation, type ProblemDetails, Rejection, UilmError } from '@servicekit/contract'
import type { z } from 'zod'
import { type Answer, json } from './answer.ts'

/** Why a request is turned away before it reaches its handler. */
export type Refusal =
  | { readonly reason: 'keyMissing' | 'keyUnknown'; readonly message: string }
  | { readonly reason: 'invalid'; readonly errors: Readonly<Record<string, readonly string[]>> }

/**
 * The answer to a refused request, in the shape and with the status that the
 * operation documents: 401 for a bad project key where it has one, else 400 for
 * a missing and 404 for an unknown key.
 */
export function refuse(operation: Operation, refusal: Refusal, traceId: string): Answer {
  const status = statusOf(operation, refusal.reason)
  const schema = operation.answers[status]?.schema
  const errors = refusal.reason === 'invalid' ? refusal.errors : { ProjectKey: [refusal.message] }
  return answerIn(schema, status, errors, traceId)
}

function statusOf({ answers }: Operation, reason: Refusal['reason']): number {
  if (reason === 'invalid') return 400
  if (answers[401]) return 401
  return reason === 'keyMissing' ? 400 : 404
}

function answerIn(
  schema: z.ZodType | undefined,
  status: number,
  errors: Readonly<Record<string, readonly string[]>>,
  traceId: string,
): Answer {
  if (schema === UilmError) return uilmError(status, errors, traceId)
  if (schema === Rejection) return rejection(status, Object.values(errors).flat().join(' '))
  return problem(status, Object.values(errors).flat().join(' '), traceId)
}

const titles: Readonly<Record<number, string>> = {
  400: 'One or more parameters are missing or not defined.',
  401: 'The project key is missing or not valid.',
  404: 'There is nothing at this address.',
}

/** Body of a refused localization request (section 7). */
export function uilmError(
  status: number,
  errors: Readonly<Record<string, readonly string[]>>,
  traceId: string,
): Answer {
  const types: Record<number, string> = { 400: 'ValidationFailed', 401: 'Unauthorized' }
  const title = titles[status] ?? 'The request failed.'
  const type = types[status] ?? 'NotFound'
  return json({ code: status, message: { type, title, status, errors, traceId } }, status)
}

/** Body of a request that was turned away before routing. */
export const rejection = (status: number, message: string): Answer =>
  json({ Errors: { Message: message }, IsSuccess: false } satisfies Rejection, status)

/** Body of a failure that nobody foresaw, and of what has no shape of its own. */
export const problem = (status: number, title: string, traceId: string): Answer =>
  json(
    { type: 'about:blank', title, status, traceId } satisfies ProblemDetails,
    status,
    'application/problem+json',
  )
