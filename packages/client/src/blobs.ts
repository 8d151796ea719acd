import type { Md5 } from './md5.ts'

/** Bytes as they are sent: in one piece, or as they come. */
export type BlobBody = Blob | Uint8Array | AsyncIterable<Uint8Array>

/** Longest answer to a write that is read: the addresses of 10,000 parts fit in. */
export const maxAnswerBytes = 2 ** 24

/** A write to a signed address. */
export interface PutRequest {
  /** PUT by default. */
  readonly method?: 'PUT' | 'POST'
  /** Signed: whoever has it may write. */
  readonly url: string
  /** Complete: nothing is added but what HTTP needs. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: BlobBody
  /** The same bytes once more, where they can be read again. */
  readonly again?: () => BlobBody
  /** Undefined where it is not known beforehand. */
  readonly size: number | undefined
  /** Ends it. */
  readonly signal: AbortSignal | undefined
  /** Told how many bytes of this body have left. */
  readonly onProgress: (sentBytes: number) => void
}

/** A read from a signed address. */
export interface GetRequest {
  /** Signed: whoever has it may read. */
  readonly url: string
  /** `range`, where a part is wanted. */
  readonly headers: Readonly<Record<string, string>>
  /** Ends it. */
  readonly signal: AbortSignal | undefined
}

/**
 * Moves bytes to and from signed addresses, which are a storage's and not the
 * service's: no header of ours goes there, no cookie and no token, and no
 * redirection is followed.
 */
export interface BlobTransport {
  /** Of the runtime's own, where it has one; it is a good deal faster. */
  readonly startMd5?: () => Md5
  /** Rejects where no answer came, whatever the status of one that did. */
  readonly put: (request: PutRequest) => Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }>
  /** The same; the body is read by whoever asked. */
  readonly get: (request: GetRequest) => Promise<{
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: ReadableStream<Uint8Array> | undefined
  }>
}
