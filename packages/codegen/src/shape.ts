/** Returns whether a value is an object and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a trimmed string; undefined if the value is not a string or is empty. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' ? undefined : text
}

/**
 * Returns the schemas of a listing from `data.items`, `items`, `data` or the value
 * itself.
 */
export function itemsOf(listing: unknown): readonly unknown[] | undefined {
  if (Array.isArray(listing)) return listing
  if (!isObject(listing)) return undefined
  const { data, items } = listing
  if (Array.isArray(items)) return items
  if (Array.isArray(data)) return data
  return isObject(data) && Array.isArray(data['items']) ? data['items'] : undefined
}
