import { data } from '@servicekit/contract'
import {
  discardSchemaDrafts,
  draftRemoval,
  draftSchema,
  publishSchemas,
  readSchemaDrafts,
} from '../data/draft-schemas.ts'
import { accepted, type Control, httpError, onProject } from './control-call.ts'

/** Routes that edit drafts of data schemas and publish them. */
export function schemaRoutes(control: Control): void {
  onProject(control, 'GET /schemas', ({ snapshot }) => snapshot(readSchemaDrafts))
  onProject(control, 'PUT /schemas/:name', async (call) => {
    const definition = await call.read(data.DataSchema)
    if (definition.schemaName !== call.param('name')) {
      throw httpError(400, 'schemaName must be equal to the name in the URL.')
    }
    const id = call.services.options.newId()
    return accepted(
      await call.transaction((tables) => draftSchema(tables, call.project.id, definition, id)),
    )
  })
  onProject(control, 'DELETE /schemas/:name', async (call) => {
    const name = call.param('name')
    const isKnown = await call.transaction((tables) => draftRemoval(tables, call.project.id, name))
    if (!isKnown) throw httpError(404, `The project has no schema ${name}.`)
  })
  onProject(control, 'POST /schemas/publish', async (call) =>
    call.transaction((tables) => publishSchemas(tables, call.project.id)),
  )
  onProject(control, 'POST /schemas/discard', ({ transaction }) => transaction(discardSchemaDrafts))
}
