import { parseSetCookie } from './set-cookie.ts'
import type { FetchLike } from './transport-fetch.ts'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

/**
 * Wraps a handler with a cookie jar that behaves like a browser's: it stores the cookies
 * that responses set, by path, and deletes those that they expire. Create one for each
 * browser in a test.
 *
 * ```ts
 * const ada = keepCookies(platform.fetch)
 * createClient({ baseUrl, projectKey, transport: handlerTransport(ada) })
 * ```
 */
export function keepCookies(handler: FetchLike): FetchLike {
  let jar: readonly Cookie[] = []
  return async (request) => {
    const { pathname } = new URL(request.url)
    const sent = jar.filter(({ path }) => isBelow(pathname, path))
    const headers = new Headers(request.headers)
    if (sent.length > 0) {
      headers.set('cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '))
    }
    const response = await handler(new Request(request, { headers }))
    for (const header of response.headers.getSetCookie()) jar = keep(jar, header, pathname)
    return response
  }
}

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)

function keep(jar: readonly Cookie[], header: string, pathname: string): readonly Cookie[] {
  const cookie = parseSetCookie(header)
  if (!cookie) return jar
  const { name, value, path = pathname.replace(/\/[^/]*$/, '') || '/', isExpired } = cookie
  const others = jar.filter((one) => one.name !== name || one.path !== path)
  return isExpired ? others : [...others, { name, value, path }]
}
