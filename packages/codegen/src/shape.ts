/** Whether a value is an object with members; an array is none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A string with something in it, trimmed; otherwise undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' ? undefined : text
}

/** The schemas of a listing: in `data.items`, `items`, `data`, or the value itself. */
export function itemsOf(listing: unknown): readonly unknown[] | undefined {
  if (Array.isArray(listing)) return listing
  if (!isObject(listing)) return undefined
  const { data, items } = listing
  if (Array.isArray(items)) return items
  if (Array.isArray(data)) return data
  return isObject(data) && Array.isArray(data['items']) ? data['items'] : undefined
}
