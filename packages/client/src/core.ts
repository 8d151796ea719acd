import { rejectOnAbort } from '@servicekit/core'
import type { Route } from '@servicekit/contract/routes'
import { attemptMaker, type Call, ignoreErrors } from './attempt.ts'
import { withDeadline } from './deadline.ts'
import { interpret } from './interpret.ts'
import { type Limiter, limiter } from './limiter.ts'
import {
  type ClientOptions,
  readTimeout,
  type ResolvedClientOptions,
  resolveClientOptions,
} from './options.ts'
import { requestMaker } from './request.ts'
import { retryPolicy } from './retry.ts'
import type { CoreResponse, SendInput } from './send-input.ts'

export type { CallOptions, CoreResponse, SendInput } from './send-input.ts'

/** Sends all requests of one project on one instance. */
export interface Core {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string
  /** Key of the project, sent with every request. */
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
export const createCore = (options: ClientOptions): Core =>
  createResolvedCore(resolveClientOptions(options))

/** Creates a core of resolved options. */
export function createResolvedCore(client: ResolvedClientOptions): Core {
  const { hooks, runtime } = client
  const prepare = requestMaker(client)
  const makeAttempt = attemptMaker(client)

  /**
   * Makes attempts until one succeeds or fails for good. Sends again at once after a renewal,
   * and with a pause after a transient failure.
   */
  async function sendUntilFinal(call: Call): Promise<CoreResponse> {
    const { route, input, deadline } = call
    const renew = renewalOf(input)
    const pauseAfter = retryPolicy({
      retry: client.retry,
      effect: input.effect ?? route.effect,
      runtime,
      untilMs: runtime.now() + client.totalTimeoutMs,
    })
    for (let number = 1; ; number++) {
      const attempt = await makeAttempt(call, number)
      const outcome = interpret(client, call, attempt)
      const untilAborted = <T>(work: Promise<T>): Promise<T> =>
        rejectOnAbort(deadline.signal, work).catch((reason: unknown) => {
          throw outcome.interruption(reason)
        })

      if (outcome.isUnauthenticated && (await untilAborted(renew()))) continue
      if (outcome.response) return outcome.response
      const pauseMs = pauseAfter(outcome.failure)
      if (pauseMs === undefined) throw outcome.error()
      ignoreErrors(() => hooks.retry?.(attempt.event, { status: outcome.failure.status, pauseMs }))
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
