import { isAddress } from './address.ts'
import { blobFailure } from './blob-failure.ts'
import type { BlobBody, BlobTransport } from './blobs.ts'
import { ResponseShapeError, ServicekitError } from './errors.ts'
import { defaultRetry, mayRetry, retryDelayMs } from './retry.ts'
import { sleep } from './sleep.ts'
import { type Bytes, unreadable } from './upload-source.ts'

/** A signed address, and how far an upload to it is. As JSON it can be kept and resumed. */
export interface UploadState {
  /** Of the file that will be. */
  readonly fileId: string
  /** Whoever has it may write the file: treat it as a secret. */
  readonly url: string
  /** What the backend needs. */
  readonly headers: Readonly<Record<string, string>>
  /** How the backend takes a large file in parts: as blocks (Azure), at addresses (S3), or not. */
  readonly parts: 'blocks' | 'addresses' | undefined
  /** Bytes of a part but the last. */
  readonly partBytes: number
  /** Parts that the backend has. */
  readonly sentParts: number
  /** Where an upload by addresses is begun, ended and called off. */
  readonly multipartUrl?: string | undefined
  /** Where parts have addresses, once it is begun. */
  readonly multipart?: MultipartState
}

/** An upload of parts that have an address each. */
export interface MultipartState {
  /** As the backend names it. */
  readonly uploadId: string
  /** Of all parts in their order; signed, and so secret. */
  readonly urls: readonly string[]
  /** Of the parts that the backend has. */
  readonly etags: readonly string[]
}

export interface SignedUpload {
  readonly state: UploadState
  readonly bytes: Bytes
  readonly type: string
  readonly blobs: BlobTransport
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: UploadProgress) => void) | undefined
  /** Told after each part. */
  readonly onState: ((state: UploadState) => void) | undefined
}

/** How far an upload is, in bytes. */
export interface UploadProgress {
  /** Those that have left; parts that were there before included. */
  readonly sentBytes: number
  /** Undefined for a stream whose length nobody gave. */
  readonly totalBytes: number | undefined
}

/**
 * Puts the bytes to the signed address, with the headers that the backend needs
 * and none of ours. Answers how many there were.
 *
 * @throws RequestError `UPLOAD_FAILED`, or `REQUEST_ABORTED`.
 * @throws ServicekitError `READ_FAILED` where the source cannot be read.
 */
export async function putSigned(upload: SignedUpload): Promise<number> {
  const { state, bytes } = upload
  const isLarge = bytes.size === undefined || bytes.size > state.partBytes
  if (!state.parts || (!isLarge && state.sentParts === 0)) return putWhole(upload)
  // Most uploads are small: what large ones need is loaded when there is one.
  const { putBlocks, putAtAddresses } = await import('./upload-parts.ts')
  return (state.parts === 'blocks' ? putBlocks : putAtAddresses)(upload, {
    put,
    wrongShape,
    isAddress,
  })
}

async function putWhole(upload: SignedUpload): Promise<number> {
  const { state, bytes, type } = upload
  const { size, whole, isRepeatable } = bytes
  if (size === undefined) throw new TypeError('size is missing: this backend has to be told it')
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
  /** Bytes that were there before these; undefined where these are not the file's. */
  readonly before: number | undefined
  readonly isRepeatable: boolean
}

export type Put = (upload: SignedUpload, request: PutPart) => ReturnType<BlobTransport['put']>

/** One PUT, repeated where its body can be. The same bytes at the same place do no harm. */
const put: Put = async (upload, request) => {
  const { blobs, signal, onProgress, bytes } = upload
  const { method = 'PUT', url, headers, size, before, isRepeatable } = request
  const whole = bytes.whole instanceof Blob ? bytes.whole : undefined
  for (let attempt = 1; ; attempt++) {
    let cause: unknown
    let status: number | undefined
    let said: string | undefined
    try {
      signal?.throwIfAborted()
      const answer = await blobs.put({
        method,
        url,
        headers,
        body: request.body(),
        ...(isRepeatable && { again: request.body }),
        size,
        signal,
        onProgress: (sent) => {
          if (before === undefined) return
          onProgress?.({ sentBytes: before + sent, totalBytes: bytes.size })
        },
      })
      if (answer.status >= 200 && answer.status < 300) return answer
      status = answer.status
      said = /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1]
    } catch (error) {
      if (error instanceof ServicekitError) throw error
      cause = error
      // A browser does not tell a file that is gone from a connection that is.
      await whole
        ?.slice(0, 1)
        .arrayBuffer()
        .catch((reason: unknown) => {
          throw unreadable('', reason)
        })
    }
    const isLast = attempt >= defaultRetry.attempts || !isRepeatable
    if (signal?.aborted || isLast || !mayRetry('replace', status, false)) {
      throw blobFailure({ code: 'UPLOAD_FAILED', url, status, said, cause, signal })
    }
    const delayMs = retryDelayMs(attempt, undefined, defaultRetry, Math.random)
    await sleep(delayMs, signal ?? new AbortController().signal).catch(() => undefined)
  }
}

const wrongShape = (expected: string): ResponseShapeError =>
  new ResponseShapeError('Could not upload the file in parts', { facts: { expected } })
