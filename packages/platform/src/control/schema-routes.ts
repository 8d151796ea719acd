import { data } from '@servicekit/contract'
import {
  discardSchemaDrafts,
  type DraftParts,
  draftRemoval,
  draftSchema,
  publishSchemas,
  readSchemaDrafts,
} from '../data/draft-schemas.ts'
import type { Tables } from '../database/database.ts'
import { accepted, type Control, type ControlCall, httpError, onProject } from './control-call.ts'

/** Routes that edit drafts of data schemas and publish them. */
export function schemaRoutes(control: Control): void {
  onProject(control, 'GET /schemas', async (call) =>
    call.snapshot((tables) => readSchemaDrafts(partsOf(call, tables))),
  )
  onProject(control, 'PUT /schemas/:name', async (call) => {
    const definition = await call.read(data.DataSchema)
    if (definition.schemaName !== call.param('name')) {
      throw httpError(400, 'schemaName must be equal to the name in the URL.')
    }
    const id = call.services.options.newId()
    return accepted(
      await call.transaction((tables) => draftSchema(partsOf(call, tables), definition, id)),
    )
  })
  onProject(control, 'DELETE /schemas/:name', async (call) => {
    const name = call.param('name')
    const isKnown = await call.transaction((tables) => draftRemoval(partsOf(call, tables), name))
    if (!isKnown) throw httpError(404, `The project has no schema ${name}.`)
  })
  onProject(control, 'POST /schemas/publish', async (call) =>
    call.transaction((tables) => publishSchemas(partsOf(call, tables))),
  )
  onProject(control, 'POST /schemas/discard', ({ transaction }) => transaction(discardSchemaDrafts))
}

const partsOf = ({ project }: ControlCall, tables: Tables): DraftParts => ({
  tables,
  projectId: project.id,
})
