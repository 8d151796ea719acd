import { isOwnPage } from '../http/cors.ts'
import { pageOrigin } from '../http/origin.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import type { ForeignPage } from './caller.ts'

/**
 * Detects a cross-site request from a page with an unregistered origin, which could
 * misuse the visitor's cookies.
 */
export const foreignPage = (
  options: Pick<ResolvedOptions, 'origins' | 'publicUrl'>,
  { origins }: Pick<Project, 'origins'>,
  request: Request,
): ForeignPage | undefined =>
  foreignTo(
    request,
    (origin) =>
      isOwnPage(options, request, origin) ||
      options.origins.has(origin) ||
      origins.includes(origin),
  )

/** Detects a form submitted from a page of another origin. */
export const foreignForm = (request: Request, own: string): ForeignPage | undefined =>
  foreignTo(request, (origin) => origin === own)

/**
 * Checks the origin of a request. Pages cannot forge Origin and Referer, nor
 * `Sec-Fetch-Site` if both are withheld. A request without any of them does not come from
 * a browser.
 */
function foreignTo(
  { headers }: Request,
  isAllowed: (origin: string) => boolean,
): ForeignPage | undefined {
  const origin = pageOrigin(headers)
  if (origin !== undefined) return isAllowed(origin) ? undefined : refusal(`The origin ${origin}`)
  const isCrossSite = headers.get('sec-fetch-site') === 'cross-site'
  return isCrossSite ? refusal('A page of another site') : undefined
}

const refusal = (who: string): ForeignPage => ({
  reason: 'foreignPage',
  message: `${who} is not registered.`,
})
