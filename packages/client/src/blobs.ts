/** Bytes to send: as a whole or as a stream. */
export type BlobBody = Blob | Uint8Array | AsyncIterable<Uint8Array>

/** Largest response body to a write that is read; it fits the URLs of 10,000 parts. */
export const maxResponseBytes = 2 ** 24

/** Write to a signed URL. */
export interface PutRequest {
  /** Default: PUT. */
  readonly method?: 'PUT' | 'POST'
  /** Signed: anyone who has it can write. */
  readonly url: string
  /** All headers to send; only headers that HTTP requires are added. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BlobBody
  /** Size in bytes; undefined if it is not known in advance. */
  readonly size: number | undefined
  /** Aborts the request. */
  readonly signal: AbortSignal | undefined
  /** Called with the number of bytes of this body sent so far. */
  readonly onProgress: (sentBytes: number) => void
}

/** Read from a signed URL. */
export interface GetRequest {
  /** Signed: anyone who has it can read. */
  readonly url: string
  /** Contains `range` when part of the file is requested. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborts the request. */
  readonly signal: AbortSignal | undefined
}

/**
 * Transfers bytes to and from signed URLs. These belong to a storage, not to the service,
 * so no client headers, cookies or tokens are sent and no redirects are followed.
 */
export interface BlobTransport {
  /** Sends bytes. Resolves for any status; rejects if there was no response. */
  readonly put: (request: PutRequest) => Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }>
  /**
   * Reads bytes. Resolves for any status; rejects if there was no response. The caller
   * reads the body.
   */
  readonly get: (request: GetRequest) => Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: ReadableStream<Uint8Array> | undefined
  }>
}
