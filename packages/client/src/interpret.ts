import type { Route } from '@servicekit/contract/routes'
import type { Attempt, Call } from './attempt.ts'
import type { ServicekitError } from './errors.ts'
import type { ResolvedClientOptions } from './options.ts'
import { conceal } from './redaction.ts'
import {
  type ErrorContext,
  failureCode,
  failureError,
  notJsonError,
  refusalError,
  retryAfterOf,
} from './request-errors.ts'
import type { Failure } from './retry.ts'
import type { CoreResponse } from './send-input.ts'
import type { TransportResponse } from './transport.ts'
import { readConnectionFailure } from '#network'

/** Outcome of an attempt: a response to return, or a failure. */
export type Outcome = (Success | Failed) & {
  /** True if the attempt may succeed with renewed credentials. */
  readonly isUnauthenticated: boolean
  /** Creates the error of a call that was aborted, or ran out of time, after this attempt. */
  readonly interruption: (reason: unknown) => ServicekitError
}

interface Success {
  readonly response: CoreResponse
}

interface Failed {
  readonly response?: undefined
  /** The failure as the retry policy considers it. */
  readonly failure: Failure
  /** Creates the error of a call whose last attempt this was. */
  readonly error: () => ServicekitError
}

/** Reads an attempt. Errors are created only when they are thrown. */
export function interpret(client: ResolvedClientOptions, call: Call, attempt: Attempt): Outcome {
  const { input, route, deadline } = call
  const { code, cause } = attempt
  const context = (): ErrorContext => contextOf(client, call, attempt)
  const interruption = (reason: unknown): ServicekitError =>
    failureError(context(), failureCode(reason, input.signal, deadline), reason)

  if (attempt.response && code === undefined) {
    const response = responseOf(attempt.response, route, context)
    return {
      response,
      isUnauthenticated: input.isUnauthenticated?.(response) ?? false,
      interruption,
    }
  }
  const refused = attempt.response
  const retryAfterMs = refused && retryAfterOf(refused, client.runtime.now())
  return {
    failure: {
      status: refused?.status,
      neverSent: readConnectionFailure(cause).neverSent,
      retryAfterMs,
      isFinal: isFinal(attempt),
    },
    error: () =>
      refused
        ? refusalError(context(), refused, retryAfterMs)
        : failureError(context(), code!, cause),
    isUnauthenticated: refused?.status === 401,
    interruption,
  }
}

/**
 * Checks for an attempt that another one cannot change: the caller gave up, the response is
 * too large, or a hook refused the attempt.
 */
const isFinal = ({ code, isStarted }: Attempt): boolean =>
  !isStarted || code === 'REQUEST_ABORTED' || code === 'RESPONSE_TOO_LARGE'

function contextOf(client: ResolvedClientOptions, call: Call, attempt: Attempt): ErrorContext {
  const { route, input, request } = call
  const isSignIn = route.access === 'sign-in'
  return {
    intent: input.intent,
    requestId: attempt.event.requestId,
    details: {
      project: client.projectKey,
      ...input.details,
      // The query of these routes contains codes, states and tokens.
      url: isSignIn ? client.baseUrl + route.path : request.url,
      operation: route.id,
      attempts: attempt.event.attempt,
    },
    hide: (text) => conceal(text, attempt.headers, input.secrets),
  }
}

function responseOf(
  response: TransportResponse,
  { access }: Route,
  context: () => ErrorContext,
): CoreResponse {
  const { text, status } = response
  // The response of a sign-in contains tokens of the service.
  const redactedText = (): string => (access === 'sign-in' ? '' : context().hide(text))
  return {
    ...response,
    redactedText,
    json: () => {
      try {
        return text.trim() ? (JSON.parse(text) as unknown) : undefined
      } catch {
        // No cause: its message would quote the body, which may contain secrets.
        throw notJsonError(context(), status, redactedText())
      }
    },
  }
}
