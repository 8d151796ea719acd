import type { Core, SendInput } from '../../src/core.ts'
import type { Echo } from './escapes.ts'

/** Response of the server, as data: the client side of a scenario runs elsewhere. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Body; an object is sent as JSON. `{{request}}` is replaced by what `echo` names. */
  readonly body?: unknown
  /** Body as bytes, one character each. */
  readonly bytes?: string
  /** Escapes the body of the request before it replaces `{{request}}`. */
  readonly echo?: Echo
  readonly encoding?: 'gzip' | 'cut gzip' | 'empty gzip'
  /** Defect of the connection. */
  readonly fault?: 'reset' | 'hang' | 'slow' | 'cut' | 'continue' | 'hints'
}

/** What a scenario does in a build. */
export interface Scenario {
  readonly name: string
  /** Responses in order; the last one repeats. */
  readonly answers: readonly Answer[]
  /** Base URL; `{base}` is that of the scenario, `{closed}` one at which no server listens. */
  readonly baseUrl?: string
  /** Options of the client that override those of the table; they may be invalid. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Sends requests with the client. Default: reads once. */
  readonly call?: (core: Core, send: Send) => Promise<unknown>
  /** Texts that must not appear in an error. */
  readonly secrets?: readonly string[]
  /** Expected outcome on Node; all builds must have the same complete outcome. */
  readonly expected: Partial<Outcome>
  /** Documented differences of builds over `fetch`. */
  readonly overFetch?: Partial<Outcome>
  /** Documented differences of browsers. */
  readonly inBrowser?: Partial<Outcome>
  /** Members that the engine decides, not the client. */
  readonly varies?: readonly (keyof Outcome)[]
}

/** Sends a request of the table: a read unless `effect` says otherwise. */
export type Send = (
  input?: Partial<SendInput> & { readonly path?: Record<string, string> },
) => Promise<unknown>

/** What a user of the client sees. */
export interface Outcome {
  /** `value`, the code of the error, or the name of an error without a code. */
  readonly result: string
  readonly value: unknown
  readonly status: number | undefined
  /** Body of the error. */
  readonly body: unknown
  readonly retryAfterMs: number | undefined
  /** Pauses of the client, in milliseconds. */
  readonly pauses: readonly number[]
  /** Number of requests that the server received. */
  readonly requests: number
  /** Message of the error, without its details that differ with the address. */
  readonly message: string | undefined
  readonly details: unknown
  /** Secrets that the error shows. */
  readonly shown: readonly string[]
}

/** Outcome of a scenario, as far as the client sees it. */
export type ClientOutcome = Omit<Outcome, 'requests'>
