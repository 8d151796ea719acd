import { data } from '@servicekit/contract'
import type { DraftParts } from '../data/draft-schemas.ts'
import type { ScopeOptions } from '../database/database.ts'
import { accepted, type Control, onProject, type ProjectCall, Refused } from './control.ts'

/** Routes that edit drafts of data schemas and publish them. */
export function schemaRoutes(control: Control): void {
  onProject(control, 'GET', '/schemas', async (call) => {
    const { readSchemaDrafts } = await import('../data/draft-schemas.ts')
    return within(call, readSchemaDrafts, { isReadOnly: true })
  })
  onProject(control, 'PUT', '/schemas/:name', async (call) => {
    const { draftSchema } = await import('../data/draft-schemas.ts')
    const definition = await call.read(data.DataSchema)
    if (definition.schemaName !== call.param('name')) {
      throw new Refused(400, 'schemaName is not the name in the address.')
    }
    const id = call.services.options.newId()
    return accepted(await within(call, (parts) => draftSchema(parts, definition, id)))
  })
  onProject(control, 'DELETE', '/schemas/:name', async (call) => {
    const { draftRemoval } = await import('../data/draft-schemas.ts')
    const name = call.param('name')
    const isThere = await within(call, (parts) => draftRemoval(parts, name))
    if (!isThere) throw new Refused(404, `The project has no schema ${name}.`)
  })
  onProject(control, 'POST', '/schemas/publish', async (call) => {
    const { publishSchemas } = await import('../data/draft-schemas.ts')
    return within(call, publishSchemas)
  })
  onProject(control, 'POST', '/schemas/discard', async ({ services, project }) => {
    const { discardSchemaDrafts } = await import('../data/draft-schemas.ts')
    await services.database.scoped(project.id, discardSchemaDrafts)
  })
}

const within = <T>(
  { services: { database, definitions }, project }: Pick<ProjectCall, 'services' | 'project'>,
  work: (parts: DraftParts) => Promise<T>,
  options?: ScopeOptions,
): Promise<T> =>
  database.scoped(
    project.id,
    (tables) => work({ tables, projectId: project.id, definitions }),
    options,
  )
