/** Bounded map that evicts the least recently used entry. */
export interface Lru<V> {
  readonly get: (key: string) => V | undefined
  readonly set: (key: string, value: V) => void
  readonly remove: (key: string) => void
  readonly size: () => number
}

/**
 * Creates a map that evicts the least recently used entries.
 *
 * @param capacity maximum total, in units of `weigh`.
 * @param weigh size of an entry; 1 by default, so that `capacity` counts entries.
 */
export function lru<V>(capacity: number, weigh: (value: V) => number = () => 1): Lru<V> {
  const entries = new Map<string, V>()
  let total = 0
  const remove = (key: string): V | undefined => {
    const value = entries.get(key)
    if (value === undefined) return undefined
    entries.delete(key)
    total -= weigh(value)
    return value
  }
  return {
    get: (key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // A map keeps insertion order, so the last entry is the most recently used.
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key, value) => {
      remove(key)
      entries.set(key, value)
      total += weigh(value)
      for (const oldest of entries.keys()) {
        if (total <= capacity || oldest === key) break
        remove(oldest)
      }
    },
    remove: (key) => void remove(key),
    size: () => entries.size,
  }
}
