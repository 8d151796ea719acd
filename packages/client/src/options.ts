import { limits } from '@servicekit/contract/limits'
import { checkOptions } from './check-options.ts'
import { ConfigError } from './errors.ts'
import { readHeaders } from './headers.ts'
import type { Hooks } from './hooks.ts'
import { defaultRetry, type RetryOptions } from './retry.ts'
import { sleep } from './sleep.ts'
import type { Transport } from './transport.ts'
import { defaultTransport, sendsRequestIds } from '#transport'

/** What a client needs to know of the outside world; replaced in tests. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** From 0 to 1; spreads retries. */
  readonly random: () => number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** What a client can be told; `baseUrl` and `projectKey` are all that it needs. */
export interface ClientOptions {
  /** Address of the instance, such as `https://api.example.com`. A path is kept. */
  readonly baseUrl: string
  /** Sent as `x-service-key` with every request; at most 64 characters (section 8). */
  readonly projectKey: string
  /** undici.request on Node, fetch elsewhere. */
  readonly transport?: Transport
  /** Longest wait for one attempt, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number
  /** Longest wait for an operation with all its attempts, in milliseconds; 120,000 by default. */
  readonly totalTimeoutMs?: number
  /** 5 attempts by default, from 250 ms of pause on. */
  readonly retry?: Partial<RetryOptions>
  /**
   * Largest decoded answer that is accepted, in bytes; 64 MiB by default. More ends the
   * call with `RESPONSE_TOO_LARGE`. Bundles for production in browsers read it to its end
   * before, and count characters.
   */
  readonly maxBytes?: number
  /** Sent with every request, beside the project header. */
  readonly headers?: Readonly<Record<string, string>>
  /** Requests at once; the others wait. 50 by default. */
  readonly maxConcurrency?: number
  /**
   * Whether each call has an identifier of its own, sent as `x-request-id`. By
   * default on servers only: a browser would have to be allowed to send it.
   */
  readonly requestIds?: boolean
  /** Called around every attempt. */
  readonly hooks?: Hooks
  /** Clock and chance, for tests. */
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

/** @throws ConfigError naming the option that is unknown, missing or not of its form. */
export function resolveClientOptions(options: ClientOptions): ResolvedClientOptions {
  checkOptions('client options', options, optionNames)
  const { retry = {}, runtime = {} } = options
  checkOptions('retry options', retry, Object.keys(defaultRetry))
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

/** A timer of more than 24 days fires at once. */
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
  const shown = typeof value === 'number' ? value : `of type ${typeof value}`
  throw new ConfigError(`The option ${name} cannot be ${shown}`, {
    help: `It is a whole number from ${min} to ${max}.`,
  })
}

function readBaseUrl(value: unknown): string {
  if (value === undefined || value === '') {
    throw new ConfigError('The option baseUrl is missing', {
      help: 'Give the address of the instance, such as https://api.example.com.',
    })
  }
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError('The option baseUrl is not an http or https address', {
      // What stands before an @ may be a password.
      facts: { baseUrl: typeof value === 'string' ? value.replace(/^.*@/s, '…@') : typeof value },
      help: 'Give the address of the instance, such as https://api.example.com.',
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError('The option baseUrl holds a user name or a password', {
      facts: { host: url.host },
      help: 'Give the address alone, and what a proxy wants in the option headers.',
    })
  }
  return url.href.replace(/[?#].*$/, '').replace(/\/+$/, '')
}

function readProjectKey(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new ConfigError('The option projectKey is missing', {
      help: 'Give the key of the project; `servicekit dev` prints that of the local one.',
    })
  }
  if (value.length > limits.projectKeyLength || /[^\x21-\x7e]/.test(value)) {
    throw new ConfigError('The option projectKey cannot be a project key', {
      facts: { length: value.length },
      help: `A project key has at most ${limits.projectKeyLength} visible ASCII characters.`,
    })
  }
  return value
}
