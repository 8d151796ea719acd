import { connectDatabase, type Database } from './database.ts'
import { openDataDir } from './data-dir.ts'
import { PgliteSocket } from './pglite-socket.ts'
import { startPglite } from './pglite-thread.ts'
import { loadTemplate } from './template.ts'

/** Where the data is: in a PostgreSQL server, in a folder, or in memory. */
export interface DatabaseLocation {
  readonly databaseUrl?: string | undefined
  readonly dataDir?: string | undefined
}

/**
 * Opens the database: PostgreSQL where an address is given, else PGlite on a
 * folder or in memory. Both are reached through the same driver, and differ in
 * how the bytes travel and in how many connections there are.
 *
 * @throws PlatformError `DATABASE_IN_USE`, `DATABASE_INCOMPATIBLE`, `DATABASE_FAILED`
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if (location.databaseUrl !== undefined) {
    return connectDatabase({
      engine: 'postgresql',
      pool: {
        connectionString: location.databaseUrl,
        application_name: 'servicekit',
        max: 10,
        connectionTimeoutMillis: 10_000,
      },
    })
  }
  const dir = location.dataDir === undefined ? undefined : await openDataDir(location.dataDir)
  try {
    const thread = await startPglite(
      dir ? { dataDir: dir.path } : { template: await loadTemplate() },
    )
    const close = async () => {
      await thread.close()
      await dir?.release()
    }
    try {
      return await connectDatabase({
        engine: 'pglite',
        pool: {
          user: 'postgres',
          database: 'postgres',
          host: 'pglite',
          stream: () => new PgliteSocket(thread),
          ssl: false,
          // PGlite is one session: the pool makes everyone else wait for it.
          max: 1,
          idleTimeoutMillis: 0,
        },
        close,
      })
    } catch (error) {
      await thread.close()
      throw error
    }
  } catch (error) {
    await dir?.release()
    throw error
  }
}
