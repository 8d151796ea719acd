import { type Core, createCore, fetchTransport } from '@servicekit/client/core'
import type { Api } from './api.ts'
import { toApiError } from './api-error.ts'
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

/** Runs an operation of the client. @throws ApiError */
export const run = <T>(operation: Promise<T>): Promise<T> =>
  operation.catch((error: unknown) => {
    throw toApiError(error)
  })
