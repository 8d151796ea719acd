/**
 * Storage of a shared cache: an `unstorage` storage, or any compatible object.
 *
 * ```ts
 * cache: createStorage({ driver: redisDriver({ url, ttl: 86_400 }) })
 * ```
 */
export interface CacheStorage {
  readonly getItem: (key: string) => Promise<unknown>
  readonly setItem: (key: string, value: string) => Promise<unknown>
  /** Closes the connections. Called only for storages opened from a URL. */
  readonly dispose?: () => Promise<unknown>
}
