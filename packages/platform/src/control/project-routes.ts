import { webhooks } from '@servicekit/contract'
import { parseExactJson } from '@servicekit/core/exact-json'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { projects } from '../database/tables.ts'
import { Origin } from '../http/origin.ts'
import { completeDialect, DialectChoice } from '../projects/dialect.ts'
import { exportProject } from '../projects/export-project.ts'
import {
  importProject,
  loadProject,
  resetProject,
  removeProject,
} from '../projects/load-project.ts'
import { prepareProject } from '../projects/prepare-project.ts'
import type { Project } from '../projects/project-directory.ts'
import { settleUploads } from '../storage/settle-uploads.ts'
import { readDeliveries, replayDelivery } from '../webhooks/delivery-log.ts'
import { readWebhook, saveWebhook } from '../webhooks/save-webhook.ts'
import {
  type Control,
  type ControlCall,
  created,
  findProject,
  httpError,
  onProject,
  parseInteger,
  readFlag,
  readJson,
  requireFound,
} from './control-call.ts'
import { streamEvents } from './events.ts'

const NewProject = z.union([
  z.strictObject({ folder: z.string() }),
  z.looseObject({ projectKey: z.string() }),
])

/** Body limit for imports. A project with 50 languages and 20,000 keys is 60 MB. */
const maxImportBytes = 512 * 1024 * 1024

/** Routes that load, export, reset and remove projects, and send their events. */
export function projectRoutes(control: Control): void {
  const { app, services } = control
  app.get('/projects', async (c) => {
    const all = await (await services()).projects.list()
    return c.json(all.map(({ id: _, ...project }) => project))
  })
  app.post('/projects', async (c) => {
    const body = await readJson(c.req.raw, NewProject, {
      maxBytes: maxImportBytes,
      parse: parseExactJson,
    })
    const all = await services()
    return c.json(
      'folder' in body
        ? await loadProject(all, await prepareProject(body.folder as string))
        : await importProject(all, body),
    )
  })
  app.delete('/projects/:key', async (c) => {
    const all = await services()
    const key = c.req.param('key')
    await removeProject(all, await findProject(all, key))
    all.sources.delete(key)
    return c.body(null, 204)
  })
  onProject(control, 'GET /export', async (call) => {
    const hasSecrets = readFlag(call, 'secrets')
    // The copy must not wait for the jobs of pending uploads.
    await settleUploads(call.services, call.project)
    return exportProject(call.services, call.project, hasSecrets)
  })
  onProject(control, 'POST /reset', async ({ services: all, project }) => {
    const loaded = await resetProject(all, project)
    if (!loaded) throw httpError(409, 'This process did not load the project, so it has no source.')
    return loaded
  })
  const update = ({ project, transaction }: ControlCall, values: Partial<Project>) =>
    transaction((tables) => tables.update(projects).set(values).where(eq(projects.id, project.id)))
  onProject(control, 'PUT /origins', async (call) => {
    const origins = await call.read(z.array(Origin))
    await update(call, { origins })
    return origins
  })
  onProject(control, 'PUT /dialect', async (call) => {
    const choice = await call.read(DialectChoice)
    const dialect = completeDialect({ ...call.project.dialect, ...choice })
    await update(call, { dialect })
    return dialect
  })
  eventRoutes(control)
}

function eventRoutes(control: Control): void {
  onProject(control, 'GET /events', async ({ c, services, project }) =>
    streamEvents(c, services.events, project.key),
  )
  onProject(control, 'GET /webhook', async ({ services, project, snapshot }) => {
    const secret = await services.secret()
    return (await snapshot((tables) => readWebhook(tables, project, secret))) ?? null
  })
  onProject(control, 'PUT /webhook', async ({ services, project, read }) =>
    saveWebhook(services, project, await read(webhooks.Webhook)),
  )
  onProject(control, 'GET /deliveries', async ({ query, snapshot }) => {
    const limit = parseInteger(query['limit'], 50, 500)
    return snapshot((tables) => readDeliveries(tables, { limit, state: query['state'] }))
  })
  onProject(control, 'GET /deliveries/:id', async ({ param, snapshot }) => {
    const id = parseInteger(param('id'), 0)
    const [delivery] = await snapshot((tables) => readDeliveries(tables, { id }))
    requireFound(delivery !== undefined, 'delivery')
    return delivery
  })
  onProject(control, 'POST /deliveries/:id/replay', async (call) => {
    const { services, project, param, transaction } = call
    const id = parseInteger(param('id'), 0)
    const isReplayed = await transaction((tables) =>
      replayDelivery(tables, project.id, id, services.options.now()),
    )
    requireFound(isReplayed, 'delivery, or it is in progress')
    services.queue.wake()
    return created({ id }, 202)
  })
}
