import { parseUrl } from '@servicekit/core'
import { RequestError } from './errors.ts'
import { networkCode } from './network-code.ts'

/** Details of a failed transfer. */
interface BlobFailure {
  readonly code: 'UPLOAD_FAILED' | 'DOWNLOAD_FAILED'
  /** Signed; the error shows only its host. */
  readonly url: string
  /** Undefined if the storage did not respond. */
  readonly status?: number | undefined
  /** Error code of the storage. */
  readonly storageCode?: string | undefined
  readonly cause?: unknown
  /** Signal of the caller. */
  readonly signal?: AbortSignal | undefined
}

/** Creates the error for a failed transfer, without any signature. */
export function blobFailure({
  code,
  url,
  status,
  storageCode,
  cause,
  signal,
}: BlobFailure): RequestError {
  const isAborted = signal?.aborted === true
  const isLate = (cause as Partial<Error> | undefined)?.name === 'TimeoutError'
  const reason = isAborted
    ? 'the call was aborted'
    : isLate
      ? 'the request timed out'
      : status === undefined
        ? 'the connection failed'
        : `the storage responded with ${status || 'a redirect'}`
  return new RequestError(`Cannot ${code.slice(0, -7).toLowerCase()} the file: ${reason}`, {
    code: isAborted ? 'REQUEST_ABORTED' : isLate ? 'REQUEST_TIMED_OUT' : code,
    ...(status === undefined ? {} : { status }),
    details: { host: hostOf(url), status, message: storageCode, reason: networkCode(cause) },
    ...(isAborted ? { cause: signal.reason as unknown } : {}),
  })
}

/** Returns the host of a URL. The URL in a saved state may be damaged. */
const hostOf = (url: string): string | undefined => parseUrl(url)?.host
