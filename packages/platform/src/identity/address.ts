import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import { ownAddress } from '../http/address.ts'
import type { CookieStyle } from './cookies.ts'

/** Returns the cookie settings of a project, and the platform's own URL. */
export function styleOf(
  options: ResolvedOptions,
  { key }: Project,
  request: Request,
): CookieStyle & { readonly own: URL } {
  const own = ownAddress(options, request)
  const isSecure = own.protocol === 'https:'
  return {
    own,
    projectKey: key,
    isSecure,
    // Browsers accept `None` only over https.
    sameSite: isSecure && options.cookieSameSite === 'none' ? 'none' : 'lax',
  }
}
