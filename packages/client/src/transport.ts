/** A request as a transport sends it: complete, nothing left to be decided. */
export interface TransportRequest {
  /** GET, POST or PUT. */
  readonly method: string
  /** With its query. */
  readonly url: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Ends it; its reason is what `send` has to reject with. */
  readonly signal: AbortSignal
  /** Largest decoded body that is accepted, in bytes. */
  readonly maxBytes: number
}

/** An answer as it came, its body as text. */
export interface TransportResponse {
  /** HTTP status; 0 for a redirection that a browser hides. */
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Each cookie that the answer sets: joined they cannot be told apart. */
  readonly setCookie?: readonly string[]
  /** Decoded. */
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
  /** Rejects where no answer came; a status is no failure here. */
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
export class BodyTooLargeError extends Error {}
