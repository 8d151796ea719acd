import { PlatformError } from '../errors.ts'
import type { Backend } from './backend.ts'

/** Failed request to a storage. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
  /** 502 if the storage rejects the platform, 503 if it cannot be reached. */
  readonly status: 502 | 503

  constructor(storage: string, cause: unknown) {
    const refusal = refusalOf(cause)
    const failure =
      refusal === undefined ? 'cannot be reached' : `refused the request with ${refusal}`
    super(`The storage "${storage}" ${failure}.`, { cause })
    this.status = refusal === undefined ? 503 : 502
  }
}

/**
 * Returns the status with which a storage rejected the request; undefined if it is
 * unreachable or failed itself.
 */
function refusalOf(cause: unknown): number | undefined {
  const { statusCode, $metadata } = cause as {
    statusCode?: number
    $metadata?: { httpStatusCode?: number }
  }
  const status = statusCode ?? $metadata?.httpStatusCode
  return status !== undefined && status >= 300 && status < 500 ? status : undefined
}

/** Converts every failure of a remote backend to a {@link StorageFailure}. */
export function namingFailures(storage: string, backend: Backend): Backend {
  const naming =
    <A extends readonly unknown[], T>(call: (...parts: A) => Promise<T>) =>
    async (...parts: A): Promise<T> => {
      try {
        return await call(...parts)
      } catch (error) {
        throw error instanceof PlatformError ? error : new StorageFailure(storage, error)
      }
    }
  const { signUpload, signDownload, stat, remove, multipart } = backend
  return {
    ...backend,
    signUpload: naming(signUpload),
    signDownload: naming(signDownload),
    stat: naming(stat),
    remove: naming(remove),
    ...(multipart && {
      multipart: {
        begin: naming(multipart.begin),
        signPart: naming(multipart.signPart),
        complete: naming(multipart.complete),
        abort: naming(multipart.abort),
      },
    }),
  }
}
