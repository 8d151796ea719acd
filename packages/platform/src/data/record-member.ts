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
