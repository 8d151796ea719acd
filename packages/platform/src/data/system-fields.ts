/** @param isInsertable true if an insert may set it; the platform fills the others. */
const field = (
  name: string,
  column: string,
  isInsertable: boolean,
  type: 'String' | 'DateTime' = 'String',
  isArray = false,
) => ({ name, type, isArray, column, isInsertable })

/** Field of every entity, and the column that stores it. */
export type SystemField = Readonly<ReturnType<typeof field>>

/** System fields of every entity, in listing order. */
export const systemFields: readonly SystemField[] = [
  field('ItemId', 'item_id', true),
  field('CreatedDate', 'created_date', false, 'DateTime'),
  field('LastUpdatedDate', 'last_updated_date', false, 'DateTime'),
  field('CreatedBy', 'created_by', false),
  field('LastUpdatedBy', 'last_updated_by', false),
  field('Language', 'language', true),
  field('OrganizationId', 'organization_id', true),
  field('Tags', 'tags', true, 'String', true),
]

const byName = new Map(systemFields.map((entry) => [entry.name, entry]))

export const systemField = (name: string): SystemField | undefined => byName.get(name)

/** Row member that holds all properties other than system fields. No field has this name. */
export const properties = '.'

/**
 * Reads a field of a record. Reads only own members, because a field may be called
 * `constructor`. Falls back to the properties of the row.
 */
export function memberOf(record: unknown, name: string): unknown {
  const own = ownMember(record, name)
  return own === undefined ? ownMember(ownMember(record, properties), name) : own
}

const ownMember = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name]
    : undefined
