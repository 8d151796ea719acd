import { createHash } from 'node:crypto'
import type { CacheStorage } from '../config/cache-storage.ts'

/** Packs of one tenant, by file name. */
export interface PackStorage {
  readonly get: (file: string) => Promise<string | undefined>
  readonly set: (file: string, source: string) => Promise<unknown>
}

/** Returns the packs of a tenant in a storage that all tenants share. */
export function packsOf(storage: CacheStorage, tenant: string): PackStorage {
  // Hashed, because storages split keys at some characters.
  const owner = createHash('sha256').update(tenant).digest('hex').slice(0, 40)
  const keyOf = (file: string): string => `uilm:pack:${owner}:${file}`
  return {
    async get(file) {
      const value = await storage.getItem(keyOf(file))
      return typeof value === 'string' && value.startsWith('=') ? value.slice(1) : undefined
    },
    // The `=` prefix prevents drivers from parsing the text as JSON.
    set: (file, source) => storage.setItem(keyOf(file), `=${source}`),
  }
}

/** Creates a storage in memory that drops the oldest entries above a size. */
export function memoryStorage(maxLength: number): CacheStorage {
  const entries = new Map<string, string>()
  let length = 0
  const remove = (key: string): void => {
    length -= entries.get(key)?.length ?? 0
    entries.delete(key)
  }
  return {
    getItem: async (key) => entries.get(key),
    async setItem(key, value) {
      remove(key)
      entries.set(key, value)
      length += value.length
      for (const oldest of entries.keys()) {
        if (length <= maxLength) return
        remove(oldest)
      }
    },
  }
}
