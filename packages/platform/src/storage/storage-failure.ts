import { PlatformError } from '../errors.ts'
import type { Backend } from './backend.ts'

/** A storage that did not do what was asked. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
  /** 502 where the storage refuses the platform, 503 where it cannot be reached. */
  readonly status: 502 | 503

  constructor(storage: string, cause: unknown) {
    const refusal = refusalOf(cause)
    const failure =
      refusal === undefined ? 'cannot be reached' : `refused the request with ${refusal}`
    super(`The storage "${storage}" ${failure}.`, { cause })
    this.status = refusal === undefined ? 503 : 502
  }
}

/** The status with which a storage refused; undefined where it is away or fails itself. */
function refusalOf(cause: unknown): number | undefined {
  const { statusCode, $metadata } = cause as {
    statusCode?: number
    $metadata?: { httpStatusCode?: number }
  }
  const status = statusCode ?? $metadata?.httpStatusCode
  return status !== undefined && status >= 300 && status < 500 ? status : undefined
}

/** Makes every failure of a backend on another machine a {@link StorageFailure}. */
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
