import { createHash } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import { lifetimes } from './lifetimes.ts'

/** Names of the browser cookies, all of them HTTP-only. */
export type CookieName = 'flow' | 'session' | 'access' | 'refresh'

const seconds: Readonly<Record<CookieName, number>> = {
  flow: lifetimes.flow,
  session: lifetimes.absolute,
  access: lifetimes.access,
  refresh: lifetimes.idle,
}

/** Cookie settings. */
export interface CookieStyle {
  readonly projectKey: string
  /** True if the browser reaches the platform over https. */
  readonly isSecure: boolean
  readonly sameSite: 'lax' | 'none'
}

/**
 * Returns the full name of a cookie. It is specific to the project, because several
 * projects may share a host. Over https, the prefix prevents other hosts of the same
 * domain from setting it.
 */
function cookieName(name: CookieName, { projectKey, isSecure }: CookieStyle): string {
  const project = createHash('sha256').update(projectKey).digest('hex').slice(0, 12)
  return `${isSecure ? '__Host-' : ''}sk_${name}_${project}`
}

/** Reads a cookie of a request. */
export function readCookie(
  request: Request,
  name: CookieName,
  style: CookieStyle,
): string | undefined {
  const full = cookieName(name, style)
  return parse(request.headers.get('cookie') ?? '', full)[full]
}

/**
 * Returns a `set-cookie` header that sets a cookie, or removes it if the value is
 * undefined.
 */
export const setCookie = (
  name: CookieName,
  value: string | undefined,
  style: CookieStyle,
): string =>
  serialize(cookieName(name, style), value ?? '', {
    path: '/',
    httpOnly: true,
    secure: style.isSecure,
    sameSite: style.sameSite === 'none' ? 'None' : 'Lax',
    maxAge: value === undefined ? 0 : seconds[name],
  })
