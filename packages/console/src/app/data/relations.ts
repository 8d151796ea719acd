import { schemaReferences } from '@servicekit/core'
import type { DataSchema } from '@servicekit/client/data'

export type SchemaField = NonNullable<DataSchema['fields']>[number]

/** Field of a schema that contains ItemIds of another, or a nested object. */
export interface Relation {
  readonly from: string
  readonly field: string
  readonly to: string
  readonly isArray: boolean
  readonly isNested: boolean
}

/** Fields that the platform sets or defaults in every record. */
export const systemFields: ReadonlySet<string> = new Set([
  'ItemId',
  'CreatedDate',
  'LastUpdatedDate',
  'CreatedBy',
  'LastUpdatedBy',
  'Language',
  'OrganizationId',
  'Tags',
])

/** Names of fields that tell people which record it is, the best one first. */
const labels = /^(?:display|full)?(?:name|title|label)$/i

/** Returns the field whose value names a record; undefined if it has no text of its own. */
export function labelOf({ fields = [] }: DataSchema): string | undefined {
  const texts = (fields ?? []).filter(
    ({ name, type = '', isArray }) =>
      /^string$/i.test(type) && !isArray && !systemFields.has(name) && !name.endsWith('Id'),
  )
  return (texts.find(({ name }) => labels.test(name)) ?? texts[0])?.name
}

/** `schemaType` of a nested object. */
const nestedType = 2

export const isEntity = ({ schemaType }: DataSchema): boolean => schemaType !== nestedType

/** Returns the relations of all schemas, as generated code has them. */
export function relationsOf(schemas: readonly DataSchema[]): readonly Relation[] {
  const names = new Set(schemas.map(({ schemaName }) => schemaName))
  const entities = new Map(
    schemas.filter(isEntity).map(({ schemaName }) => [schemaName.toLowerCase(), schemaName]),
  )
  const targetOf = ({ name, type = '' }: SchemaField): string | undefined => {
    if (names.has(type)) return type
    if (!/^(?:string|id)$/i.test(type) || systemFields.has(name)) return undefined
    const found = schemaReferences(name).find((one) => entities.has(one))
    return found === undefined ? undefined : entities.get(found)
  }
  return schemas.flatMap(({ schemaName: from, fields }) =>
    (fields ?? []).flatMap((field) => {
      const to = targetOf(field)
      if (to === undefined) return []
      const isNested = names.has(field.type ?? '')
      return [{ from, field: field.name, to, isArray: field.isArray ?? false, isNested }]
    }),
  )
}
