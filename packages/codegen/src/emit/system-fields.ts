import type { SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'

/** Fields of every entity, as declared in `GatewayRecord` of the runtime. */
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

/** Returns whether every record has this field. */
export const isSystemField = ({ name }: FieldModel): boolean => systemFields.has(name)

/** Fields that the service sets on every insert. */
export const serviceFields: ReadonlySet<string> = new Set([
  'CreatedDate',
  'LastUpdatedDate',
  'CreatedBy',
  'LastUpdatedBy',
])

/** Returns whether the shared interfaces of the runtime fully describe a field. */
function isShared(field: FieldModel): boolean {
  const type = field.isArray ? `[${field.type}]` : field.type
  return (
    systemFields.get(field.name) === type && field.description === '' && field.requiredOn === 'None'
  )
}

export interface OwnFields {
  readonly fields: readonly FieldModel[]
  /** `true` if the interfaces extend the shared ones. */
  readonly base: boolean
}

/**
 * Returns the fields of a schema's own interfaces. If the system fields have their usual
 * form, they come from shared interfaces, which reduces type-checking by a third.
 */
export function ownFields(schema: SchemaModel): OwnFields {
  const base =
    schema.kind === 'entity' &&
    schema.fields.reduce((sum, field) => sum + Number(isShared(field)), 0) === systemFields.size
  if (!base) return { fields: schema.fields, base }
  return { fields: schema.fields.filter((field) => !isSystemField(field)), base }
}
