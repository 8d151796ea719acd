import { projectHeader } from '@servicekit/contract'
import { isVisibleAscii } from '@servicekit/core'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { currentActor, setActor } from '../database/actor.ts'
import { PlatformError } from '../errors.ts'
import { isControlOpen } from '../http/address.ts'
import { type AppEnv, requestIdHeader, requestIdOf } from '../http/app-env.ts'
import { isEqualSecret, readText } from '@servicekit/core/node'
import { problemDetails } from '../http/responses.ts'
import { signInAsPath } from '../identity/sign-in-as.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Services } from '../services.ts'
import { storageRoutes } from '../storage/control-routes.ts'
import { auditRoutes } from './audit-routes.ts'
import { type Control, findProject, httpError } from './control-call.ts'
import type { Faults } from './fault-rules.ts'
import { localizationRoutes } from './localization-routes.ts'
import { operateRoutes } from './operate-routes.ts'
import { projectRoutes } from './project-routes.ts'
import type { RequestLog } from './request-log.ts'
import { identityRoutes, schemaRoutes, toolRoutes } from './resource-routes.ts'

export interface ControlParts {
  readonly services: () => Promise<Services>
  /** Returns true once the database is open and the projects are loaded. */
  readonly isReady: () => boolean
  readonly faults: Faults
  readonly requestLog: RequestLog
  readonly options: Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>
  readonly dispatch: (request: Request, c: Context<AppEnv>) => Promise<Response>
}

/** Creates the routes below `/_platform/`, which are not part of the interface. */
export function controlRoutes(parts: ControlParts): Hono<AppEnv> {
  const { services, options } = parts
  const app = new Hono<AppEnv>()
  app.use(guard(options))
  app.onError((error, c) => {
    const status = error instanceof HTTPException ? error.status : 400
    const message = messageOf(error)
    if (message === undefined) throw error
    return problemDetails(status, message, requestIdOf(c))
  })
  const control: Control = { app, services }
  operateRoutes(control, parts)
  projectRoutes(control)
  localizationRoutes(control)
  schemaRoutes(control)
  toolRoutes(control)
  identityRoutes(control)
  storageRoutes(control)
  auditRoutes(control)
  interfaceRoute(control, parts)
  return app
}

/**
 * Allows requests with the control token. If no token is set, allows requests that this
 * machine sends directly to a loopback name. This blocks requests forwarded by a proxy,
 * and pages of a site whose name resolves to this machine.
 */
const guard =
  (options: ControlParts['options']): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    // Such a page cannot read the response, but sending the request may be all that it wants.
    const isCrossSite = c.req.header('sec-fetch-site') === 'cross-site'
    if (isCrossSite && !c.req.path.endsWith(signInAsPath)) {
      return problemDetails(403, crossSite, requestIdOf(c))
    }
    const { controlToken } = options
    const isAllowed =
      controlToken === undefined
        ? isControlOpen(c, options)
        : isEqualSecret(c.req.header('authorization') ?? '', `Bearer ${controlToken}`)
    if (isAllowed) {
      setActor({ actor: c.env?.actor ?? 'control' })
      return next()
    }
    return controlToken === undefined
      ? problemDetails(403, noToken, requestIdOf(c))
      : problemDetails(401, 'The control token is missing or wrong.', requestIdOf(c))
  }

const crossSite = 'A page of another site sent this request. Open the address directly.'

const noToken =
  'Without a control token these routes are open only to requests from this machine to a loopback address, not through a proxy or with a public URL. Set a token with --control-token or SERVICEKIT_CONTROL_TOKEN.'

/** Paths of the operations that control routes may call. */
const callable = /^\/(?:(?:iam|idp|kb|logic|tools|data\/v4\/Files)\/|data\/v4\/gateway$)/

/** Route that calls an operation of the interface as an administrator of the project. */
const interfaceRoute = ({ app, services }: Control, { dispatch }: ControlParts): unknown =>
  app.all('/projects/:key/interface/*', async (c) => {
    const { method, url, headers: given } = c.req.raw
    const address = new URL(url)
    address.pathname = address.pathname.replace(/^.*?\/interface(?=\/)/, '')
    if (!callable.test(address.pathname)) return c.notFound()
    const { key } = await findProject(await services(), c.req.param('key'))
    if (!isVisibleAscii(key)) throw httpError(400, `A header cannot carry the project key ${key}.`)
    const headers = new Headers(given)
    for (const name of ['authorization', 'content-length']) headers.delete(name)
    // The cookies of a user for whom the console sends the request tell which roles the user has.
    if (!currentActor().actor.startsWith('user:')) headers.delete('cookie')
    headers.set(projectHeader, key)
    headers.set(requestIdHeader, requestIdOf(c))
    const body = method === 'GET' ? null : await readText(c.req.raw)
    return dispatch(new Request(address, { method, headers, body }), c)
  })

/**
 * PostgreSQL error codes for values that it cannot store: invalid characters, numbers out
 * of range, values too large.
 */
const valueErrors: ReadonlySet<unknown> = new Set(['22021', '22P05', '22003', '54000'])

/** Returns the message of an error that the request caused, undefined for other errors. */
function messageOf(error: Error): string | undefined {
  if (error instanceof HTTPException) return error.message
  if (error instanceof PlatformError && error.code === 'PROJECT_INVALID') return error.message
  const { code, message } = (error.cause ?? error) as { code?: unknown; message?: unknown }
  return valueErrors.has(code)
    ? `The database cannot store a value: ${String(message)}.`
    : undefined
}
