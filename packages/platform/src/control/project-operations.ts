import { eq } from 'drizzle-orm'
import { completeDialect, projects as operations } from '@servicekit/contract/control'
import { Conflict } from '../domain-errors.ts'
import { compressedJson } from '../http/responses.ts'
import {
  importProject,
  loadProject,
  removeProject,
  resetProject,
} from '../projects/load-project.ts'
import { prepareProject } from '../projects/prepare-project.ts'
import { updateProject } from '../database/project-directory.ts'
import { projects } from '../database/tables.ts'
import { settleUploads } from '../storage/settle-uploads.ts'
import { implementControl } from './control-operation.ts'
import { streamEvents } from './stream-events.ts'

/** Operations that load, export, reset and remove projects, and send their events. */
export const projectOperations = [
  implementControl(operations.list, async ({ services }) => {
    const all = await (await services()).projects.list()
    return all.map(({ id: _id, secretsVersion: _version, ...project }) => project)
  }),
  implementControl(
    operations.load,
    async ({ services, body }) => {
      const all = await services()
      return 'folder' in body && typeof body.folder === 'string'
        ? loadProject(all, await prepareProject(body.folder))
        : importProject(all, body)
    },
    { maxBytes: operations.maxImportBytes, isExact: true },
  ),
  implementControl(operations.remove, async ({ services, project }) => {
    await removeProject(services, project)
    services.sources.delete(project.key)
  }),
  implementControl(operations.exportProject, async ({ c, services, project, query }) => {
    // The copy must not wait for the jobs of pending uploads.
    await settleUploads(services, project)
    const gzip = await services.exportProject(project, query.secrets === 'true')
    return compressedJson(c.req.raw, gzip)
  }),
  implementControl(operations.reset, async ({ services, project }) => {
    const loaded = await resetProject(services, project)
    if (!loaded) throw new Conflict('This process did not load the project, so it has no source.')
    return loaded
  }),
  implementControl(operations.setOrigins, async ({ project, body: origins, transaction }) => {
    await transaction((tables) => updateProject(tables, project, { origins }))
    return origins
  }),
  implementControl(operations.setDialect, ({ project, body, locked }) =>
    locked(async (tables) => {
      // Another request may have changed other members since this one found the project.
      const isProject = eq(projects.id, project.id)
      const [current] = await tables.select().from(projects).where(isProject)
      const dialect = completeDialect({ ...current?.dialect, ...body })
      await updateProject(tables, project, { dialect })
      return dialect
    }),
  ),
  implementControl(operations.streamEvents, ({ c, services, project }) =>
    streamEvents(c, services.events, project.key),
  ),
]
