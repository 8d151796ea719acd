import { Hono } from 'hono'
import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { toResponse } from '../http/answer.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { problem } from '../http/refusals.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Services } from '../services.ts'
import { clockRoutes } from './clock-routes.ts'
import { accepted, type Control, onProject, readJson, Refused, reply } from './control.ts'
import { eventStream } from './event-stream.ts'
import { FaultRule, type Faults } from './fault-rules.ts'
import { identityRoutes } from '../identity/control-routes.ts'
import { storageRoutes } from '../storage/control-routes.ts'
import { guard } from './guard.ts'
import { keyPageRoutes } from './key-page.ts'
import { localizationRoutes } from './localization-routes.ts'
import { listenerRoutes } from './listener-routes.ts'
import type { Observer } from './observer.ts'
import { operateRoutes } from './operate-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { schemaRoutes } from './schema-routes.ts'
import { toolRoutes } from './tool-routes.ts'
import { translationRoutes } from './translation-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

const TextEdits = z.array(
  z.strictObject({
    language: z.string(),
    module: z.string(),
    key: z.string(),
    value: z.string().nullable(),
  }),
)

/** Dependencies of the control routes. */
export interface ControlParts {
  /** Resolves once the projects are loaded. */
  readonly services: () => Promise<Services>
  /** Returns true once the database is open and the projects are loaded. */
  readonly isReady: () => boolean
  readonly faults: Faults
  readonly observer: Observer
  readonly options: Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>
}

/**
 * Routes below `/_platform/` that tests and the console need. They are not part of the
 * interface.
 */
export function controlRoutes({
  services,
  isReady,
  faults,
  observer,
  options,
}: ControlParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(guard(options))
  app.onError((error, c) => {
    if (error instanceof Refused) {
      return toResponse(c.req.raw, problem(error.status, error.message, requestIdOf(c)))
    }
    if (error instanceof PlatformError && error.code === 'PROJECT_INVALID') {
      return toResponse(c.req.raw, problem(400, error.message, requestIdOf(c)))
    }
    const fault = unheldBy(error)
    if (fault) return toResponse(c.req.raw, problem(400, fault, requestIdOf(c)))
    throw error
  })
  const control: Control = { app, services }

  app.get('/health', async (c) => {
    if (!isReady()) return reply(c, { status: 'starting' }, 503)
    const { database } = await services()
    return reply(c, { status: 'ok', engine: database.engine })
  })
  projectRoutes(control)
  textRoutes(control)
  operateRoutes(control, observer)
  localizationRoutes(control)
  keyPageRoutes(control)
  translationRoutes(control)
  schemaRoutes(control)
  toolRoutes(control)
  listenerRoutes(control)
  identityRoutes(control)
  storageRoutes(control)
  webhookRoutes(control)
  clockRoutes(control)
  faultRoutes(app, faults)
  return app
}

/**
 * PostgreSQL error codes for values that it cannot store: invalid characters, numbers out
 * of range, values too large.
 */
const noRoom: ReadonlySet<unknown> = new Set(['22021', '22P05', '22003', '54000'])

/**
 * Returns an error message if the database cannot store a value, undefined for other
 * errors.
 */
function unheldBy(error: unknown): string | undefined {
  const { cause = error } = error as { cause?: unknown }
  const { code, message } = cause as { code?: unknown; message?: unknown }
  return noRoom.has(code) ? `The database cannot hold a value: ${String(message)}.` : undefined
}

function textRoutes(control: Control): void {
  onProject(control, 'PUT', '/texts', async (call) => {
    const { editTexts } = await import('../projects/load-project.ts')
    return accepted(await editTexts(call.services, call.project, await call.read(TextEdits)))
  })
  onProject(control, 'DELETE', '/texts', async ({ services: all, project, query }) => {
    const { dropKey } = await import('../projects/load-project.ts')
    const { module = '', key = '' } = query
    return accepted(await dropKey(all, project, module, key))
  })
  onProject(control, 'GET', '/events', async ({ services: all, project }) =>
    eventStream(all.events, project.key),
  )
}

function faultRoutes(app: Hono<AppEnv>, faults: Faults): void {
  app.get('/faults', (c) => reply(c, faults.list()))
  app.post('/faults', async (c) => {
    return reply(c, faults.add(await readJson(c.req.raw, FaultRule)), 201)
  })
  app.delete('/faults', () => {
    faults.remove()
    return new Response(null, { status: 204 })
  })
  app.delete('/faults/:id', (c) => {
    if (!faults.remove(c.req.param('id'))) throw new Refused(404, 'There is no such rule.')
    return new Response(null, { status: 204 })
  })
}
