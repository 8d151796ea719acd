import { translation } from '@servicekit/contract'
import { controlPath } from '@servicekit/contract/control'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { getPath } from 'hono/utils/url'
import { limitTokenGuesses } from '../control/limit-token-guesses.ts'
import { createRequestLog, logRequests } from '../control/request-log.ts'
import { type ControlDependencies, controlRoutes } from '../control/routes.ts'
import { dataOperations } from '../data/operations.ts'
import { authOperations } from '../identity/auth-operations.ts'
import { iamOperations } from '../identity/iam-operations.ts'
import { idpOperations } from '../identity/idp-operations.ts'
import { throughInterface } from '../identity/through-interface.ts'
import { serverRoutes } from '../identity/server-routes.ts'
import { knowledgeOperations } from '../knowledge/operations.ts'
import { localizationOperations } from '../localization/operations.ts'
import { runAs } from '../database/actor.ts'
import type { ResolvedOptions } from '../options.ts'
import { objectRoutes } from '../storage/object-routes.ts'
import { storageOperations } from '../storage/operations.ts'
import { objectsPath } from '@servicekit/core/node'
import { suggestionOperations } from '../suggestions/suggest.ts'
import { toolCallback } from '../tools/callback-route.ts'
import { toolOperations } from '../tools/operations.ts'
import { webhookOperations } from '../webhooks/save-webhook.ts'
import { type AppEnv, isObjectPath, requestIdHeader, requestIdOf } from '../http/app-env.ts'
import { checkHost } from '../http/address.ts'
import { canonicalPath } from '../http/canonical-path.ts'
import { checkOrigin } from '../http/cors.ts'
import type { ImplementedOperation } from '../http/mount.ts'
import { mountOperations } from '../http/pipeline.ts'
import { apiRoutes, probes } from './public-routes.ts'
import { rateLimit } from '../http/rate-limiter.ts'
import { problemDetails, uilmError, unavailable } from '../http/responses.ts'
import { errorResponse } from './error-response.ts'
import { injectFaults } from './inject-fault.ts'

/** All operations of the platform. A test compares this list with the contract. */
export const interfaceOperations: readonly ImplementedOperation[] = [
  ...authOperations,
  ...iamOperations,
  ...idpOperations,
  ...storageOperations,
  ...localizationOperations,
  ...dataOperations,
  ...suggestionOperations,
  ...webhookOperations,
  ...toolOperations,
  ...knowledgeOperations,
]

/** HTTP application of the platform. */
interface App {
  readonly fetch: Hono<AppEnv>['fetch']
  /**
   * Handles a request with a handler of its own, between the request log and the routes: with the
   * request id, the check of the host and the error responses of the platform.
   */
  readonly handle: (
    request: Request,
    bindings: AppEnv['Bindings'] | undefined,
    handler: () => Promise<Response>,
  ) => Response | Promise<Response>
}

export function buildApp(
  options: ResolvedOptions,
  parts: Omit<ControlDependencies, 'options' | 'requestLog' | 'interfaceOperations'>,
): App {
  const app = new Hono<AppEnv>({ getPath: (request) => canonicalPath(getPath(request)) })
  const handlers = new WeakMap<Request, () => Promise<Response>>()
  app.use(async (c, next) => {
    const given = c.req.header(requestIdHeader) ?? ''
    c.set('requestId', /^[\w.:-]{1,128}$/.test(given) ? given : options.newRequestId())
    const operation = `${c.req.method} ${c.req.path.replace(/\/login\/.*/, '/login').slice(0, 200)}`
    await runAs({ actor: 'anonymous', operation, requestId: requestIdOf(c) }, next)
    c.res.headers.set(requestIdHeader, requestIdOf(c))
    // Without this, Node would add the machine's time.
    if (options.clock.isFrozen) c.res.headers.set('date', options.now().toUTCString())
  })
  const requestLog = createRequestLog()
  app.use(logRequests(requestLog, options))
  app.use(checkHost(options))
  app.use(limitTokenGuesses(options))
  app.use((c, next) => {
    const handler = handlers.get(c.req.raw)
    if (!handler) return next()
    c.set('operation', 'console')
    return handler()
  })
  app.use(checkOrigin(options, async () => (await parts.services()).projects))
  // An early refusal keeps the latency of accepted requests low.
  app.use(async (c, next) => {
    if (c.req.path.startsWith('/_platform/')) return next()
    const isRefused = (await parts.services()).database.isOverloaded()
    return isRefused ? unavailable('The platform is overloaded.', requestIdOf(c)) : next()
  })
  const limited = (kind: Parameters<typeof rateLimit>[0], perMinute: number) =>
    rateLimit(kind, perMinute, parts.services, options)
  if (options.rateLimitPerMinute !== undefined) {
    app.use(limited('requests', options.rateLimitPerMinute))
  }
  // Suggestions require only a project key, and each one may incur costs.
  app.use(translation.suggest.route.path, limited('suggestions', options.suggestionsPerMinute))
  app.use(injectFaults(parts.faults, options))
  const gzip = compress({ encoding: 'gzip' })
  app.use((c, next) => (isObjectPath(c.req.path) ? next() : gzip(c, next)))
  mountOperations(app, interfaceOperations, throughInterface(parts.services, options))
  app.route('/iam/v4/oidc/projects', serverRoutes(parts.services))
  // Before the control routes, which only accept this machine: these URLs are signed.
  app.route(objectsPath, objectRoutes(parts.services))
  toolCallback(app, parts.services)
  probes(app, parts)
  apiRoutes(app)
  app.route(controlPath, controlRoutes({ ...parts, requestLog, options, interfaceOperations }))
  app.notFound((c) =>
    /^\/(uilm|localization)\//.test(c.req.path)
      ? uilmError(404, {}, requestIdOf(c))
      : problemDetails(404, 'There is nothing at this address.', requestIdOf(c)),
  )
  app.onError((error, c) => errorResponse(error, c.req.raw.signal, requestIdOf(c), options))
  return {
    fetch: app.fetch,
    handle: (request, bindings, handler) => {
      handlers.set(request, handler)
      return app.fetch(request, bindings)
    },
  }
}
