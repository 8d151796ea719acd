/** Request as a transport sends it: complete and final. */
export interface TransportRequest {
  /** GET, POST or PUT. */
  readonly method: string
  /** URL including its query. */
  readonly url: string
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Aborts the request; `send` must reject with its reason. */
  readonly signal: AbortSignal
  /** Largest decoded body, in bytes. */
  readonly maxBytes: number
}

/** Response with its body as text. */
export interface TransportResponse {
  /** HTTP status; 0 for a redirect that a browser hides. */
  readonly status: number
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie` values, one each: joined they could not be split again. */
  readonly setCookie?: readonly string[]
  /** Decoded body. */
  readonly text: string
}

/**
 * Sends one request and reads one response, without retry or interpretation. Inject a
 * transport to run without a network:
 *
 * ```ts
 * createClient({ baseUrl, projectKey, transport: fetchTransport(platform.fetch) })
 * ```
 */
export interface Transport {
  /** Sends a request. Resolves for any status; rejects if there was no response. */
  readonly send: (request: TransportRequest) => Promise<TransportResponse>
  /**
   * Sends a request without a signal, which would cost about half as much as the request.
   * `onEnd` receives a function that aborts the request, and calls it at once if the time
   * is over.
   */
  readonly sendUntil?: (
    request: Omit<TransportRequest, 'signal'>,
    onEnd: (stop: (reason: unknown) => void) => void,
  ) => Promise<TransportResponse>
}

/** The connection to a proxy failed, or the proxy refused to connect. The message names it. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly help: string

  constructor(
    message: string,
    { cause, help }: { readonly cause: unknown; readonly help: string },
  ) {
    super(message, { cause })
    this.help = help
  }
}

/** The decoded body exceeds `maxBytes`. */
export class BodyTooLargeError extends Error {}
