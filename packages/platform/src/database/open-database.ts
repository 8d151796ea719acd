import type { PoolConfig } from 'pg'
import { PlatformError } from '../errors.ts'
import type { PlatformOptions } from '../options.ts'
import { openDataDir } from './data-dir.ts'
import type { Database, EngineConfig, PrepareOptions } from './database.ts'
import type { DatabaseFacts } from './inspect-database.ts'
import { maxConnections } from './exhaustion.ts'
import { startPglite } from './pglite.ts'
import { templatePath } from './database-template.ts'

type DatabaseOptions = Pick<
  PlatformOptions,
  | 'databaseUrl'
  | 'replicaUrl'
  | 'databaseTimeoutMs'
  | 'dataDir'
  | 'trace'
  | 'audit'
  | 'onError'
  | 'onLog'
  | 'onStopped'
>

/**
 * Opens the database: PostgreSQL if a URL is given, otherwise PGlite on a folder or in
 * memory. Both use the same driver.
 *
 * @param archive path of an archive that replaces the data of PGlite.
 * @throws PlatformError `DATABASE_IN_USE`, `DATABASE_INCOMPATIBLE`, `DATABASE_FAILED`
 */
export function openDatabase(options: DatabaseOptions, archive?: string): Promise<Database> {
  const { databaseUrl, replicaUrl, databaseTimeoutMs: timeoutMs, dataDir, ...others } = options
  const { trace, audit, onError, onLog } = others
  const onNotice = (message: string): void =>
    onLog?.({ event: 'notice', level: 'warn', at: new Date().toISOString(), message })
  if (databaseUrl === undefined) {
    return openEmbedded(dataDir, { trace, audit, onStopped: options.onStopped }, archive)
  }
  return onServer(databaseUrl, async (pool) => {
    const { connectDatabase } = await import('./database.ts')
    const replica = replicaUrl === undefined ? undefined : { ...pool, connectionString: replicaUrl }
    const parts = { pool, replica, timeoutMs, trace, audit, onError, onNotice }
    return connectDatabase({ engine: 'postgresql', ...parts })
  })
}

/**
 * Applies the pending migrations of a PostgreSQL database, or with `dryRun` only finds them. With
 * `isRestored`, the privileges of its roles are granted in any case.
 *
 * @returns their ids.
 * @throws PlatformError `DATABASE_FAILED`, `DATABASE_INCOMPATIBLE`
 */
export const migrateDatabase = (
  databaseUrl: string,
  options: PrepareOptions = {},
): Promise<readonly string[]> =>
  onServer(databaseUrl, async (pool) => {
    const { prepare } = await import('./database.ts')
    return (await prepare(pool, options)).pending
  })

/**
 * Connects to a PostgreSQL database, and writes nothing.
 *
 * @returns its version, the pending migrations, and by how many ms the clock of this machine is
 * ahead of its clock.
 * @throws PlatformError `DATABASE_FAILED`, `DATABASE_INCOMPATIBLE`
 */
export const inspectDatabase = (databaseUrl: string): Promise<DatabaseFacts> =>
  onServer(databaseUrl, async (pool) => (await import('./inspect-database.ts')).inspect(pool))

async function onServer<T>(
  connectionString: string,
  open: (pool: PoolConfig) => Promise<T>,
): Promise<T> {
  const pool: PoolConfig = {
    connectionString,
    application_name: 'servicekit',
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  }
  try {
    const { requireOwnConnections } = await import('./pooler.ts')
    await requireOwnConnections(pool)
    return await open(pool)
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause
    throw new PlatformError('DATABASE_FAILED', 'Cannot open the database.', {
      cause,
      details: { ...locationOf(connectionString), reason: reasonOf(cause) },
      help: 'Check DATABASE_URL, and that PostgreSQL accepts connections at this address.',
    })
  }
}

/** Returns host and database name, without credentials. */
function locationOf(address: string): { readonly host?: string; readonly database?: string } {
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

async function openEmbedded(
  folder: string | undefined,
  {
    onStopped,
    ...given
  }: Pick<EngineConfig, 'trace' | 'audit'> & Pick<DatabaseOptions, 'onStopped'>,
  archive?: string,
): Promise<Database> {
  const dataDir =
    folder === undefined ? undefined : await openDataDir(folder, archive !== undefined)
  let parts: EngineConfig | undefined
  const close = async (): Promise<void> => {
    await parts?.close?.()
    await dataDir?.release()
  }
  try {
    const isNew = dataDir?.isNew ?? true
    const template = archive ?? (isNew ? await templatePath() : undefined)
    const starting = startPglite({ dataDir: dataDir?.path, template }, onStopped)
    // Loads the driver while the thread starts.
    const loading = import('./database.ts')
    parts = await starting
    await dataDir?.setFilled()
    return await (await loading).connectDatabase({ ...parts, close, ...given })
  } catch (error) {
    await close()
    throw error
  }
}
