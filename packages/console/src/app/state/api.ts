import { NO_RESPONSE } from '~uilm/shell'

/** Failed request. Its status is 0 if the platform did not respond. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Sends requests to the platform about one project. */
export interface Api {
  /** Renews an expired session. */
  readonly refresh: () => Promise<unknown>
  readonly get: <T>(path: string, signal?: AbortSignal) => Promise<T>
  readonly send: <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>
}

/** Path of the requests of the console. */
export const address = '/console/api'

/**
 * Sends a request of the console.
 *
 * @throws ApiError
 */
export async function sendToConsole<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${address}${path}`, init).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause
    throw new ApiError(0, NO_RESPONSE(), { cause })
  })
  if (!response.ok) {
    const { title } = (await response.json().catch(() => ({}))) as { title?: string }
    throw new ApiError(response.status, title ?? response.statusText)
  }
  return (response.status === 204 ? undefined : await response.json()) as T
}

/**
 * Creates the functions for one project. They renew an expired session once.
 *
 * @param onSession is called with true if a session cannot be renewed, and with false once it is.
 */
export function createApi(projectKey: string, onSession: (isSignedOut: boolean) => void): Api {
  let refreshing: Promise<unknown> | undefined
  const refresh = (): Promise<unknown> =>
    (refreshing ??= sendToConsole('/refresh', jsonBody('POST', { project: projectKey }))
      .then(
        () => onSession(false),
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 401) onSession(true)
          throw error
        },
      )
      .finally(() => {
        refreshing = undefined
      }))
  const send = async <T>(path: string, init: RequestInit): Promise<T> => {
    const target = `/projects/${encodeURIComponent(projectKey)}${path}`
    try {
      return await sendToConsole<T>(target, init)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      await refresh().catch(() => {
        throw error
      })
      return sendToConsole<T>(target, init)
    }
  }
  return {
    refresh,
    get: (path, signal) => send(path, signal ? { signal } : {}),
    send: (method, path, body) =>
      send(path, body === undefined ? { method } : jsonBody(method, body)),
  }
}

/** Creates a request with a JSON body. */
export const jsonBody = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
