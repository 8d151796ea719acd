import type { Core } from './core.ts'

/** A core for one request of a browser, with that browser's cookies. */
export interface ForwardedCookies {
  /** Sends the cookies, those included that were set since. */
  readonly core: Core
  /**
   * What has to be sent back to the browser, one `Set-Cookie` header each: of every answer,
   * also of those that failed.
   */
  readonly setCookie: () => readonly string[]
}

/**
 * Passes the cookies of one incoming request on, for server rendering. Make one
 * for each request: cookies are kept in what this returns and nowhere else, so
 * that no two people can share a session. What the service sets is handed on as it came:
 * a `Domain` in it has to be one that the browser's address is below.
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
    // Two of one name are two cookies where their paths or hosts differ.
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

/** Whether a cookie is deleted; `Max-Age` goes before `Expires`. */
function isOver(attributes: readonly string[]): boolean {
  const valueOf = (wanted: RegExp): string | undefined =>
    attributes.findLast((one) => wanted.test(one))?.replace(wanted, '')
  const maxAge = valueOf(/^\s*max-age\s*=/i)
  if (maxAge !== undefined) return Number(maxAge) <= 0
  return Date.parse(valueOf(/^\s*expires\s*=/i) ?? '') < Date.now()
}
