import { isHttpUrl } from './is-http-url.ts'
import { blobFailure } from './blob-failure.ts'
import type { BlobBody, BlobTransport } from './blobs.ts'
import { ResponseShapeError, ServicekitError } from './errors.ts'
import { defaultRetry, retryPolicy } from './retry.ts'
import { rejectOnAbort, sleep } from '@servicekit/core'
import { type Bytes, unreadable } from './upload-source.ts'

/** Signed URL and progress of an upload. Serializable as JSON, to resume the upload later. */
export interface UploadState {
  /** Id of the file being created. */
  readonly fileId: string
  /** Anyone who has it can write the file: treat it as a secret. */
  readonly url: string
  /** Headers that the backend requires. */
  readonly headers: Readonly<Record<string, string>>
  /** Multipart mode of the backend: blocks (Azure), a URL per part (S3), or undefined for none. */
  readonly parts: 'blocks' | 'urls' | undefined
  /** Size of every part except the last, in bytes. */
  readonly partBytes: number
  /** Number of parts that the backend has received. */
  readonly sentParts: number
  /** URL for starting, completing and aborting an upload with a URL per part. */
  readonly multipartUrl?: string | undefined
  /** Set once an upload with a URL per part has started. */
  readonly multipart?: MultipartState
}

/** State of an upload with a URL per part. */
export interface MultipartState {
  /** Upload id of the backend. */
  readonly uploadId: string
  /** URLs of all parts in order. They are signed: treat them as secrets. */
  readonly urls: readonly string[]
  /** ETags of the parts that the backend has received. */
  readonly etags: readonly string[]
}

export interface SignedUpload {
  readonly state: UploadState
  readonly bytes: Bytes
  readonly type: string
  readonly blobs: BlobTransport
  readonly signal: AbortSignal
  readonly onProgress: ((progress: UploadProgress) => void) | undefined
  /** Called after the start of an upload with a URL per part, and after each part. */
  readonly onState: (state: UploadState) => void
}

/** Progress of an upload, in bytes. */
export interface UploadProgress {
  /** Bytes sent so far, including parts sent before a resume. */
  readonly sentBytes: number
  /** Undefined for a stream of unknown length. */
  readonly totalBytes: number | undefined
}

/**
 * Uploads the bytes to the signed URL, with the headers that the backend requires and no
 * others. Returns the number of bytes.
 *
 * @throws RequestError `UPLOAD_FAILED` or `REQUEST_ABORTED`.
 * @throws ServicekitError `READ_FAILED` if the source cannot be read.
 */
export async function putSigned(upload: SignedUpload): Promise<number> {
  const { state, bytes } = upload
  const isLarge = bytes.size === undefined || bytes.size > state.partBytes
  if (!state.parts || (!isLarge && state.sentParts === 0)) return putWhole(upload)
  // Most uploads are small: load the code for large ones only when needed.
  const { putBlocks, putAtUrls } = await import('./upload-parts.ts')
  return (state.parts === 'blocks' ? putBlocks : putAtUrls)(upload, {
    put,
    wrongShape,
    isHttpUrl,
  })
}

/**
 * Cancels an upload with a URL per part that will not be continued, so that the backend keeps
 * nothing of it. Does nothing for other uploads.
 */
export async function cancelSigned(upload: SignedUpload): Promise<void> {
  if (!upload.state.multipart) return
  const { cancelParts } = await import('./upload-parts.ts')
  await cancelParts(
    { ...upload, signal: new AbortController().signal },
    { put, wrongShape, isHttpUrl },
  )
}

async function putWhole(upload: SignedUpload): Promise<number> {
  const { state, bytes, type } = upload
  const { size, whole, isRepeatable } = bytes
  if (size === undefined) throw new TypeError('size is required: this storage needs it in advance')
  const headers = { 'content-type': type, ...state.headers }
  const body = (): BlobBody => whole ?? bytes.open(0)
  await put(upload, { url: state.url, headers, body, size, before: 0, isRepeatable })
  return size
}

interface PutPart {
  readonly method?: 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: () => BlobBody
  readonly size: number
  /** Bytes of the file sent before this part; undefined if the body is not part of the file. */
  readonly before: number | undefined
  readonly isRepeatable: boolean
}

export type Put = (upload: SignedUpload, request: PutPart) => ReturnType<BlobTransport['put']>

/**
 * Sends one request, retrying if the body is repeatable. Repeating the same bytes at the
 * same URL is harmless.
 */
const put: Put = async (upload, request) => {
  const { blobs, signal, onProgress, bytes } = upload
  const { method = 'PUT', url, headers, size, before, isRepeatable } = request
  const pauseAfter = retryPolicy({
    retry: defaultRetry,
    effect: 'replace',
    runtime: { now: Date.now, random: Math.random },
    untilMs: Infinity,
  })
  for (;;) {
    let cause: unknown
    let status: number | undefined
    let storageCode: string | undefined
    try {
      signal.throwIfAborted()
      // Not every transport ends a body that stalls.
      const sending = blobs.put({
        method,
        url,
        headers,
        body: request.body(),
        size,
        signal,
        onProgress: (sent) => {
          if (before === undefined) return
          onProgress?.({ sentBytes: before + sent, totalBytes: bytes.size })
        },
      })
      const response = await rejectOnAbort(signal, sending)
      if (response.status >= 200 && response.status < 300) return response
      status = response.status
      storageCode = /<Code>(\w+)<\/Code>/.exec(response.text)?.[1]
    } catch (error) {
      if (error instanceof ServicekitError) throw error
      cause = error
      // A browser reports an unreadable file and a broken connection alike: check the file.
      if (bytes.whole instanceof Blob) {
        await bytes.whole
          .slice(0, 1)
          .arrayBuffer()
          .catch((reason: unknown) => {
            throw unreadable('', reason)
          })
      }
    }
    const pauseMs = pauseAfter({ status, isFinal: signal.aborted || !isRepeatable })
    if (pauseMs === undefined) {
      throw blobFailure({ code: 'UPLOAD_FAILED', url, status, storageCode, cause, signal })
    }
    await sleep(pauseMs, signal).catch(() => undefined)
  }
}

const wrongShape = (expected: string): ResponseShapeError =>
  new ResponseShapeError('Cannot upload the file in parts', { details: { expected } })
