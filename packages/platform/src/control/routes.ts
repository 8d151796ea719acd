import { Hono } from 'hono'
import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import { json, toResponse } from '../http/answer.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { readText } from '../http/read-text.ts'
import { problem } from '../http/refusals.ts'
import type { Services } from '../services.ts'
import { eventStream } from './event-stream.ts'
import { FaultRule, type Faults } from './faults.ts'
import { guard } from './guard.ts'
import { listenerFault } from './listeners.ts'

const TextEdits = z.array(
  z.strictObject({
    language: z.string(),
    module: z.string(),
    key: z.string(),
    value: z.string().nullable(),
  }),
)

const ListenerBody = z.strictObject({
  url: z.string(),
  headerKey: z.string().optional(),
  secret: z.string().optional(),
})

/** What the control routes are made of. */
export interface ControlParts {
  /** Resolves once the projects are loaded. */
  readonly services: () => Promise<Services>
  /** Whether the database is open and the projects are loaded. */
  readonly isReady: () => boolean
  readonly faults: Faults
  readonly token: string | undefined
}

/** A request that cannot be done, with its status. */
class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Routes that the interface does not have and tests and the console need, all
 * below `/_platform/`.
 */
export function controlRoutes({ services, isReady, faults, token }: ControlParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(guard(token))
  app.onError((error, c) => {
    if (error instanceof Refused) {
      return toResponse(c.req.raw, problem(error.status, error.message, requestIdOf(c)))
    }
    if (error instanceof PlatformError && error.code === 'PROJECT_INVALID') {
      return toResponse(c.req.raw, problem(400, error.message, requestIdOf(c)))
    }
    throw error
  })
  const reply = (request: Request, value: unknown, status = 200): Response =>
    toResponse(request, json(value, status))

  app.get('/health', async (c) => {
    if (!isReady()) return reply(c.req.raw, { status: 'starting' }, 503)
    const { database } = await services()
    return reply(c.req.raw, { status: 'ok', engine: database.engine })
  })

  app.get('/projects', async (c) => {
    const { projects } = await services()
    return reply(
      c.req.raw,
      (await projects.list()).map(({ id: _, ...project }) => project),
    )
  })
  app.post('/projects', async (c) => {
    const { loadProject, readPrepared } = await import('../projects/load-project.ts')
    const { parseProject } = await import('../projects/parse-project.ts')
    const body = await readJson(
      c.req.raw,
      z.union([z.strictObject({ folder: z.string() }), z.looseObject({ projectKey: z.string() })]),
    )
    const source = 'folder' in body ? (body.folder as string) : parseProject(body)
    return reply(c.req.raw, await loadProject(await services(), await readPrepared(source)))
  })
  app.delete('/projects/:key', async (c) => {
    const { removeProject } = await import('../projects/remove-project.ts')
    const all = await services()
    await removeProject(all.database, await projectOf(all, c.req.param('key')))
    all.listeners.remove(c.req.param('key'))
    return new Response(null, { status: 204 })
  })
  app.put('/projects/:key/texts', async (c) => {
    const { editTexts } = await import('../projects/load-project.ts')
    const edits = await readJson(c.req.raw, TextEdits)
    const all = await services()
    const project = await projectOf(all, c.req.param('key'))
    return reply(c.req.raw, accepted(await editTexts(all, project, edits)))
  })
  app.delete('/projects/:key/texts', async (c) => {
    const { dropKey } = await import('../projects/load-project.ts')
    const all = await services()
    const project = await projectOf(all, c.req.param('key'))
    const { module = '', key = '' } = c.req.query()
    return reply(c.req.raw, accepted(await dropKey(all, project, module, key)))
  })
  app.get('/projects/:key/events', async (c) => {
    const all = await services()
    const project = await projectOf(all, c.req.param('key'))
    return eventStream(all.events, project.key)
  })

  app.get('/projects/:key/listeners', async (c) => {
    const all = await services()
    const project = await projectOf(all, c.req.param('key'))
    return reply(c.req.raw, all.listeners.list(project.key))
  })
  app.post('/projects/:key/listeners', async (c) => {
    const listener = await readJson(c.req.raw, ListenerBody)
    const fault = listenerFault(listener)
    if (fault) throw new Refused(400, fault)
    const all = await services()
    const project = await projectOf(all, c.req.param('key'))
    return reply(c.req.raw, all.listeners.add(project.key, listener), 201)
  })
  app.delete('/projects/:key/listeners', async (c) => {
    const all = await services()
    all.listeners.remove((await projectOf(all, c.req.param('key'))).key)
    return new Response(null, { status: 204 })
  })
  app.delete('/projects/:key/listeners/:id', async (c) => {
    const all = await services()
    const project = await projectOf(all, c.req.param('key'))
    if (!all.listeners.remove(project.key, c.req.param('id'))) {
      throw new Refused(404, 'There is no such listener.')
    }
    return new Response(null, { status: 204 })
  })

  app.get('/faults', (c) => reply(c.req.raw, faults.list()))
  app.post('/faults', async (c) =>
    reply(c.req.raw, faults.add(await readJson(c.req.raw, FaultRule)), 201),
  )
  app.delete('/faults', () => {
    faults.remove()
    return new Response(null, { status: 204 })
  })
  app.delete('/faults/:id', (c) => {
    if (!faults.remove(c.req.param('id'))) throw new Refused(404, 'There is no such rule.')
    return new Response(null, { status: 204 })
  })
  return app
}

async function projectOf({ projects }: Services, key: string) {
  const project = await projects.find(key)
  if (!project) throw new Refused(404, `There is no project ${key}.`)
  return project
}

async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.infer<S>> {
  const text = await readText(request)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refused(400, 'The body is not JSON.')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Refused(400, z.prettifyError(parsed.error))
}

function accepted<T extends object>(result: T | { readonly fault: string }): T {
  if ('fault' in result) throw new Refused(400, result.fault)
  return result
}
