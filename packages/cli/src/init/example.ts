import type { Model } from '@servicekit/catalog'
import { specifierOf } from '@servicekit/catalog'
import type { SchemaModel } from '@servicekit/codegen'

/** Message and list that an example page shows. */
export interface ExampleContent {
  /** Import of the message: `{ PRODUCTS_HEADING } from '~uilm/catalog'`. */
  readonly message: { readonly name: string; readonly specifier: string }
  /** List query; undefined if the project has no schema with a text field. */
  readonly list:
    | {
        /** Function: `listProducts`. */
        readonly identifier: string
        /** Module of the schema, without extension: `product`. */
        readonly file: string
        /** Text field to show: `Name`. */
        readonly field: string
      }
    | undefined
}

/** Selects a message without parameters and a schema with a text field. */
export function selectContent(
  model: Model,
  schemas: readonly SchemaModel[],
): ExampleContent | undefined {
  const candidates = model.modules.flatMap((module) =>
    module.messages
      .filter(({ params, plural }) => params.length === 0 && !plural)
      .map(({ name }) => ({ name, specifier: specifierOf(module.name) })),
  )
  const wanted = schemas.flatMap(listOf).toSorted((a, b) => a.rank - b.rank)[0]
  // A heading of the list's own module, then any heading, then any message.
  const about = wanted?.identifier.replace(/^list/, '').toUpperCase()
  const message =
    candidates.find(({ name }) => about !== undefined && name === `${about}_HEADING`) ??
    candidates.find(({ name }) => /(?:HEADING|TITLE)$/i.test(name)) ??
    candidates[0]
  if (!message) return undefined
  const { rank: _, ...list } = wanted ?? { rank: 0 }
  return { message, list: 'identifier' in list ? list : undefined }
}

/** Names of fields that identify a record for people, best first. */
const nameFields = ['Name', 'Title', 'Label', 'Subject']

function listOf({ list, fields, file, kind }: SchemaModel) {
  if (!list || kind !== 'entity') return []
  const texts = fields.filter(({ type, isArray }) => type === 'String' && !isArray)
  const named = nameFields
    .map((name) => texts.find((field) => field.name === name))
    .find((field) => field !== undefined)
  const field = named ?? texts.find(({ requiredOn }) => requiredOn !== 'None')
  if (!field) return []
  const rank = (file === 'product' ? 0 : 2) + (named ? 0 : 1)
  return [{ identifier: list.identifier, file, field: field.name, rank }]
}
