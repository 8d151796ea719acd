import type { ConsoleCall } from './console-call.ts'

/** Path of the control routes. */
const controlPath = '/_platform'

interface ForwardOptions {
  /** Body of the request, which can be read only once. */
  readonly body?: string | undefined
  readonly token?: string | undefined
  /** Actor for the audit log; `control` by default. */
  readonly actor?: string | undefined
  /** True if the console itself reads the response, which must not be compressed then. */
  readonly isParsed?: boolean
}

/**
 * Sends the request to a control route, as the same sender: the platform applies its rate limit,
 * and its rules about this machine.
 */
export function forward<Bindings>(
  { platform, request, bindings }: ConsoleCall<Bindings>,
  path: string,
  { body, token, actor, isParsed = false }: ForwardOptions = {},
): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.delete('authorization')
  headers.delete('content-length')
  // The request log of the console hides its own requests by their ids.
  headers.set('x-request-id', `console-${crypto.randomUUID()}`)
  if (isParsed) headers.delete('accept-encoding')
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const url = new URL(`${controlPath}${path}`, request.url)
  const { method } = request
  const isRead = body === undefined
  return platform.fetch(
    new Request(url, { method: isRead ? 'GET' : method, headers, body: body ?? null }),
    // Only a program in the same process can name an actor.
    actor === undefined ? bindings : ({ ...bindings, actor } as Bindings),
  )
}
