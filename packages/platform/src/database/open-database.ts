import { PlatformError } from '../errors.ts'
import { openDataDir } from './data-dir.ts'
import type { Database, EngineParts } from './database.ts'
import { type PgliteThread, startPglite } from './pglite-thread.ts'
import { templatePath } from './template.ts'

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
export function openDatabase({ databaseUrl, dataDir }: DatabaseLocation): Promise<Database> {
  return databaseUrl === undefined ? openEmbedded(dataDir) : openServer(databaseUrl)
}

/** The driver is loaded while the thread starts, and after a server has begun to listen. */
const connect = async (parts: EngineParts): Promise<Database> =>
  (await import('./database.ts')).connectDatabase(parts)

async function openServer(connectionString: string): Promise<Database> {
  try {
    return await connect({
      engine: 'postgresql',
      pool: {
        connectionString,
        application_name: 'servicekit',
        max: 10,
        connectionTimeoutMillis: 10_000,
      },
    })
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause
    throw new PlatformError('DATABASE_FAILED', 'The database cannot be opened.', {
      cause,
      facts: { ...placeOf(connectionString), reason: reasonOf(cause) },
      help: 'Check the address (DATABASE_URL), and that PostgreSQL takes connections there.',
    })
  }
}

/** Where a database is, without who may use it. */
function placeOf(address: string): { readonly host?: string; readonly database?: string } {
  if (!URL.canParse(address)) return {}
  const { host, pathname } = new URL(address)
  return { host, database: pathname.slice(1) }
}

/** What failed; for a name with several addresses the failures are in `errors`. */
function reasonOf(cause: unknown): string {
  const { message, errors = [] } = cause as { message: string; errors?: readonly Error[] }
  return message || errors.map((one) => one.message).join(', ')
}

async function openEmbedded(dataDir: string | undefined): Promise<Database> {
  const dir = dataDir === undefined ? undefined : await openDataDir(dataDir)
  let thread: PgliteThread | undefined
  const close = async (): Promise<void> => {
    await thread?.close()
    await dir?.release()
  }
  try {
    const [engine, { PgliteSocket }] = await Promise.all([
      startPglite(dir ? { dataDir: dir.path } : { templatePath: await templatePath() }),
      import('./pglite-socket.ts'),
      import('./database.ts'),
    ])
    thread = engine
    return await connect({
      engine: 'pglite',
      pool: {
        user: 'postgres',
        database: 'postgres',
        host: 'pglite',
        stream: () => new PgliteSocket(engine),
        ssl: false,
        // PGlite is one session: the pool makes everyone else wait for it.
        max: 1,
        idleTimeoutMillis: 0,
      },
      close,
    })
  } catch (error) {
    await close()
    throw error
  }
}
