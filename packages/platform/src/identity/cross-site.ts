import { isOwnPage } from '../http/cors.ts'
import { pageOrigin } from '../http/origin.ts'
import { RejectedRequest } from '../http/rejected-request.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'

/**
 * Requires that a request does not come from a page with an unregistered origin, which could
 * misuse the visitor's cookies.
 *
 * @throws RejectedRequest
 */
export function requireRegisteredPage(
  options: Pick<ResolvedOptions, 'origins' | 'publicUrl'>,
  { origins }: Pick<Project, 'origins'>,
  request: Request,
): void {
  const message = crossSiteProblem(
    request,
    (origin) =>
      isOwnPage(options, request, origin) ||
      options.origins.has(origin) ||
      origins.includes(origin),
  )
  if (message !== undefined) throw new RejectedRequest({ reason: 'crossSite', message })
}

/**
 * Returns why the page that sent a request is not allowed. Pages cannot forge Origin and
 * Referer, nor `Sec-Fetch-Site` if both are withheld. A request without any of them does not
 * come from a browser.
 */
export function crossSiteProblem(
  { headers }: Request,
  isAllowed: (origin: string) => boolean,
): string | undefined {
  const origin = pageOrigin(headers)
  if (origin !== undefined) {
    return isAllowed(origin) ? undefined : `The origin ${origin} is not registered.`
  }
  const isCrossSite = headers.get('sec-fetch-site') === 'cross-site'
  return isCrossSite ? 'The site of the page is not registered.' : undefined
}
