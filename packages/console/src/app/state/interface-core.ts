import { type Core, createCore, fetchTransport, RequestError } from '@servicekit/client/core'
import { fieldErrors } from '@servicekit/client'
import { NO_RESPONSE } from '~uilm/shell'
import { type Api, ApiError } from './api.ts'
import { requestHeaders } from './control.ts'

/**
 * Creates the core of the typed client for the interface, whose operations run as the
 * administrator who uses the console.
 */
export function createInterfaceCore(
  projectKey: string,
  api: Pick<Api, 'refresh'>,
  headers: Readonly<Record<string, string>> = {},
): Core {
  return createCore({
    headers,
    baseUrl: `${location.origin}/_platform/projects/${encodeURIComponent(projectKey)}/interface`,
    projectKey,
    retry: { attempts: 2 },
    transport: fetchTransport(async (request) => {
      for (const [name, value] of Object.entries(requestHeaders())) request.headers.set(name, value)
      const again = request.clone()
      const response = await fetch(request)
      if (response.status !== 401) return response
      return api.refresh().then(
        () => fetch(again),
        () => response,
      )
    }),
  })
}

/** Converts a failure of the client to one that the console shows. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { message } = error as Error
  const reasons = Object.values(fieldErrors(error)).flat()
  const text = reasons.length > 0 ? reasons.join(' ') : (message.split('\n')[0] ?? message)
  if (!(error instanceof RequestError)) return new ApiError(-1, text, { cause: error })
  if (error.status === undefined) return new ApiError(0, NO_RESPONSE(), { cause: error })
  const { title } = (error.body ?? {}) as { title?: unknown }
  const shown = typeof title === 'string' ? title : text
  return new ApiError(error.status, shown, { cause: error })
}

/** Runs an operation of the client. @throws ApiError */
export const run = <T>(operation: Promise<T>): Promise<T> =>
  operation.catch((error: unknown) => {
    throw toApiError(error)
  })
