import { type ServiceOptions, serviceOptionNames } from '@servicekit/contract/service'
import { checkListedOptions } from './check-options.ts'
import { ConfigError } from './errors.ts'
import type { Hooks } from './hooks.ts'
import { defaultRetry, type RetryOptions } from './retry.ts'
import { type ResolvedService, resolveService } from './service.ts'
import { sleep } from '@servicekit/core'
import type { Transport } from './transport.ts'
import { defaultTransport, sendsRequestIds } from '#network'

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
export interface ClientOptions extends ServiceOptions {
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
  /** Maximum number of concurrent requests; further requests wait. Default: 50. */
  readonly maxConcurrency?: number
  /**
   * Maximum number of concurrent uploads. Further uploads wait, and get their signed URL when
   * it is their turn: it is valid for a short time only. Default: 6, the connections of a
   * browser to one host.
   */
  readonly maxTransfers?: number
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

/** Resolved options of requests, apart from those of the instance. */
export interface ResolvedSending {
  readonly transport: Transport
  readonly timeoutMs: number
  readonly totalTimeoutMs: number
  readonly retry: RetryOptions
  readonly maxBytes: number
  readonly maxConcurrency: number
  readonly maxTransfers: number
  readonly requestIds: boolean
  readonly hooks: Hooks
  readonly runtime: Runtime
}

export interface ResolvedClientOptions extends ResolvedSending, ResolvedService {}

/** Longest delay of a timer, about 24 days: a longer one fires at once. */
const longestTimer = 2 ** 31 - 1

/** Option that is an integer. */
interface IntegerOption {
  readonly byDefault: number
  readonly min: number
  readonly max?: number
}

const integerOptions = {
  timeoutMs: { byDefault: 30_000, min: 1, max: longestTimer },
  totalTimeoutMs: { byDefault: 120_000, min: 1, max: longestTimer },
  maxBytes: { byDefault: 64 * 1024 * 1024, min: 1 },
  maxConcurrency: { byDefault: 50, min: 1 },
  maxTransfers: { byDefault: 6, min: 1 },
} as const satisfies { readonly [Name in keyof ClientOptions]?: IntegerOption }

const retryOptions = {
  attempts: { byDefault: defaultRetry.attempts, min: 1, max: 100 },
  baseDelayMs: { byDefault: defaultRetry.baseDelayMs, min: 0 },
  maxDelayMs: { byDefault: defaultRetry.maxDelayMs, min: 0 },
} as const satisfies Record<keyof RetryOptions, IntegerOption>

const otherOptions = [
  ...serviceOptionNames,
  'transport',
  'retry',
  'requestIds',
  'hooks',
  'runtime',
] as const satisfies readonly Exclude<keyof ClientOptions, keyof typeof integerOptions>[]

/**
 * Resolves the options of a client.
 *
 * @throws ConfigError with the name of the unknown, missing or invalid option.
 */
export function resolveClientOptions(options: ClientOptions): ResolvedClientOptions {
  checkListedOptions('client option', options, [...otherOptions, ...Object.keys(integerOptions)])
  return { ...resolveSending(options), ...resolveService(options) }
}

/**
 * Resolves the options that do not describe an instance.
 *
 * @throws ConfigError with the name of the invalid option.
 */
export function resolveSending(
  options: Omit<ClientOptions, keyof ServiceOptions>,
): ResolvedSending {
  const { retry = {}, runtime = {}, hooks = {}, transport = defaultTransport() } = options
  checkListedOptions('retry option', retry, Object.keys(retryOptions))
  checkListedOptions('runtime option', runtime, ['now', 'random', 'sleep'])
  checkListedOptions('hook', hooks, ['before', 'after', 'retry'])
  if (typeof transport?.send !== 'function') throw new ConfigError('transport must have a send')
  return {
    ...readIntegers('', options, integerOptions),
    transport,
    retry: readIntegers('retry.', retry, retryOptions),
    requestIds: options.requestIds ?? sendsRequestIds,
    hooks,
    runtime: {
      now: runtime.now ?? Date.now,
      random: runtime.random ?? Math.random,
      sleep: runtime.sleep ?? sleep,
    },
  }
}

const readIntegers = <Name extends string>(
  prefix: string,
  given: Partial<Readonly<Record<NoInfer<Name>, unknown>>>,
  options: Readonly<Record<Name, IntegerOption>>,
): Record<Name, number> =>
  Object.fromEntries(
    (Object.entries(options) as [Name, IntegerOption][]).map(([name, option]) => [
      name,
      readInteger(prefix + name, given[name], option),
    ]),
  ) as Record<Name, number>

/** Returns the value of an option, or its default if it is undefined. */
function readInteger(
  name: string,
  value: unknown,
  { byDefault, min, max = Number.MAX_SAFE_INTEGER }: IntegerOption,
): number {
  const number = value === undefined ? byDefault : value
  if (Number.isInteger(number) && (number as number) >= min && (number as number) <= max) {
    return number as number
  }
  const received = typeof value === 'number' ? value : value === null ? 'null' : typeof value
  throw new ConfigError(
    `${name} must be an integer between ${min} and ${max} (received ${received})`,
  )
}

/**
 * Returns the timeout of a call in milliseconds, or that of the client.
 *
 * @throws ConfigError unless it is an integer that a timer supports.
 */
export const readTimeout = (value: unknown, byDefault: number): number =>
  readInteger('timeoutMs', value, { ...integerOptions.timeoutMs, byDefault })
