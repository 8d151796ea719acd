import { createHash } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import { lifetimes } from './lifetimes.ts'

/** Cookies of a browser, all kept from scripts. */
export type CookieName = 'flow' | 'session' | 'access' | 'refresh'

const seconds: Readonly<Record<CookieName, number>> = {
  flow: lifetimes.flow,
  session: lifetimes.absolute,
  access: lifetimes.access,
  refresh: lifetimes.idle,
}

/** How cookies are written. */
export interface CookieStyle {
  readonly projectKey: string
  /** Whether the browser reaches the platform by https. */
  readonly isSecure: boolean
  readonly sameSite: 'lax' | 'none'
}

/**
 * The name of a cookie. Projects on one host have cookies of their own. By https
 * the prefix keeps other hosts of the same domain from setting them.
 */
function cookieName(name: CookieName, { projectKey, isSecure }: CookieStyle): string {
  const project = createHash('sha256').update(projectKey).digest('hex').slice(0, 12)
  return `${isSecure ? '__Host-' : ''}sk_${name}_${project}`
}

/** The value of a cookie of a request. */
export function readCookie(
  request: Request,
  name: CookieName,
  style: CookieStyle,
): string | undefined {
  const full = cookieName(name, style)
  return parse(request.headers.get('cookie') ?? '', full)[full]
}

/** A `set-cookie` that keeps a value, or with undefined one that removes it. */
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
