import { rejectOnAbort } from '@servicekit/core'
import { blobFailure } from './blob-failure.ts'
import type { BlobTransport } from './blobs.ts'
import { nonEmptyString } from './operate.ts'

/** Downloaded file. */
export interface Download {
  /**
   * Body of the file. Read or cancel it: it holds a connection until then. Its errors are
   * those of `download`.
   */
  readonly body: ReadableStream<Uint8Array>
  /** Size in bytes; undefined if the backend does not send it, or the body is stored compressed. */
  readonly sizeBytes: number | undefined
  /** Media type; undefined if the backend does not send it. */
  readonly type: string | undefined
}

interface SignedDownload {
  readonly url: string
  /** First byte to read. */
  readonly start: number
  readonly blobs: BlobTransport
  readonly signal: AbortSignal | undefined
  /** Longest wait for the first byte, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Opens the stream of a signed URL.
 *
 * @throws RequestError `DOWNLOAD_FAILED` or `REQUEST_ABORTED`.
 */
export async function getSigned({
  url,
  start,
  blobs,
  signal,
  timeoutMs,
}: SignedDownload): Promise<Download> {
  const failure = (found: object): Error =>
    blobFailure({ code: 'DOWNLOAD_FAILED', url, signal, ...found })
  // Not `AbortSignal.any`, which some of the supported browsers do not have.
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  const abort = (): void => end.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const range: Record<string, string> = start > 0 ? { range: `bytes=${start}-` } : {}
  const { status, headers, body } = await blobs
    .get({
      url,
      headers: range,
      signal: end.signal,
    })
    .catch((cause: unknown) => {
      throw failure({ cause })
    })
    .finally(() => clearTimeout(timer))
  if (status !== (start > 0 ? 206 : 200) || !body) {
    // Discard the rest of the body.
    void body?.cancel().catch(() => undefined)
    throw failure({ status })
  }
  const size = Number((!headers['content-encoding'] && headers['content-length']) || Number.NaN)
  return {
    body: failingWith(body, end.signal, (cause) => failure({ cause })),
    sizeBytes: size >= 0 ? size : undefined,
    type: nonEmptyString(headers['content-type']),
  }
}

/**
 * Wraps a stream and converts its errors. It ends with the signal: the fetch of Node 20 does not
 * always end the body of a response, for example one with a wrong encoding.
 */
function failingWith(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  failure: (cause: unknown) => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await rejectOnAbort(signal, reader.read()).catch(
          (cause: unknown) => {
            throw failure(cause)
          },
        )
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => reader.cancel().catch(() => undefined),
    },
    { highWaterMark: 0 },
  )
}
