import { limits } from '@servicekit/contract/limits'
import { checkOptions } from './check-options.ts'
import { ConfigError } from './errors.ts'
import { readHeaders } from './headers.ts'
import type { Hooks } from './hooks.ts'
import { defaultRetry, type RetryOptions } from './retry.ts'
import { isVisibleAscii, sleep } from '@servicekit/core'
import type { Transport } from './transport.ts'
import { defaultTransport, sendsRequestIds } from '#transport'

/** Clock, randomness and timers; replaceable in tests. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Random number from 0 to 1; spreads retries. */
  readonly random: () => number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Options of a client. Only `baseUrl` and `projectKey` are required. */
export interface ClientOptions {
  /** URL of the instance, such as `https://api.example.com`. A path is kept. */
  readonly baseUrl: string
  /** Sent as `x-service-key` with every request; at most 64 characters (section 8). */
  readonly projectKey: string
  /** Default: undici on Node, fetch elsewhere. */
  readonly transport?: Transport
  /** Timeout of one attempt, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number
  /** Timeout of an operation with all its attempts, in milliseconds. Default: 120,000. */
  readonly totalTimeoutMs?: number
  /** Default: 5 attempts, starting with a pause of 250 ms. */
  readonly retry?: Partial<RetryOptions>
  /**
   * Largest decoded response, in bytes. Default: 64 MiB. A larger response fails the call
   * with `RESPONSE_TOO_LARGE`.
   */
  readonly maxBytes?: number
  /** Headers sent with every request, in addition to the project header. */
  readonly headers?: Readonly<Record<string, string>>
  /** Maximum number of concurrent requests; further requests wait. Default: 50. */
  readonly maxConcurrency?: number
  /**
   * Sends a unique id with each call as `x-request-id`. Default: true with undici (Node),
   * false with fetch: in a browser the instance must allow the header (CORS).
   */
  readonly requestIds?: boolean
  /** Called around every attempt. */
  readonly hooks?: Hooks
  /** Clock and randomness, for tests. */
  readonly runtime?: Partial<Runtime>
}

export interface ResolvedClientOptions {
  readonly baseUrl: string
  readonly projectKey: string
  readonly transport: Transport
  readonly timeoutMs: number
  readonly totalTimeoutMs: number
  readonly retry: RetryOptions
  readonly maxBytes: number
  readonly headers: Readonly<Record<string, string>>
  readonly maxConcurrency: number
  readonly requestIds: boolean
  readonly hooks: Hooks
  readonly runtime: Runtime
}

const optionNames = [
  'baseUrl',
  'projectKey',
  'transport',
  'timeoutMs',
  'totalTimeoutMs',
  'retry',
  'maxBytes',
  'headers',
  'maxConcurrency',
  'requestIds',
  'hooks',
  'runtime',
] as const satisfies readonly (keyof ClientOptions)[]

/**
 * Resolves the options of a client.
 *
 * @throws ConfigError with the name of the unknown, missing or invalid option.
 */
export function resolveClientOptions(options: ClientOptions): ResolvedClientOptions {
  checkOptions('client option', options, optionNames)
  const { retry = {}, runtime = {} } = options
  checkOptions('retry option', retry, Object.keys(defaultRetry))
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    projectKey: readProjectKey(options.projectKey),
    transport: options.transport ?? defaultTransport(),
    timeoutMs: number('timeoutMs', options.timeoutMs, 30_000, 1, longestTimer),
    totalTimeoutMs: number('totalTimeoutMs', options.totalTimeoutMs, 120_000, 1, longestTimer),
    retry: {
      attempts: number('retry.attempts', retry.attempts, defaultRetry.attempts, 1, 100),
      baseDelayMs: number('retry.baseDelayMs', retry.baseDelayMs, defaultRetry.baseDelayMs, 0),
      maxDelayMs: number('retry.maxDelayMs', retry.maxDelayMs, defaultRetry.maxDelayMs, 0),
    },
    maxBytes: number('maxBytes', options.maxBytes, 64 * 1024 * 1024, 1),
    headers: readHeaders(options.headers),
    maxConcurrency: number('maxConcurrency', options.maxConcurrency, 50, 1),
    requestIds: options.requestIds ?? sendsRequestIds,
    hooks: options.hooks ?? {},
    runtime: { now: Date.now, random: Math.random, sleep, ...runtime },
  }
}

/** Longest delay of a timer, about 24 days: a longer one fires at once. */
const longestTimer = 2 ** 31 - 1

function number(
  name: string,
  value: unknown,
  byDefault: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (value === undefined) return byDefault
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) {
    return value as number
  }
  const received = typeof value === 'number' ? value : typeof value
  throw new ConfigError(
    `${name} must be an integer between ${min} and ${max} (received ${received})`,
  )
}

function readBaseUrl(value: unknown): string {
  if (value === undefined || value === '') {
    throw new ConfigError('baseUrl is required', {
      help: 'Set it to the URL of the instance, such as https://api.example.com.',
    })
  }
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError('baseUrl must be an http or https URL', {
      // The part before an @ may be a password.
      details: { baseUrl: typeof value === 'string' ? value.replace(/^.*@/s, '…@') : typeof value },
      help: 'Set it to the URL of the instance, such as https://api.example.com.',
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError('baseUrl must not contain a user name or password', {
      details: { host: url.host },
      help: 'Remove them, and set headers for a proxy in the option headers.',
    })
  }
  return url.href.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

function readProjectKey(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new ConfigError('projectKey is required', {
      help: 'Set it to the key of the project. `servicekit dev` prints the key of the local one.',
    })
  }
  if (value.length > limits.projectKeyLength || !isVisibleAscii(value)) {
    throw new ConfigError('projectKey is not valid', {
      details: { length: value.length },
      help: `It must have at most ${limits.projectKeyLength} visible ASCII characters.`,
    })
  }
  return value
}
