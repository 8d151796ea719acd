import type { SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'

/** The fields that every entity has, as the runtime's `GatewayRecord` holds them. */
const systemFields: ReadonlyMap<string, string> = new Map([
  ['ItemId', 'String'],
  ['CreatedDate', 'DateTime'],
  ['LastUpdatedDate', 'DateTime'],
  ['CreatedBy', 'String'],
  ['LastUpdatedBy', 'String'],
  ['Language', 'String'],
  ['OrganizationId', 'String'],
  ['Tags', '[String]'],
])

/** Set by the service on every insert. */
export const serviceFields: ReadonlySet<string> = new Set([
  'CreatedDate',
  'LastUpdatedDate',
  'CreatedBy',
  'LastUpdatedBy',
])

/** A field that the runtime's shared interfaces say just as well. */
function isShared(field: FieldModel): boolean {
  const type = field.isArray ? `[${field.type}]` : field.type
  return (
    systemFields.get(field.name) === type && field.description === '' && field.requiredOn === 'None'
  )
}

export interface OwnFields {
  readonly fields: readonly FieldModel[]
  /** Whether the interfaces extend the shared ones. */
  readonly base: boolean
}

/**
 * What a schema's own interfaces hold. Where the system fields are as usual they
 * come from shared ones, which saves the type checker a third of its work.
 */
export function ownFields(schema: SchemaModel): OwnFields {
  const base =
    schema.kind === 'entity' &&
    schema.fields.reduce((sum, field) => sum + Number(isShared(field)), 0) === systemFields.size
  if (!base) return { fields: schema.fields, base }
  return { fields: schema.fields.filter((field) => !systemFields.has(field.name)), base }
}
