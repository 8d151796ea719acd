import { isVisibleAscii } from '@servicekit/core'
import type { ConsoleCall } from './console-call.ts'
import { consolePath } from './console-path.ts'
import { redirect } from './responses.ts'

/** Ends a sign-in: the browser returns from the sign-in page with a code. */
export async function endSignIn<B>(call: ConsoleCall<B>): Promise<Response> {
  const { platform, request, bindings, url } = call
  const projectKey = (url.searchParams.get('state') ?? '').replace(/\.[^.]*$/, '')
  const failed = `${consolePath}/?sign-in=failed`
  if (!isVisibleAscii(projectKey) || !url.searchParams.has('code')) {
    return leaveSignIn(request, failed)
  }
  const headers = new Headers(request.headers)
  headers.delete('authorization')
  headers.set('x-service-key', projectKey)
  const callback = new URL(`/iam/v4/idp/callback${url.search}`, request.url)
  const ended = await platform.fetch(new Request(callback, { headers }), bindings)
  if (!ended.ok) return leaveSignIn(request, failed)
  const target = `${consolePath}/?project=${encodeURIComponent(projectKey)}`
  const response = leaveSignIn(request, target)
  for (const cookie of ended.headers.getSetCookie()) response.headers.append('set-cookie', cookie)
  return response
}

/**
 * Opens the console after a sign-in. In a frame of the console, which waits for this address, the
 * page is empty.
 */
function leaveSignIn({ headers }: Request, target: string): Response {
  if (headers.get('sec-fetch-dest') !== 'iframe') return redirect(target)
  return new Response('', {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
    },
  })
}
