import { projectHeader, routes } from '@servicekit/contract'
import { isLoopbackUrl } from '@servicekit/core'
import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { tryDecodeURIComponent } from 'hono/utils/url'
import type { ResolvedOptions } from '../options.ts'
import type { Project, ProjectDirectory } from '../database/project-directory.ts'
import { isLocalRequest, ownAddress } from './address.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import { RejectedRequest } from './rejected-request.ts'
import { headerKey } from './project-key.ts'
import { rejection } from './responses.ts'

type OriginOptions = Pick<ResolvedOptions, 'origins' | 'publicUrl' | 'keyHeader'>

/** Adds the CORS headers that let a page read a response. */
const allow = cors({
  origin: (origin) => origin,
  credentials: true,
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
  exposeHeaders: ['etag', 'x-request-id', 'retry-after'],
  maxAge: 600,
})

/**
 * Rejects requests from pages with an unregistered origin with 406. Lets registered pages
 * read responses and use cookies. Accepts requests with neither Origin nor Referer: they
 * are sent by builds and servers.
 *
 * The control routes only accept pages of the platform and of this machine.
 */
export function checkOrigin(
  options: OriginOptions,
  projects: () => Promise<ProjectDirectory>,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { headers } = c.req.raw
    const isCrossOrigin = headers.has('origin')
    const origin = isCrossOrigin || !isForVisitors(c) ? pageOrigin(headers) : undefined
    if (origin === undefined) return next()
    const isAllowed =
      isOwnPage(options, c.req.raw, origin) ||
      (!isControlPath(c.req.path) &&
        (options.origins.has(origin) || (await isRegistered(c, options, origin, await projects()))))
    if (!isAllowed) return rejection(406, `The origin ${origin} is not registered.`)
    return isCrossOrigin && (c.req.method !== 'OPTIONS' || isPreflight(c)) ? allow(c, next) : next()
  }
}

/** Returns true if a page belongs to the platform, or if both use loopback addresses. */
const isOwnPage = (
  options: Pick<ResolvedOptions, 'publicUrl'>,
  request: Request,
  origin: string,
): boolean =>
  origin === ownAddress(options, request).origin ||
  (isLoopbackUrl(origin) && isLocalRequest(options, request))

/** Pages and files that any site may link or redirect to. */
const forVisitors =
  /^\/(?:openapi\.json|_platform\/?|_platform\/(?:api|tools\/callback|objects\/.+)|iam\/v4\/idp\/callback|iam\/v4\/oidc\/projects\/.+)?$/

const isForVisitors = ({ req }: Context): boolean =>
  req.method === 'GET' && forVisitors.test(req.path)

const isPreflight = ({ req }: Context): boolean =>
  req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined

/** Returns true if the project registers the origin; for a preflight, if any project does. */
async function isRegistered(
  c: Context,
  options: OriginOptions,
  origin: string,
  projects: ProjectDirectory,
): Promise<boolean> {
  if (isPreflight(c)) return projects.registers(origin)
  const key = projectKeyOf(c, options)
  const project = key === undefined ? undefined : await projects.find(key)
  return project?.origins.includes(origin) ?? false
}

/** Returns the project key of a request, wherever its route expects it. */
function projectKeyOf(c: Context, options: OriginOptions): string | undefined {
  const { req } = c
  const [, inPath] =
    /^\/(?:iam\/v4\/oidc\/projects|_platform\/objects)\/([^/]+)/.exec(req.path) ?? []
  if (inPath !== undefined) return tryDecodeURIComponent(inPath)
  const header = headerKey(c, options)
  if (header) return header
  if (req.path === routes.authInitiate.path) return req.query(projectHeader)
  if (req.path === routes.authCallback.path) return req.query('state')?.replace(/\.[^.]*$/, '')
  return req.query('ProjectKey')
}

/** Rejects pages of unregistered origins, which could misuse cookies. @throws RejectedRequest */
export function requireRegisteredPage(
  options: OriginOptions,
  { origins }: Pick<Project, 'origins'>,
  request: Request,
): void {
  const isRegistered = (origin: string) => options.origins.has(origin) || origins.includes(origin)
  const message = crossSiteProblem(
    request,
    (origin) => isOwnPage(options, request, origin) || isRegistered(origin),
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

/** Returns the origin of the page that sent a request, from Origin or else from Referer. */
function pageOrigin(headers: Headers): string | undefined {
  const origin = headers.get('origin')
  if (origin !== null) return origin
  const referer = headers.get('referer')
  if (referer === null) return undefined
  return URL.canParse(referer) ? new URL(referer).origin : referer
}
