import type { webhooks } from '@servicekit/contract'
import type * as routes from '@servicekit/contract/routes'
import { expectTypeOf } from 'vitest'
import { type ErrorOf, isErrorOf, type OperationId, type RequestError } from './index.ts'

declare const error: unknown

type AnyRoute = Extract<(typeof routes)[keyof typeof routes], { readonly id: string }>
expectTypeOf<OperationId>().toEqualTypeOf<AnyRoute['id']>()

// @ts-expect-error no such operation
void isErrorOf(error, 'auth.signIn')

if (isErrorOf(error, 'auth.callback')) {
  expectTypeOf(error).toEqualTypeOf<ErrorOf<'auth.callback'>>()
  expectTypeOf(error.details).toExtend<object>()
  // @ts-expect-error no error of an operation has this code
  void (error.code === 'SNAPSHOT_DRIFT')

  if (error.status === 400) {
    expectTypeOf(error.code).toEqualTypeOf<'REQUEST_REFUSED'>()
    expectTypeOf(error).toExtend<RequestError>()
    // @ts-expect-error it may be a text, of a proxy for instance
    void error.body.error
    if (typeof error.body === 'object') expectTypeOf(error.body.error).toEqualTypeOf<string>()
  }
  // Undocumented status: the body is unknown.
  if (error.status === 503) expectTypeOf(error.body).toBeUnknown()
  if (error.code === 'RATE_LIMITED') {
    expectTypeOf(error.status).toEqualTypeOf<429>()
    expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>()
  }
  if (error.code === 'REQUEST_TIMED_OUT') expectTypeOf(error.status).toEqualTypeOf<undefined>()
} else {
  expectTypeOf(error).toBeUnknown()
}

if (isErrorOf(error, 'webhooks.save')) {
  if (error.code === 'OPERATION_FAILED') {
    expectTypeOf(error.body).toEqualTypeOf<webhooks.WebhookSaved>()
    // Only a refusal has a retry delay.
    expectTypeOf(error.retryAfterMs).toEqualTypeOf<undefined>()
  }
  // There was no usable response.
  if (error.code === 'RESPONSE_INVALID') expectTypeOf(error.body).toEqualTypeOf<undefined>()
}

// Each operation has its own bodies.
if (isErrorOf(error, 'tools.saveTutorial') && error.status === 422) {
  if (typeof error.body === 'object') {
    expectTypeOf(error.body.detail[0]?.msg).toEqualTypeOf<string | undefined>()
  }
}
if (isErrorOf(error, 'uilm.getFile') && error.status === 400 && typeof error.body === 'object') {
  expectTypeOf(error.body.message.errors).toEqualTypeOf<Record<string, string[]>>()
}

const say = (failure: ErrorOf<'auth.getSession'>): string => {
  switch (failure.code) {
    case 'REQUEST_REFUSED':
      return failure.status === 401 ? 'signed out' : 'refused'
    case 'RATE_LIMITED':
    case 'OPERATION_FAILED':
    case 'RESPONSE_INVALID':
    case 'REQUEST_FAILED':
    case 'REQUEST_TIMED_OUT':
    case 'REQUEST_ABORTED':
    case 'RESPONSE_TOO_LARGE':
      return 'try again'
    default:
      // All codes are handled above.
      return failure satisfies never
  }
}
void say
