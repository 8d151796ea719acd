import { eq } from 'drizzle-orm'
import { z } from 'zod'
import {
  booleanOf,
  type Control,
  onProject,
  projectOf,
  readJson,
  Refused,
  reply,
} from './control.ts'

const NewProject = z.union([
  z.strictObject({ folder: z.string() }),
  z.looseObject({ projectKey: z.string() }),
])

/** Body limit for imports. A project with 50 languages and 20,000 keys is 60 MB. */
const maxImportBytes = 512 * 1024 * 1024

/** Routes that load, export, reset and remove projects. */
export function projectRoutes(control: Control): void {
  const { app, services } = control
  app.get('/projects', async (c) => {
    const { projects } = await services()
    return reply(
      c,
      (await projects.list()).map(({ id: _, ...project }) => project),
    )
  })
  app.post('/projects', async (c) => {
    const { loadProject, readPrepared } = await import('../projects/load-project.ts')
    const { importProject } = await import('../projects/import-project.ts')
    const body = await readJson(c.req.raw, NewProject, maxImportBytes)
    const all = await services()
    const loaded =
      'folder' in body
        ? await loadProject(all, await readPrepared(body.folder as string))
        : await importProject(all, body)
    return reply(c, loaded)
  })
  app.delete('/projects/:key', async (c) => {
    const { dropProject } = await import('../projects/drop-project.ts')
    const all = await services()
    await dropProject(all, await projectOf(all, c.req.param('key')))
    all.listeners.remove(c.req.param('key'))
    all.sources.delete(c.req.param('key'))
    return new Response(null, { status: 204 })
  })
  onProject(control, 'GET', '/export', async (call) => {
    const { services: all, project } = call
    const hasSecrets = booleanOf(call, 'secrets')
    const { exportProject } = await import('../projects/export-project.ts')
    const { settle } = await import('../storage/operations.ts')
    await settle(all, project)
    return exportProject(all, project, hasSecrets)
  })
  onProject(control, 'POST', '/reset', async ({ services: all, project }) => {
    const { resetProject } = await import('../projects/reset-project.ts')
    const loaded = await resetProject(all, project)
    if (!loaded) throw new Refused(409, 'The project was not loaded since the start.')
    return loaded
  })
  onProject(control, 'PUT', '/origins', async ({ services: { database }, project, read }) => {
    const { Origins } = await import('../http/origin.ts')
    const { projects } = await import('../database/tables.ts')
    const origins = await read(Origins)
    await database.scoped(project.id, (tables) =>
      tables.update(projects).set({ origins }).where(eq(projects.id, project.id)),
    )
    return origins
  })
  onProject(control, 'PUT', '/dialect', async ({ services: all, project, read }) => {
    const { changeDialect } = await import('../projects/change-dialect.ts')
    const { DialectChoice } = await import('../projects/dialect.ts')
    return changeDialect(all.database, project, await read(DialectChoice))
  })
}
