import { rejectOnAbort } from '@servicekit/core'
import type { Route } from '@servicekit/contract/routes'
import { type Attempt, attemptMaker, type Call } from './attempt.ts'
import { deadlines } from './deadline.ts'
import type { ServicekitError } from './errors.ts'
import { type Limiter, limiter } from './limiter.ts'
import {
  type ClientOptions,
  readTimeout,
  type ResolvedClientOptions,
  resolveClientOptions,
} from './options.ts'
import { conceal } from './redaction.ts'
import { requestMaker } from './request.ts'
import {
  type ErrorContext,
  failureCode,
  failureError,
  neverSent,
  notJsonError,
  refusalError,
  retryAfterOf,
} from './request-errors.ts'
import { type Failure, retryPolicy } from './retry.ts'
import type { CoreResponse, SendInput } from './send-input.ts'
import type { TransportResponse } from './transport.ts'

export type { CallOptions, CoreResponse, SendInput } from './send-input.ts'

/** Sends all requests of one project on one instance. */
export interface Core {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string
  /** Sent as `x-service-key`. */
  readonly projectKey: string
  /**
   * Sends one operation, and retries it where its route allows that.
   *
   * @throws RequestError if there was no usable response after the last attempt.
   * @throws ConfigError for an invalid header or timeout of the call.
   * @throws TypeError if `json` cannot be serialized.
   */
  readonly send: (route: Route, input: SendInput) => Promise<CoreResponse>
  /** Runs an upload when fewer than `maxTransfers` are running. */
  readonly limitTransfers: Limiter
}

/**
 * Creates the core of a client.
 *
 * @throws ConfigError for invalid options.
 */
export function createCore(options: ClientOptions): Core {
  const client = resolveClientOptions(options)
  const { runtime } = client
  const withDeadline = deadlines()
  const prepare = requestMaker(client)
  const makeAttempt = attemptMaker(client, withDeadline)

  /**
   * Makes attempts until one succeeds or fails for good. Sends again at once after a renewal,
   * and with a pause after a transient failure.
   */
  async function sendUntilFinal(call: Call): Promise<CoreResponse> {
    const { route, input, deadline } = call
    const untilMs = runtime.now() + client.totalTimeoutMs
    const pauseAfter = retryPolicy(client.retry, input.effect ?? route.effect, runtime.random)
    const renew = renewalOf(input)
    for (let number = 1; ; number++) {
      const attempt = await makeAttempt(call, number)
      const context = contextOf(client, call, attempt)
      const untilAborted = <T>(work: Promise<T>): Promise<T> =>
        rejectOnAbort(deadline.signal, work).catch((reason: unknown) => {
          throw failureError(context, failureCode(reason, input.signal, deadline), reason)
        })

      const response = attempt.response && responseOf(attempt.response, route, context)
      if (isUnauthenticated(attempt, response, input) && (await untilAborted(renew()))) continue
      if (response && !attempt.code) return response

      const failure = failureOf(attempt, runtime.now())
      const pauseMs = isFinal(attempt) ? undefined : pauseAfter(failure)
      // A pause that exceeds the total timeout is not started.
      if (pauseMs === undefined || runtime.now() + pauseMs >= untilMs) {
        throw errorOf(attempt, failure, context)
      }
      await untilAborted(runtime.sleep(pauseMs, deadline.signal))
    }
  }

  return {
    baseUrl: client.baseUrl,
    projectKey: client.projectKey,
    limitTransfers: limiter(client.maxTransfers),
    send: async (route, input) => {
      // Invalid input is not a failure to retry.
      const request = prepare(route, input)
      const timeoutMs = readTimeout(input.timeoutMs, client.timeoutMs)
      return withDeadline(client.totalTimeoutMs, input, (deadline) =>
        sendUntilFinal({ route, input, request, timeoutMs, deadline }),
      )
    },
  }
}

/** Checks for a response that renewed credentials may change. */
const isUnauthenticated = (
  { code }: Attempt,
  response: CoreResponse | undefined,
  input: SendInput,
): boolean | undefined =>
  code ? response?.status === 401 : response && input.isUnauthenticated?.(response)

/**
 * Returns a function that renews the credentials of one call, and resolves with true if the
 * call is to be sent again. A renewal elsewhere may have been for an earlier expiry: only after
 * such a renewal, the call may renew once more.
 */
function renewalOf({ renew }: SendInput): () => Promise<boolean> {
  let renewalsLeft = 2
  return async () => {
    if (!renew || renewalsLeft === 0) return false
    const outcome = await renew()
    renewalsLeft = outcome === 'elsewhere' ? renewalsLeft - 1 : 0
    return outcome !== 'failed'
  }
}

/** Returns what the retry policy considers. */
const failureOf = ({ response, cause }: Attempt, nowMs: number): Failure => ({
  status: response?.status,
  neverSent: neverSent(cause),
  retryAfterMs: response && retryAfterOf(response, nowMs),
})

/**
 * Checks for an attempt that another one cannot change: the caller gave up, the response is
 * too large, or a hook refused the attempt.
 */
const isFinal = ({ code, wasSent }: Attempt): boolean =>
  !wasSent || code === 'REQUEST_ABORTED' || code === 'RESPONSE_TOO_LARGE'

/** Creates the error of a call whose last attempt failed. */
const errorOf = (
  { response, code, cause }: Attempt,
  { retryAfterMs }: Failure,
  context: ErrorContext,
): ServicekitError =>
  response ? refusalError(context, response, retryAfterMs) : failureError(context, code!, cause)

function contextOf(client: ResolvedClientOptions, call: Call, attempt: Attempt): ErrorContext {
  const { route, input, request } = call
  const isSignIn = route.access === 'sign-in'
  return {
    intent: input.intent,
    requestId: request.headers['x-request-id'],
    details: {
      project: client.projectKey,
      ...input.details,
      // The query of these routes contains codes, states and tokens.
      url: isSignIn ? client.baseUrl + route.path : request.url,
      operation: route.id,
      attempts: attempt.number,
    },
    hide: (text) => conceal(text, attempt.headers, input.secrets),
  }
}

function responseOf(
  response: TransportResponse,
  { access }: Route,
  context: ErrorContext,
): CoreResponse {
  const { text, status } = response
  // The response of a sign-in contains tokens of the service.
  const redactedText = (): string => (access === 'sign-in' ? '' : context.hide(text))
  return {
    ...response,
    redactedText,
    json: () => {
      try {
        return text.trim() ? (JSON.parse(text) as unknown) : undefined
      } catch {
        // No cause: its message would quote the body, which may contain secrets.
        throw notJsonError(context, status, redactedText())
      }
    },
  }
}
