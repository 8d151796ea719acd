import { RequestError } from './errors.ts'

/** What is known of bytes that could not be moved. */
interface BlobFailure {
  readonly code: 'UPLOAD_FAILED' | 'DOWNLOAD_FAILED'
  /** Signed; only its host is shown. */
  readonly url: string
  /** Undefined where the storage did not respond. */
  readonly status?: number | undefined
  /** Error code of the storage. */
  readonly said?: string | undefined
  readonly cause?: unknown
  /** Of the caller. */
  readonly signal?: AbortSignal | undefined
}

/** Creates the error for bytes that could not be moved. Signatures are kept out of it. */
export function blobFailure({ code, url, status, said, cause, signal }: BlobFailure): RequestError {
  const isAborted = signal?.aborted === true
  const { name, message } = (cause ?? {}) as Partial<Error>
  const isLate = name === 'TimeoutError'
  const reason = isAborted
    ? 'it was aborted'
    : isLate
      ? 'the storage did not respond in time'
      : status === undefined
        ? name === 'ChecksumError'
          ? message
          : 'the connection failed'
        : `the storage responded with ${status || 'a redirect'}`
  return new RequestError(`Could not ${code.slice(0, -7).toLowerCase()} the file: ${reason}`, {
    code: isAborted ? 'REQUEST_ABORTED' : isLate ? 'REQUEST_TIMED_OUT' : code,
    ...(status === undefined ? {} : { status }),
    facts: { host: hostOf(url), status, answer: said, reason: codeOf(cause as Caused) },
    ...(isAborted ? { cause: signal.reason as unknown } : {}),
  })
}

interface Caused {
  readonly code?: unknown
  readonly cause?: Caused
}
/** Of a system's own list, such as `ECONNREFUSED`; the rest of a cause may contain a signature. */
const codeOf = (cause: Caused | undefined): string | undefined =>
  [cause?.code, cause?.cause?.code].find((code) => typeof code === 'string') as string | undefined

/** The address in a state that somebody kept may be damaged. */
const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host : undefined
