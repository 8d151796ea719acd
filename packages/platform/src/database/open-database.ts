import { PlatformError } from '../errors.ts'
import { openDataDir } from './data-dir.ts'
import type { Database, EngineParts } from './database.ts'
import { type PgliteThread, startPglite } from './pglite-thread.ts'
import { templatePath } from './template.ts'

/** Location of the data: a PostgreSQL server, a folder, or memory. */
export interface DatabaseLocation {
  readonly databaseUrl?: string | undefined
  readonly dataDir?: string | undefined
}

/**
 * Opens the database: PostgreSQL if a URL is given, otherwise PGlite on a folder or in
 * memory. Both use the same driver; only the transport and the number of connections
 * differ.
 *
 * @throws PlatformError `DATABASE_IN_USE`, `DATABASE_INCOMPATIBLE`, `DATABASE_FAILED`
 */
export function openDatabase({ databaseUrl, dataDir }: DatabaseLocation): Promise<Database> {
  return databaseUrl === undefined ? openEmbedded(dataDir) : openServer(databaseUrl)
}

/**
 * Loads the driver lazily: while the PGlite thread starts, and only after the server
 * listens.
 */
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
      details: { ...placeOf(connectionString), reason: reasonOf(cause) },
      help: 'Check the address (DATABASE_URL), and that PostgreSQL takes connections there.',
    })
  }
}

/** Returns host and database name, without credentials. */
function placeOf(address: string): { readonly host?: string; readonly database?: string } {
  if (!URL.canParse(address)) return {}
  const { host, pathname } = new URL(address)
  return { host, database: pathname.slice(1) }
}

/**
 * Returns the error message. For a host with several addresses the messages are in
 * `errors`.
 */
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
        // PGlite has a single session, so the pool queues all other clients.
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
