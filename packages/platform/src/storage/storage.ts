import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Identity } from '../identity/identity.ts'
import type { ResolvedOptions } from '../options.ts'
import type { ProjectDirectory } from '../database/project-directory.ts'
import type { Backend } from './backend.ts'
import { openBackend } from './open-backend.ts'
import { probeBackend } from './inspect-storage.ts'
import type { StorageOptions } from './storage-options.ts'

/** Creates the storage from the options. Backends and their libraries are loaded on first use. */
export function storageOf(
  options: ResolvedOptions,
  projects: ProjectDirectory,
  identity: Identity,
) {
  const backends = new Map<string, Promise<Backend>>()
  let temporary: Promise<string> | undefined
  const keyOf = async (projectKey: string): Promise<string> => {
    const project = await projects.find(projectKey)
    if (!project) throw new Error('There is no such project.')
    return (await identity.secrets(project)).addressKey
  }
  const folder = (given: string | undefined): Promise<string> | string => {
    if (given !== undefined) return given
    if (options.dataDir !== undefined) return join(options.dataDir, 'files')
    if (options.databaseUrl !== undefined) {
      // Every instance on this machine that uses the same database gets the same folder.
      const id = createHash('sha256').update(options.databaseUrl).digest('hex').slice(0, 16)
      return join(tmpdir(), `servicekit-files-${id}`)
    }
    // As with in-memory data, the files are removed at the end.
    return (temporary ??= mkdtemp(join(tmpdir(), 'servicekit-files-')))
  }
  const { now, maxUploadBytes: maxBytes } = options
  const open = (one: StorageOptions): Promise<Backend> =>
    openBackend(one, async (given) => ({ folder: await folder(given), keyOf, now, maxBytes }))
  const backend = async (name: string): Promise<Backend | undefined> => {
    const one = options.storage.find((configuration) => configuration.name === name)
    if (one && !backends.has(name)) backends.set(name, open(one))
    return backends.get(name)
  }
  return {
    /** Configurations without their credentials. */
    configurations: options.storage.map(({ name, strategy }) => ({ name, strategy })),
    backend,
    /** Writes to each backend, and removes what it wrote. */
    check: async (): Promise<void> => {
      for (const { name } of options.storage) await probeBackend((await backend(name))!)
    },
    close: async () => {
      for (const opened of backends.values()) (await opened.catch(() => undefined))?.close?.()
      const path = await temporary?.catch(() => undefined)
      if (path !== undefined) await rm(path, { recursive: true, force: true })
    },
  }
}
