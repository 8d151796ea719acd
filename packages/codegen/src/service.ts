import {
  type ClientOptions,
  type Core,
  createCore,
  fetchTransport,
  ServicekitError,
} from '@servicekit/client/core'
import { type Credentials, requireService } from '@servicekit/client/environment'
import type { ServiceOptions } from '@servicekit/contract/service'
import { CodegenError, type CodegenErrorCode } from './errors.ts'

/** Signature of the `fetch` function that is used here. The global one is compatible. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>

/** Service and how to request it. The URL has no trailing slash. */
export interface ServiceSource extends ServiceOptions {
  readonly pageSize: number
  readonly timeoutMs: number
  readonly rateWindowMs: number
  readonly credentials: Credentials
  readonly fetch: FetchLike
  readonly signal: AbortSignal | undefined
  /** Clock, randomness and timers, for tests. */
  readonly runtime: NonNullable<ClientOptions['runtime']>
}

/**
 * Emitted when the service rate-limits requests. The next attempt follows after `ms`
 * milliseconds.
 */
export interface LimitedEvent {
  readonly type: 'limited'
  readonly ms: number
}

/**
 * Creates the client of a service. It retries reads after a network failure, a timeout or a
 * server error, and within the rate limit window. It does not follow redirects.
 *
 * @throws CodegenError CONFIG_INVALID
 */
export function openService(source: ServiceSource, emit: (event: LimitedEvent) => void): Core {
  const { timeoutMs, rateWindowMs, fetch, runtime } = source
  try {
    const core = createCore({
      ...requireService(source),
      timeoutMs,
      totalTimeoutMs: 3 * timeoutMs + rateWindowMs + 60_000,
      // A rate limit is waited out for four of the longest pauses.
      retry: { attempts: 3, baseDelayMs: 1000, maxDelayMs: Math.ceil(rateWindowMs / 4) },
      transport: fetchTransport((request) => fetch(request.url, request)),
      requestIds: false,
      hooks: {
        retry: (_, { status, pauseMs }) => {
          if (status === 429) emit({ type: 'limited', ms: pauseMs })
        },
      },
      runtime,
    })
    return source.credentials.attach(core)
  } catch (error) {
    throw asCodegenError(error)
  }
}

const codes: Readonly<Record<string, CodegenErrorCode>> = {
  CONFIG_INVALID: 'CONFIG_INVALID',
  RESPONSE_INVALID: 'LISTING_INVALID',
}

/** Converts an error of the client and adds details; returns any other error as it is. */
export function asCodegenError(
  error: unknown,
  details: { readonly url?: string } = {},
  help?: string,
): unknown {
  if (!(error instanceof ServicekitError)) return error
  const { status } = error as ServicekitError & { readonly status?: number | undefined }
  const advice = help ?? error.help
  return new CodegenError(error.message.split('\n', 1)[0]!, {
    code: codes[error.code] ?? 'LISTING_FAILED',
    details: { ...details, ...error.details, status },
    ...(advice !== undefined && { help: advice }),
    cause: error,
  })
}
