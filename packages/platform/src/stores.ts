import { once } from '@servicekit/core'
import type { ReadableStream } from 'node:stream/web'
import { runAs } from './database/actor.ts'
import { pendingMigrations } from './database/migrate.ts'
import { migrations } from './database/migrations/index.ts'
import { openDatabase } from './database/open-database.ts'
import type { PlatformOptions } from './options.ts'
import { resolveOptions } from './resolve-options.ts'
import { createServices } from './services.ts'
import type { StoredBytes } from './storage/backend.ts'
import { openBytes, putBytes } from './storage/bytes.ts'
import { type FileRef, objectOf } from './storage/files.ts'
import { type SettledUploads, settleUploads } from './storage/settle-uploads.ts'

/** Sends a statement with its parameters, and resolves with its rows. */
export type Query = <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>

/** File in a storage, as its record describes it. */
export interface StoredFile extends Readonly<FileRef> {
  readonly projectKey: string
}

/** Database and files of a platform, for a program that saves or restores them as a whole. */
export type Stores = Awaited<ReturnType<typeof openStores>>

/**
 * Opens the database and the storages without starting a platform. Pending migrations are applied.
 *
 * @param archive path of an archive of `dump`, which replaces the embedded database.
 * @throws PlatformError `OPTION_INVALID`, `DATABASE_IN_USE`, `DATABASE_INCOMPATIBLE`,
 * `DATABASE_FAILED`
 */
export async function openStores(given: PlatformOptions, archive?: string) {
  const options = resolveOptions(given)
  // Statements of a backup may take long.
  const { databaseTimeoutMs: _, ...unlimited } = options
  const database = await openDatabase(unlimited, archive)
  const services = createServices(options, database)
  await services.clockSkew.measure()
  const projectOf = ({ projectKey: key }: StoredFile) => ({ key })
  return {
    engine: database.engine,
    /**
     * Checks that this version can open a database.
     *
     * @param applied hashes of its migrations by id.
     * @throws PlatformError `DATABASE_INCOMPATIBLE`
     */
    requireKnown: (applied: ReadonlyMap<string, string>): void => {
      pendingMigrations(migrations, applied)
    },
    /** Runs `work` in a transaction of the owner of the tables; `snapshot` only reads. */
    transaction: <T>(mode: 'snapshot' | 'write', work: (query: Query) => Promise<T>): Promise<T> =>
      database.asOwner(mode === 'snapshot', (client) =>
        work(async (text, values = []) => (await client.query(text, [...values])).rows),
      ),
    /** Resolves with an uncompressed archive of the embedded database; undefined for PostgreSQL. */
    dump: database.dump,
    /** Looks at the bytes of a file; undefined if there are none. */
    statFile: async (file: StoredFile): Promise<StoredBytes | undefined> => {
      const backend = await services.storage.backend(file.configurationName)
      return backend?.stat(objectOf(projectOf(file), file))
    },
    /** Resolves with the bytes of a file; undefined if there are none. */
    readFile: (file: StoredFile) => openBytes(services, projectOf(file), file),
    writeFile: (file: StoredFile, bytes: ReadableStream<Uint8Array>) =>
      putBytes(services, projectOf(file), file, bytes),
    removeFile: async (file: StoredFile): Promise<void> => {
      const backend = await services.storage.backend(file.configurationName)
      await backend?.remove(objectOf(projectOf(file), file))
    },
    /** Looks for the bytes of all pending uploads, without their jobs. */
    settleUploads: (): Promise<SettledUploads> =>
      runAs({ actor: 'program', operation: 'backup' }, async () => {
        const total = { pending: 0, stored: 0 }
        for (const project of await services.projects.list()) {
          const { pending, stored } = await settleUploads(services, project)
          total.pending += pending
          total.stored += stored
        }
        return total
      }),
    storages: services.storage.configurations.map(({ name }) => name),
    /** Returns the secret that encrypts tokens in the database, if there is one. */
    secret: services.secret,
    close: once(async (): Promise<void> => {
      await services.storage.close()
      await database.close()
    }),
  }
}
