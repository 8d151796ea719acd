import { isOwnPage } from '../http/cors.ts'
import { pageOrigin } from '../http/origin.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import type { ForeignPage } from './caller.ts'

/**
 * Detects a request that a page of an unregistered site made its visitor's
 * browser send, so that it can use the visitor's cookies.
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

/** Detects a form that a page of any other site sent. */
export const foreignForm = (request: Request, own: string): ForeignPage | undefined =>
  foreignTo(request, (origin) => origin === own)

/**
 * Browsers do not let pages forge Origin and Referer, nor `Sec-Fetch-Site` where
 * both are withheld. A request without any of them is not from a browser.
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
