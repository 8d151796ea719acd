import { createHash } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import { ownAddress } from '../http/address.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../database/project-directory.ts'
import { lifetimes } from './lifetimes.ts'

/** Lifetimes of the browser cookies in seconds. All cookies are HTTP-only. */
const seconds = {
  flow: lifetimes.flow,
  session: lifetimes.absolute,
  access: lifetimes.access,
  refresh: lifetimes.idle,
}
type CookieName = keyof typeof seconds

/** Returns the end of the names of a project's cookies. */
export function cookieSuffix(
  { cookieScope }: Pick<ResolvedOptions, 'cookieScope'>,
  key: string,
): string {
  const scoped = cookieScope === '' ? key : JSON.stringify([cookieScope, key])
  return createHash('sha256').update(scoped).digest('hex').slice(0, 12)
}

/**
 * Returns the cookies of a project. Their names are specific to the project, because several
 * projects may share a host. Over https, a prefix prevents other hosts of the same domain
 * from setting them.
 */
export function projectCookies(
  options: ResolvedOptions,
  { key }: Pick<Project, 'key'>,
  request: Request,
) {
  const isSecure = ownAddress(options, request).protocol === 'https:'
  const suffix = cookieSuffix(options, key)
  const fullName = (name: CookieName): string => `${isSecure ? '__Host-' : ''}sk_${name}_${suffix}`
  return {
    read: (name: CookieName) => parse(request.headers.get('cookie') ?? '')[fullName(name)],
    /** Returns a `set-cookie` header that sets a cookie, or removes it without a value. */
    set: (name: CookieName, value: string | undefined) =>
      serialize(fullName(name), value ?? '', {
        path: '/',
        httpOnly: true,
        secure: isSecure,
        // Browsers accept `None` only over https.
        sameSite: isSecure && options.cookieSameSite === 'none' ? 'None' : 'Lax',
        maxAge: value === undefined ? 0 : seconds[name],
      }),
  }
}
