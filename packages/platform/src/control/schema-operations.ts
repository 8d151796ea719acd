import { schemas as operations } from '@servicekit/contract/control'
import { Invalid } from '../domain-errors.ts'
import * as schemas from '../data/schemas.ts'
import { implementControl } from './control-operation.ts'

/** Operations that edit drafts of data schemas and publish them. */
export const schemaOperations = [
  implementControl(operations.list, ({ snapshot }) => snapshot(schemas.readSchemaDrafts)),
  implementControl(operations.draft, ({ services, project, path, body, transaction }) => {
    const { name } = path
    const { definition, expected } =
      'schemaName' in body ? { definition: body, expected: undefined } : body
    if (definition && definition.schemaName !== name) {
      throw new Invalid('schemaName must be equal to the name in the URL.')
    }
    const id = services.options.newId()
    return transaction((tables) =>
      schemas.draftSchema(tables, project.id, name, definition, id, expected),
    )
  }),
  implementControl(operations.remove, async ({ project, path, transaction }) => {
    await transaction((tables) => schemas.draftSchema(tables, project.id, path.name, null, ''))
  }),
  implementControl(operations.publish, ({ project, body, transaction }) =>
    transaction((tables) => schemas.publishSchemas(tables, project.id, body?.drafts)),
  ),
  implementControl(operations.discard, ({ project, body, transaction }) =>
    transaction((tables) => schemas.discardSchemaDrafts(tables, project.id, body?.drafts)),
  ),
]
