/** A request as a transport sends it: complete, nothing left to be decided. */
export interface TransportRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal: AbortSignal
  /** Largest decoded body that is accepted, in bytes. */
  readonly maxBytes: number
}

/** An answer as it came, its body as text. */
export interface TransportResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Each cookie that the answer sets: joined they cannot be told apart. */
  readonly setCookie?: readonly string[]
  readonly text: string
}

/**
 * Sends one request and reads one answer; no retry, no interpretation. Inject
 * one to run without a network:
 *
 * ```ts
 * createClient({ baseUrl, projectKey, transport: fetchTransport(platform.fetch) })
 * ```
 */
export interface Transport {
  readonly send: (request: TransportRequest) => Promise<TransportResponse>
  /**
   * The same without a signal, which costs about as much as half of the request:
   * `onEnd` is given what stops it, and calls that at once where it is too late.
   */
  readonly sendUntil?: (
    request: Omit<TransportRequest, 'signal'>,
    onEnd: (stop: (reason: unknown) => void) => void,
  ) => Promise<TransportResponse>
}

/** The decoded body is larger than `maxBytes`. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}
