import type { Core } from './core.ts'

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
  const jar = new Map<string, string>()
  const news = new Map<string, string>()
  for (const part of (cookie ?? '').split(';')) note(jar, part)
  const keep = (line: string): void => {
    const [pair = '', ...attributes] = line.split(';')
    const name = note(jar, pair)
    if (name === undefined) return
    // Cookies with the same name but another path or domain are different cookies.
    const place = attributes.filter((one) => /^\s*(?:path|domain)\s*=/i.test(one)).sort()
    news.set([name, ...place].join(';'), line)
    if (isOver(attributes)) jar.delete(name)
  }
  return {
    setCookie: () => [...news.values()],
    core: {
      ...core,
      send: (route, input) =>
        core.send(route, {
          ...input,
          around: async (send) => {
            const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
            const response = await send(cookie ? { cookie } : {})
            response.setCookie?.forEach(keep)
            return response
          },
        }),
    },
  }
}

function note(jar: Map<string, string>, pair: string): string | undefined {
  const at = pair.indexOf('=')
  if (at < 1) return undefined
  const name = pair.slice(0, at).trim()
  jar.set(name, pair.slice(at + 1).trim())
  return name
}

/** Checks whether a cookie is deleted; `Max-Age` takes precedence over `Expires`. */
function isOver(attributes: readonly string[]): boolean {
  const valueOf = (wanted: RegExp): string | undefined =>
    attributes.findLast((one) => wanted.test(one))?.replace(wanted, '')
  const maxAge = valueOf(/^\s*max-age\s*=/i)
  if (maxAge !== undefined) return Number(maxAge) <= 0
  return Date.parse(valueOf(/^\s*expires\s*=/i) ?? '') < Date.now()
}
