import { data } from '@servicekit/contract'
import { accepted, type Control, onProject, Refused } from './control.ts'

/** Routes that define data schemas, first as drafts, and put them in force. */
export function schemaRoutes(control: Control): void {
  onProject(control, 'GET', '/schemas', async ({ services, project }) => {
    const { readSchemaDrafts } = await import('../data/draft-schemas.ts')
    return services.database.scoped(project.id, readSchemaDrafts, { isReadOnly: true })
  })
  onProject(control, 'PUT', '/schemas/:name', async ({ services, project, param, read }) => {
    const { draftSchema } = await import('../data/draft-schemas.ts')
    const definition = await read(data.DataSchema)
    if (definition.schemaName !== param('name')) {
      throw new Refused(400, 'schemaName is not the name in the address.')
    }
    const { database, options } = services
    return accepted(
      await database.scoped(project.id, (tables) =>
        draftSchema(tables, project.id, definition, options.newId()),
      ),
    )
  })
  onProject(control, 'DELETE', '/schemas/:name', async ({ services, project, param }) => {
    const { draftRemoval } = await import('../data/draft-schemas.ts')
    const isThere = await services.database.scoped(project.id, (tables) =>
      draftRemoval(tables, project.id, param('name')),
    )
    if (!isThere) throw new Refused(404, `The project has no schema ${param('name')}.`)
  })
  onProject(control, 'POST', '/schemas/publish', async ({ services, project }) => {
    const { publishSchemas } = await import('../data/draft-schemas.ts')
    return services.database.scoped(project.id, (tables) => publishSchemas(tables, project.id))
  })
  onProject(control, 'POST', '/schemas/discard', async ({ services, project }) => {
    const { discardSchemaDrafts } = await import('../data/draft-schemas.ts')
    await services.database.scoped(project.id, discardSchemaDrafts)
  })
}
