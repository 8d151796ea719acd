import { isOwnPage } from '../http/cors.ts'
import { pageOrigin } from '../http/origin.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import type { CrossSiteRefusal } from './caller.ts'

/**
 * Returns a refusal of a cross-site request from a page with an unregistered origin, which
 * could misuse the visitor's cookies.
 */
export const refuseCrossSite = (
  options: Pick<ResolvedOptions, 'origins' | 'publicUrl'>,
  { origins }: Pick<Project, 'origins'>,
  request: Request,
): CrossSiteRefusal | undefined =>
  refuseOrigin(
    request,
    (origin) =>
      isOwnPage(options, request, origin) ||
      options.origins.has(origin) ||
      origins.includes(origin),
  )

/** Returns a refusal of a form that a page of another origin submitted. */
export const refuseCrossSiteForm = (request: Request, own: string): CrossSiteRefusal | undefined =>
  refuseOrigin(request, (origin) => origin === own)

/**
 * Checks the origin of a request. Pages cannot forge Origin and Referer, nor
 * `Sec-Fetch-Site` if both are withheld. A request without any of them does not come from
 * a browser.
 */
function refuseOrigin(
  { headers }: Request,
  isAllowed: (origin: string) => boolean,
): CrossSiteRefusal | undefined {
  const origin = pageOrigin(headers)
  if (origin !== undefined) return isAllowed(origin) ? undefined : refusal(`The origin ${origin}`)
  const isCrossSite = headers.get('sec-fetch-site') === 'cross-site'
  return isCrossSite ? refusal('The site of the page') : undefined
}

const refusal = (sender: string): CrossSiteRefusal => ({
  reason: 'crossSite',
  message: `${sender} is not registered.`,
})
