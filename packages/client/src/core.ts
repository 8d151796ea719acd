import { rejectOnAbort } from '@servicekit/core'
import type { Route } from '@servicekit/contract/routes'
import { type Attempt, attemptMaker, type Call } from './attempt.ts'
import { deadlines } from './deadline.ts'
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
import { retryPolicy } from './retry.ts'
import type { CoreResponse, Renewed, SendInput } from './send-input.ts'
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

  /** Sends again at once after a renewal, and with a pause after a transient failure. */
  async function sendUntilFinal(call: Call): Promise<CoreResponse> {
    const { route, input, whole } = call
    const untilMs = runtime.now() + client.totalTimeoutMs
    const pauseAfter = retryPolicy(client.retry, input.effect ?? route.effect, runtime.random)
    const renew = renewOnce(input)
    for (let number = 1; ; number++) {
      const attempt = await makeAttempt(call, number)
      const { response, code, cause } = attempt
      const context = contextOf(client, call, attempt)
      const orFail = <T>(work: Promise<T>): Promise<T> =>
        rejectOnAbort(whole.signal, work).catch((reason: unknown) => {
          throw failureError(context, failureCode(reason, input.signal, whole), reason)
        })

      const result = response && responseOf(response, route, context)
      const isUnauthorized = code
        ? response?.status === 401
        : result && input.isUnauthenticated?.(result)
      if (isUnauthorized && (await orFail(renew()))) continue
      if (result && !code) return result

      const retryAfterMs = response && retryAfterOf(response, runtime.now())
      const pauseMs = isFinal(attempt)
        ? undefined
        : pauseAfter({ status: response?.status, neverSent: neverSent(cause), retryAfterMs })
      // A pause that exceeds the total timeout is not started.
      if (pauseMs === undefined || runtime.now() + pauseMs >= untilMs) {
        throw response
          ? refusalError(context, response, retryAfterMs)
          : failureError(context, code!, cause)
      }
      await orFail(runtime.sleep(pauseMs, whole.signal))
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
      return withDeadline(client.totalTimeoutMs, input, (whole) =>
        sendUntilFinal({ route, input, request, timeoutMs, whole }),
      )
    },
  }
}

/**
 * Checks for an attempt that another one cannot change: the caller gave up, the response is
 * too large, or a hook refused the attempt.
 */
const isFinal = ({ code, wasSent }: Attempt): boolean =>
  !wasSent || code === 'REQUEST_ABORTED' || code === 'RESPONSE_TOO_LARGE'

/**
 * Returns a function that renews the credentials of one call and resolves with true if they
 * are new. The call itself renews only once. Before that, renewals of other tabs may have been
 * for an earlier expiry, so that the call is sent again twice at most.
 */
function renewOnce({ renew }: SendInput): () => Promise<boolean> {
  const outcomes: Renewed[] = []
  return async () => {
    if (!renew || outcomes.length === 2 || outcomes.includes('renewed')) return false
    const outcome = await renew()
    outcomes.push(outcome)
    return outcome !== 'failed'
  }
}

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
  const shown = (): string => (access === 'sign-in' ? '' : context.hide(text))
  return {
    ...response,
    shown,
    json: () => {
      try {
        return text.trim() ? (JSON.parse(text) as unknown) : undefined
      } catch {
        // No cause: its message would quote the body, which may contain secrets.
        throw notJsonError(context, status, shown())
      }
    },
  }
}
