import { type Operation, operations, translation } from '@servicekit/contract'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createRequestLog } from '../control/request-log.ts'
import { type ControlParts, controlRoutes } from '../control/routes.ts'
import { toolCallback } from '../control/tool-routes.ts'
import { dataOperations } from '../data/operations.ts'
import { authOperations } from '../identity/auth-operations.ts'
import { iamOperations } from '../identity/iam-operations.ts'
import { idpOperations } from '../identity/idp-operations.ts'
import { serverRoutes } from '../identity/server-routes.ts'
import { knowledgeOperations } from '../knowledge/operations.ts'
import { localizationOperations } from '../localization/operations.ts'
import type { ResolvedOptions } from '../options.ts'
import { objectRoutes } from '../storage/object-routes.ts'
import { StorageError } from '../storage/storage-error.ts'
import { storageOperations } from '../storage/operations.ts'
import { isObjectPath, objectsPath } from '../storage/signed-url.ts'
import { suggestionOperations } from '../suggestions/operations.ts'
import { toolOperations } from '../tools/operations.ts'
import { webhookOperations } from '../webhooks/operations.ts'
import { apiRoutes } from './api-routes.ts'
import { type AppEnv, requestIdHeader, requestIdOf } from './app-env.ts'
import { checkHost } from './check-host.ts'
import { checkOrigin } from './cors.ts'
import { mount, type Served } from './mount.ts'
import { logRequests } from './log-requests.ts'
import { probes } from './probes.ts'
import { rateLimit } from './rate-limiter.ts'
import { BodyTooLarge } from './read-text.ts'
import { problemDetails, tooManyRequests, TooManyRequestsError, uilmError } from './responses.ts'
import { DroppedConnection, injectFaults } from './inject-fault.ts'

/** All operations of the platform. A test compares this list with the contract. */
export const served: readonly Served[] = [
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

/** Creates the application: middleware, then operations. */
export function buildApp(
  options: ResolvedOptions,
  parts: Omit<ControlParts, 'options' | 'requestLog'>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    const given = c.req.header(requestIdHeader) ?? ''
    c.set('requestId', /^[\w.:-]{1,128}$/.test(given) ? given : options.newRequestId())
    await next()
    c.res.headers.set(requestIdHeader, requestIdOf(c))
    // Without this, Node would add the machine's time.
    if (options.clock.isFrozen) c.res.headers.set('date', options.now().toUTCString())
  })
  const requestLog = createRequestLog()
  app.use(logRequests(requestLog, options))
  app.use(checkHost(options))
  app.use(checkOrigin(options, async () => (await parts.services()).projects))
  const limited = (kind: string, perMinute: number) =>
    rateLimit(kind, perMinute, parts.services, options)
  if (options.rateLimitPerMinute !== undefined) {
    app.use(limited('requests', options.rateLimitPerMinute))
  }
  // Suggestions require only a project key, and each one may incur costs.
  app.use(translation.suggest.route.path, limited('suggestions', options.suggestionsPerMinute))
  app.use(injectFaults(parts.faults, options))
  const gzip = compress({ encoding: 'gzip' })
  app.use((c, next) => (isObjectPath(c.req.path) ? next() : gzip(c, next)))
  mount(app, parts.services, served)
  app.route('/iam/v4/oidc/projects', serverRoutes(parts.services))
  // Mount before the control routes, which only accept this machine: these URLs are
  // signed.
  app.route(objectsPath, objectRoutes(parts.services))
  toolCallback(app, parts.services)
  probes(app, parts)
  apiRoutes(app)
  app.route('/_platform', controlRoutes({ ...parts, requestLog, options }))
  app.notFound((c) => notFound(c.req.path, c.req.method, requestIdOf(c)))
  app.onError((error, c) => {
    if (error instanceof DroppedConnection) throw error
    const requestId = requestIdOf(c)
    if (error instanceof TooManyRequestsError) return tooManyRequests(error, options)
    if (error instanceof BodyTooLarge) return problemDetails(413, error.message, requestId)
    options.onError(error)
    if (error instanceof StorageError) return unavailable(error.status, error.message, requestId)
    return isDatabaseUnavailable(error)
      ? unavailable(503, 'The database is not available.', requestId)
      : problemDetails(500, 'The request failed.', requestId)
  })
  return app
}

function unavailable(status: number, title: string, requestId: string): Response {
  const response = problemDetails(status, title, requestId)
  if (status === 503) response.headers.set('retry-after', '1')
  return response
}

/** Returns true if the database could not be reached; its driver is loaded later. */
const isDatabaseUnavailable = ({ name, cause }: Error): boolean =>
  name === 'DatabaseUnavailable' || (cause instanceof Error && isDatabaseUnavailable(cause))

/** Returns true if a path matches a route, whose segments in braces match any value. */
function isAt(route: string, path: string): boolean {
  const wanted = route.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, index) =>
      part.startsWith('{') ? given[index] !== '' : part === given[index],
    )
  )
}

/**
 * Creates the 404 response in the format of the path's route family; 405 if the path
 * exists with another method.
 */
function notFound(path: string, method: string, requestId: string): Response {
  const routes = operations.filter(({ route }: Operation) => isAt(route.path, path))
  if (routes.length > 0) {
    const response = problemDetails(405, `${method} is not allowed here.`, requestId)
    response.headers.set('allow', routes.map(({ route }) => route.method).join(', '))
    return response
  }
  return /^\/(uilm|localization)\//.test(path)
    ? uilmError(404, {}, requestId)
    : problemDetails(404, 'There is nothing at this address.', requestId)
}
