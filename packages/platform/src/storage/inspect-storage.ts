import { Blob } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Backend, StorageSetUp } from './backend.ts'
import { writeBytes } from './bytes.ts'
import { openBackend } from './open-backend.ts'
import type { StorageOptions } from './storage-options.ts'

const probe = (name = `probe-${randomUUID()}`) => ({
  projectKey: 'servicekit-probes',
  itemId: name,
  systemName: name,
  name,
})

/** Writes a file to a backend, and removes it. @throws Error if it does not accept it. */
export async function probeBackend(backend: Backend): Promise<void> {
  const object = probe()
  await writeBytes(backend, object, new Blob(['probe']).stream(), { maxBytes: 100 })
  await backend.remove(object)
}

/** Storage that an operator checks. */
export interface InspectedStorage {
  /** Writes a file, and removes it. @throws Error if the storage does not accept it. */
  readonly write: () => Promise<void>
  /** Returns the origins whose pages the storage does not let use signed URLs. */
  readonly refusedOrigins: (origins: readonly string[]) => Promise<readonly string[]>
  /** Preparations of object storage; undefined for a folder. */
  readonly setUp: StorageSetUp | undefined
  readonly close: () => void
}

/**
 * Opens a storage without a platform.
 *
 * @param folder folder of the strategy `Local`, if the configuration has none.
 */
export async function inspectStorage(
  one: StorageOptions,
  folder: string,
): Promise<InspectedStorage> {
  const backend = await openBackend(one, (given = folder) => ({
    folder: given,
    keyOf: async () => '',
    now: () => new Date(),
    maxBytes: 100,
  }))
  return {
    write: () => probeBackend(backend),
    refusedOrigins: async (origins) => {
      if (backend.local) return []
      const { url, requiredHeaders } = await backend.signUpload(probe(), '')
      const headers = ['content-type', ...Object.keys(requiredHeaders)]
      const refused = await Promise.all(
        origins.map(async (origin) =>
          (await isAllowed(url, origin, 'PUT', headers)) &&
          (await isAllowed(url, origin, 'GET', ['range']))
            ? []
            : [origin],
        ),
      )
      return refused.flat()
    },
    setUp: backend.setUp,
    close: (): void => backend.close?.(),
  }
}

/** Sends the preflight request that a browser sends before a page uses a signed URL. */
async function isAllowed(
  url: string,
  origin: string,
  method: string,
  headers: readonly string[],
): Promise<boolean> {
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers.join(','),
    },
  })
  await response.body?.cancel()
  const allowed = response.headers.get('access-control-allow-origin')
  return response.ok && (allowed === '*' || allowed === origin)
}
