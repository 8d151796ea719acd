/** A bounded map that forgets what was not asked for longest. */
export interface Lru<V> {
  readonly get: (key: string) => V | undefined
  readonly set: (key: string, value: V) => void
  readonly remove: (key: string) => void
  readonly size: () => number
}

/**
 * @param capacity most that may be kept, in units of `weigh`.
 * @param weigh size of an entry; 1 each by default, so that `capacity` counts entries.
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
      // A map keeps the order of insertion: the end is what was used last.
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
