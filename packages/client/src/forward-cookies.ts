import type { Core } from './core.ts'
import type { SendAttempt } from './send-input.ts'
import { parsePair, parseSetCookie } from './set-cookie.ts'

/** Core for one incoming request, with the cookies of that browser. */
export interface ForwardedCookies {
  /** Sends the cookies, including those set in the meantime. */
  readonly core: Core
  /**
   * Returns the `Set-Cookie` headers to send back to the browser, from all responses
   * including failed ones.
   */
  readonly setCookie: () => readonly string[]
}

/**
 * Forwards the cookies of one incoming request, for server rendering. Create one for each
 * request: the cookies are kept only in the returned object, so users cannot share a
 * session.
 *
 * Cookies set by the service are passed on unchanged: a `Domain` attribute must match the
 * host that the browser uses.
 *
 * ```ts
 * const { core, setCookie } = forwardCookies(client.core, request.headers.get('cookie'))
 * const me = await getMe(core)
 * for (const cookie of setCookie()) response.headers.append('set-cookie', cookie)
 * ```
 *
 * @see section 5, rule 2
 */
export function forwardCookies(core: Core, cookie: string | null | undefined): ForwardedCookies {
  const { core: forwarding, setCookie } = cookieForwarder(core, cookie)
  return { core: forwarding, setCookie }
}

/** Like {@link forwardCookies}, for cookies that another request has received too. */
export function cookieForwarder(
  core: Core,
  cookie: string | null | undefined,
  onChange?: () => void,
): ForwardedCookies & {
  readonly keep: (header: string) => void
  /** Returns the current `Cookie` header. */
  readonly cookie: () => string
} {
  const jar = new Map<string, string>()
  const received = new Map<string, string>()
  for (const part of (cookie ?? '').split(';')) {
    const pair = parsePair(part)
    if (pair) jar.set(pair.name, pair.value)
  }
  const keep = (header: string): void => {
    const parsed = parseSetCookie(header)
    if (!parsed) return
    const { name, value, path, domain, isExpired } = parsed
    // Cookies with the same name but another path or domain are different cookies.
    received.set(JSON.stringify([name, path, domain]), header)
    if (isExpired) jar.delete(name)
    else jar.set(name, value)
    onChange?.()
  }
  const cookieHeader = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    keep,
    cookie: cookieHeader,
    setCookie: () => [...received.values()],
    core: {
      ...core,
      send: (route, input) =>
        core.send(route, {
          ...input,
          wrapAttempt: async (send) => {
            const attempt: SendAttempt = async (headers) => {
              const sent = cookieHeader()
              const response = await send({ ...headers, ...(sent && { cookie: sent }) })
              response.setCookie?.forEach(keep)
              return response
            }
            return input.wrapAttempt ? input.wrapAttempt(attempt) : attempt()
          },
        }),
    },
  }
}
