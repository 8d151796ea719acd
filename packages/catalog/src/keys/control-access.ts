import { RequestError } from '@servicekit/client'
import { environmentFetch } from '@servicekit/client/proxy'
import { controlTokenName } from '@servicekit/core'

/** Access to the control routes of a platform. */
export interface ControlAccess {
  /** Origin of the platform. */
  readonly baseUrl: string
  /** Control token, if the platform has one. */
  readonly token: string | undefined
}

/**
 * Sends a request to a control route of a platform.
 *
 * @param path Path below `/_platform`.
 * @throws RequestError if the response is not a success.
 */
export async function sendControl(
  { baseUrl, token }: ControlAccess,
  path: string,
  init: RequestInit & { readonly signal: AbortSignal },
): Promise<Response> {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const url = `${baseUrl}/_platform${path}`
  // A redirect could lead to another origin, which must not receive the token.
  const request: RequestInit = { ...init, headers, redirect: 'manual' }
  const response = await environmentFetch()(url, request).catch((cause: unknown) => {
    throw new RequestError('Cannot reach the platform', {
      code: init.signal.aborted ? 'REQUEST_ABORTED' : 'REQUEST_FAILED',
      details: { url },
      help: 'Start it with `servicekit dev`, or set its URL with --base-url.',
      cause,
    })
  })
  if (response.ok) return response
  const { status } = response
  const { title } = (await response.json().catch(() => ({}))) as { title?: string }
  throw new RequestError(title ?? 'The platform refused the request', {
    code: 'REQUEST_REFUSED',
    details: { url, status },
    ...(status === 401 || status === 403
      ? { help: `Set ${controlTokenName} to the control token of the platform.` }
      : {}),
    status,
  })
}
