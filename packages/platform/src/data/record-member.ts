/** Member of a row that holds the properties that are not system fields. No field has this name. */
export const properties = '.'

/**
 * Reads a field of a record: only its own members, never inherited ones, since a field may
 * be called `constructor`. Fields that a row does not hold itself are in its properties.
 */
export function memberOf(record: unknown, name: string): unknown {
  const own = ownMember(record, name)
  return own === undefined ? ownMember(ownMember(record, properties), name) : own
}

const ownMember = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name]
    : undefined
