import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Client, escapeLiteral, Pool, type PoolClient, type PoolConfig } from 'pg'
import { currentActor } from './actor.ts'
import { migrate, type MigrateOptions } from './migrate.ts'
import { repeatConflicts } from './repeat-conflicts.ts'
import { prepareRole } from './role.ts'
import type { Trace } from '../options.ts'
import { inTransaction, traced } from './transaction.ts'
import { DatabaseUnavailable, isUnavailable } from './unavailable.ts'

/** Typed access to the tables that belong to no project, over one connection or a pool. */
export type Unscoped = NodePgDatabase

/** Typed access to the tables in a transaction that is limited to one project. */
export type Tables = Unscoped & {
  /** Project that statements name, besides the policies of the tables. */
  readonly projectId: number
}

export type RunStatement = (
  statement: SQL,
) => Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>

export interface ScopeOptions {
  /** Uses one snapshot and rejects writes. */
  readonly isReadOnly?: boolean
  /** Reads from the replica if there is one. The data may be older by its lag. */
  readonly mayLag?: boolean
  /** Timeout of each statement in ms; only on PostgreSQL, as PGlite cannot interrupt itself. */
  readonly statementTimeoutMs?: number
  /** Does not repeat the work after a conflict, because it also changes something else. */
  readonly hasEffects?: boolean
}

/** Database, with the same interface on PGlite and PostgreSQL. */
export interface Database {
  readonly engine: 'pglite' | 'postgresql'
  /** Returns whether too many requests wait for a connection. */
  readonly isOverloaded: () => boolean
  /** Access to tables that belong to no project. Rows of projects are invisible here. */
  readonly unscoped: Unscoped
  /**
   * Runs `work`, a read that needs no scope, on the replica if there is one. The data may be older
   * by its lag.
   */
  readonly lagging: <T>(work: (tables: Unscoped) => Promise<T>) => Promise<T>
  /**
   * Runs `work` in a transaction that can only see and write rows of one project. A transaction that
   * conflicts with another one is repeated once, so that `work` may run twice.
   */
  readonly scoped: <T>(
    projectId: number,
    work: (tables: Tables) => Promise<T>,
    options?: ScopeOptions,
  ) => Promise<T>
  /** Runs `work` in a transaction of the user that owns the tables, without a scope. */
  readonly asOwner: <T>(isSnapshot: boolean, work: (client: PoolClient) => Promise<T>) => Promise<T>
  /**
   * Receives the messages of a channel of PostgreSQL, over a connection of its own.
   *
   * @param onEnd called if the connection breaks.
   * @returns a function that ends it.
   */
  readonly subscribe?:
    | ((
        channel: string,
        onMessage: (text: string) => void,
        onEnd: () => void,
      ) => Promise<() => Promise<void>>)
    | undefined
  /** Resolves with an archive of the data directory, for the embedded database. */
  readonly dump?: (() => Promise<Uint8Array>) | undefined
  readonly close: () => Promise<void>
}

/** Transactions of one project. */
export interface Scopes {
  /** Runs `work` in a transaction that can only read rows of the project. */
  readonly snapshot: <T>(work: (tables: Tables) => Promise<T>) => Promise<T>
  /** Runs `work` in a transaction that can only see and write rows of the project. */
  readonly transaction: Scopes['snapshot']
}

export const scopesOf = ({ scoped }: Database, projectId: number): Scopes => ({
  snapshot: (work) => scoped(projectId, work, { isReadOnly: true }),
  transaction: (work) => scoped(projectId, work),
})

/** Requests that may wait for a connection: more in a burst, which ends within `burstMs`. */
const maxWaiting = 200
const maxWaitingInBurst = 1000
const burstMs = 5000

/** Time in ms for which a replica that failed is not used. */
const replicaPauseMs = 10_000

/** Engine-specific parts of a database. */
export interface EngineConfig {
  readonly engine: Database['engine']
  readonly pool: PoolConfig
  /** Maximum time of a connection and of a statement in ms, apart from migrations. */
  readonly timeoutMs?: number | undefined
  /** Returns an archive of the data directory. */
  readonly dump?: () => Promise<Uint8Array>
  /** Stops the engine, after the pool has ended. */
  readonly close?: () => Promise<void>
  /** Runs each statement of a request or job. */
  readonly trace?: Trace | undefined
  /** Name of this instance in the audit log; nothing is recorded without it. */
  readonly audit?: string | undefined
  /** Server with a copy of the database, for reads that may lag. */
  readonly replica?: PoolConfig | undefined
  /** Called while a migration waits for other sessions. */
  readonly onNotice?: PrepareOptions['onNotice']
  /** Receives an error of the replica. */
  readonly onError?: ((error: Error) => void) | undefined
}

/**
 * Migrates the database and creates the connection pool.
 *
 * @throws PlatformError `DATABASE_FAILED`, `DATABASE_INCOMPATIBLE`
 */
export async function connectDatabase(parts: EngineConfig): Promise<Database> {
  const { setRole } = await prepare(parts.pool, { onNotice: parts.onNotice })
  const { trace = (_kind, _attributes, run) => run(), audit: instance } = parts
  /** Returns the settings of a transaction, for the triggers that write the audit log. */
  const enter = (settings: Settings): string =>
    settingsSql({
      ...settings,
      ...(instance !== undefined && {
        'servicekit.audit': JSON.stringify({ ...currentActor(), instance }),
      }),
    })
  const createPool = (config: PoolConfig): Pool => {
    const pool = new Pool({
      ...config,
      ...(parts.timeoutMs !== undefined && {
        query_timeout: parts.timeoutMs,
        connectionTimeoutMillis: Math.min(parts.timeoutMs, 10_000),
      }),
      ...(setRole ? { onConnect: (client) => client.query(setRole) } : {}),
    })
    // The pool replaces a connection that breaks while idle. Without a listener, the error
    // would end the process.
    pool.on('error', () => {})
    // An error of a connection in use also rejects its query, so ignore the event.
    return pool.on('connect', (client) => client.on('error', () => {}))
  }
  const pool = createPool(parts.pool)
  const replica = parts.replica && createPool(parts.replica)
  let replicaResumesAt = 0
  let burstStartedAt = performance.now()
  /** Runs a read on the replica, or on the server while the replica fails. */
  const onReplica = <T>(run: (server: Pool) => Promise<T>): Promise<T> => {
    if (!replica || performance.now() < replicaResumesAt) return run(pool)
    return run(replica).catch((error: Error) => {
      if (!isUnavailable(error)) throw error
      replicaResumesAt = performance.now() + replicaPauseMs
      parts.onError?.(new Error(`The read replica failed: ${error.message}`))
      return run(pool)
    })
  }

  return {
    engine: parts.engine,
    isOverloaded: () => {
      const now = performance.now()
      if (pool.waitingCount === 0) burstStartedAt = now
      const limit = now - burstStartedAt < burstMs ? maxWaitingInBurst : maxWaiting
      // The embedded database has one connection, and runs on a developer's machine.
      return parts.engine === 'postgresql' && pool.waitingCount >= limit
    },
    unscoped: drizzle({ client: traced(pool, trace) }),
    lagging: (work) => onReplica((server) => work(drizzle({ client: traced(server, trace) }))),
    scoped: (projectId, work, options) => {
      const { isReadOnly = false } = options ?? {}
      const begin = isReadOnly
        ? `begin isolation level repeatable read read only; ${settingsSql(scopeOf(projectId, options))}`
        : `begin; ${enter(scopeOf(projectId, options))}`
      const run = (server: Pool) => {
        const runOnce = () =>
          inTransaction(server, trace, { begin, isReadOnly }, (tables) =>
            work(Object.assign(tables, { projectId })),
          )
        return options?.hasEffects ? runOnce() : repeatConflicts(runOnce)
      }
      return options?.mayLag ? onReplica(run) : run(pool)
    },
    asOwner: (isSnapshot, work) => {
      const mode = isSnapshot ? 'isolation level repeatable read read only' : ''
      const begin = `begin ${mode}; set local role none`
      return inTransaction(pool, trace, { begin, isReadOnly: isSnapshot }, (_tables, client) =>
        work(client),
      )
    },
    ...(parts.engine === 'postgresql' && {
      subscribe: (...given) => subscribe(parts.pool, ...given),
    }),
    dump: parts.dump,
    close: async () => {
      await Promise.all([pool.end(), replica?.end()])
      await parts.close?.()
    },
  }
}

export interface PrepareOptions extends MigrateOptions {
  /** Grants the privileges of the roles in any case. */
  readonly isRestored?: boolean
}

/**
 * Migrates the database and prepares its role; with `dryRun`, only looks for migrations. A restored
 * database has no privileges yet.
 */
export async function prepare(
  config: PoolConfig,
  { dryRun = false, isRestored = false, onNotice }: PrepareOptions = {},
) {
  const client = new Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    const pending = await migrate(client, { dryRun, onNotice })
    const hasNewTables = isRestored || pending.length > 0
    return {
      pending,
      setRole: dryRun ? undefined : await prepareRole(client, hasNewTables, onNotice),
    }
  } finally {
    await client.end()
  }
}

async function subscribe(
  config: PoolConfig,
  ...[channel, onMessage, onEnd]: Parameters<NonNullable<Database['subscribe']>>
): Promise<() => Promise<void>> {
  const client = new Client(config)
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => onMessage(payload))
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
  } catch (error) {
    await client.end().catch(() => {})
    throw new DatabaseUnavailable(error)
  }
  client.once('end', onEnd)
  return async () => {
    client.off('end', onEnd)
    await client.end()
  }
}

/** Limits the current transaction to one project, such as one that it has just created. */
export async function setScope(tables: Tables, projectId: number): Promise<void> {
  await tables.execute(sql.raw(settingsSql(scopeOf(projectId))))
  Object.assign(tables, { projectId })
}

type Settings = Readonly<Record<string, string>>

/** Returns the settings that limit a transaction to one project. */
function scopeOf(projectId: number, { statementTimeoutMs = 0 }: ScopeOptions = {}): Settings {
  if (!Number.isSafeInteger(projectId)) throw new TypeError('projectId must be an integer')
  const timeout = Math.round(statementTimeoutMs)
  return {
    'servicekit.project': String(projectId),
    ...(timeout > 0 && { statement_timeout: String(timeout) }),
  }
}

/** Returns a statement with the settings of a transaction. */
const settingsSql = (settings: Settings): string =>
  `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', ${escapeLiteral(value)}, true)`)
    .join(', ')}`
