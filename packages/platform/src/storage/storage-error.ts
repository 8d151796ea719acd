import { PlatformError } from '../errors.ts'
import type { Backend } from './backend.ts'

/** Error of a storage, with the members that commands show, such as those of `PlatformError`. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code = 'STORAGE_UNAVAILABLE'
  readonly details: { readonly storage: string }
  /** 502 if the storage rejects the platform, 503 if it cannot be reached. */
  readonly status: 502 | 503

  constructor(storage: string, cause: unknown) {
    const rejection = rejectionOf(cause)
    const problem =
      rejection === undefined ? 'cannot be reached' : `rejected the request with ${rejection}`
    super(`The storage "${storage}" ${problem}.`, { cause })
    this.details = { storage }
    this.status = rejection === undefined ? 503 : 502
  }
}

/**
 * Returns the status with which a storage rejected the request; undefined if it is
 * unreachable or failed itself.
 */
function rejectionOf(cause: unknown): number | undefined {
  const { statusCode, $metadata } = cause as {
    statusCode?: number
    $metadata?: { httpStatusCode?: number }
  }
  const status = statusCode ?? $metadata?.httpStatusCode
  return status !== undefined && status >= 300 && status < 500 ? status : undefined
}

/** Converts every error of a remote backend to a {@link StorageError}, except for missing bytes. */
export function withStorageErrors(storage: string, backend: Backend): Backend {
  const wrap = <T extends object>(methods: T): T =>
    Object.fromEntries(
      Object.entries(methods).map(([name, method]: [string, unknown]) => [
        name,
        typeof method !== 'function'
          ? method
          : async (...parameters: readonly unknown[]): Promise<unknown> => {
              try {
                return await (method(...parameters) as Promise<unknown>)
              } catch (error) {
                if (name === 'stat' && rejectionOf(error) === 404) return undefined
                throw error instanceof PlatformError ? error : new StorageError(storage, error)
              }
            },
      ]),
    ) as T
  const { multipart, setUp, ...methods } = backend
  return {
    ...wrap(methods),
    ...(multipart && { multipart: wrap(multipart) }),
    ...(setUp && { setUp: wrap(setUp) }),
  }
}

/**
 * Loads the library of a storage service, which is installed only by users of that service.
 *
 * @throws PlatformError `STORAGE_UNAVAILABLE` when it is not installed.
 */
export async function loadSdk<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new PlatformError('STORAGE_UNAVAILABLE', `The library ${name} is not installed.`, {
      cause,
      help: `Run npm install ${name}, or configure another storage.`,
    })
  }
}
