import type { ConsoleCall } from './with-console.ts'

/** Path of the control routes. */
const controlPath = '/_platform'

/**
 * Sends the request to a control route, as the same sender: the platform applies its rate limit,
 * and its rules about this machine.
 *
 * @param body body of the request, which can be read only once.
 */
export function forward<Bindings>(
  { platform, request, bindings }: ConsoleCall<Bindings>,
  path: string,
  { body, token }: { readonly body?: string | undefined; readonly token?: string } = {},
): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.delete('authorization')
  headers.delete('content-length')
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const url = new URL(`${controlPath}${path}`, request.url)
  const { method } = request
  const isRead = body === undefined
  return platform.fetch(
    new Request(url, { method: isRead ? 'GET' : method, headers, body: body ?? null }),
    bindings,
  )
}
