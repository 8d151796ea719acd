import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import { ownAddress } from '../http/address.ts'
import type { CookieStyle } from './cookies.ts'

/** How cookies of a project are read and written, and where the platform is reached. */
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
    // Browsers take `None` only from secure addresses.
    sameSite: isSecure && options.cookieSameSite === 'none' ? 'none' : 'lax',
  }
}
