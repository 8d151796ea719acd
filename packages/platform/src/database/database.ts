import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { Client, type DatabaseError, Pool, type PoolConfig } from 'pg'
import { Batch } from './batch.ts'
import { DatabaseAway, isAway } from './database-away.ts'
import { migrate } from './migrate.ts'
import { prepareRole } from './role.ts'
import type { Statement, StatementResult } from './statement.ts'

/** Typed access to the tables over one connection or a pool. */
export type Tables = NodePgDatabase

/** Options of a scope's transaction. */
export interface ScopeOptions {
  /** Uses one snapshot and rejects writes. */
  readonly isReadOnly?: boolean
  /**
   * Timeout of each statement in ms; only on PostgreSQL, because PGlite cannot interrupt
   * itself.
   */
  readonly statementTimeoutMs?: number
}

/** Options of a batch of statements. */
export interface SendOptions {
  /** Uses one read-only snapshot for all statements; false by default. */
  readonly isSnapshot?: boolean
}

/** Database, with the same interface on PGlite and PostgreSQL. */
export interface Database {
  readonly engine: 'pglite' | 'postgresql'
  /** Access to tables that belong to no project. Rows of projects are invisible here. */
  readonly directory: Tables
  /** Runs `work` in a transaction that can only see and write rows of one project. */
  readonly scoped: <T>(
    projectId: number,
    work: (tables: Tables) => Promise<T>,
    options?: ScopeOptions,
  ) => Promise<T>
  /**
   * Runs `work` in the scope of the project that `identify` finds or creates in the same
   * transaction.
   */
  readonly entered: <I extends { readonly id: number }, T>(
    identify: (tables: Tables) => Promise<I>,
    work: (tables: Tables, project: I) => Promise<T>,
  ) => Promise<T>
  /**
   * Runs prepared statements in one round trip and one transaction. They see no rows of
   * projects unless one of them enters a scope, as `sendInProject` does.
   */
  readonly send: (
    statements: readonly Statement[],
    options?: SendOptions,
  ) => Promise<readonly StatementResult[]>
  readonly close: () => Promise<void>
}

/** Engine-specific parts of a database. */
export interface EngineParts {
  readonly engine: Database['engine']
  readonly pool: PoolConfig
  /** Stops the engine, after the pool has ended. */
  readonly close?: () => Promise<void>
}

/**
 * Migrates the database and creates the connection pool.
 *
 * @throws PlatformError `DATABASE_FAILED`, `DATABASE_INCOMPATIBLE`
 */
export async function connectDatabase(parts: EngineParts): Promise<Database> {
  const setRole = await prepare(parts.pool)
  const pool = new Pool({
    ...parts.pool,
    ...(setRole ? { onConnect: (client) => client.query(setRole) } : {}),
  })
  // The pool replaces a connection that breaks while idle. Without a listener, the error
  // would end the process.
  pool.on('error', () => {})
  // An error of a connection in use also rejects its query, so ignore the event.
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    engine: parts.engine,
    directory: drizzle({ client: pool }),
    scoped: (projectId, work, options) => inTransaction(pool, beginScope(projectId, options), work),
    entered: (identify, work) =>
      inTransaction(pool, 'begin', async (tables) => {
        const project = await identify(tables)
        await tables.execute(sql.raw(enterScope(project.id)))
        return work(tables, project)
      }),
    send: async (statements, { isSnapshot = false } = {}) =>
      isSnapshot
        ? (await sendBatch(pool, [beginSnapshot, ...statements, commit])).slice(1, -1)
        : sendBatch(pool, statements),
    close: async () => {
      await pool.end()
      await parts.close?.()
    },
  }
}

async function prepare(config: PoolConfig): Promise<string | undefined> {
  const client = new Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    return await prepareRole(client, await migrate(client))
  } finally {
    await client.end()
  }
}

async function inTransaction<T>(
  pool: Pool,
  begin: string,
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  const client = await clientOf(pool)
  let broken: Error | undefined
  try {
    await client.query(begin)
    const result = await work(drizzle({ client }))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => (broken = failure))
    throw broken ? new DatabaseAway(error) : error
  } finally {
    client.release(broken)
  }
}

async function clientOf(pool: Pool) {
  try {
    return await pool.connect()
  } catch (error) {
    throw new DatabaseAway(error)
  }
}

/** PostgreSQL error code for a prepared statement whose table has changed. */
const planIsOld = '0A000'

async function sendBatch(
  pool: Pool,
  statements: readonly Statement[],
  isAgain = false,
): Promise<readonly StatementResult[]> {
  const client = await clientOf(pool)
  try {
    const results = await client.query(new Batch(statements)).result
    client.release()
    return results
  } catch (error) {
    if (isAway(error)) {
      client.release(error as Error)
      throw new DatabaseAway(error)
    }
    let broken: Error | undefined
    // An explicit transaction is still open after an error.
    if (statements[0] === beginSnapshot) {
      await client.query('rollback').catch((failure: Error) => (broken = failure))
    }
    client.release(broken)
    if ((error as DatabaseError).code === planIsOld && !isAgain)
      return sendBatch(pool, statements, true)
    throw error
  }
}

const beginSnapshot: Statement = {
  text: 'begin isolation level repeatable read read only',
  values: [],
}
const commit: Statement = { text: 'commit', values: [] }

/**
 * Returns the statement that limits a transaction to one project. The integer check makes
 * interpolation safe.
 */
function enterScope(projectId: number): string {
  if (!Number.isSafeInteger(projectId)) throw new TypeError('projectId must be an integer')
  return `select set_config('servicekit.project', '${projectId}', true)`
}

/** Joins all statements, to begin a scope in one round trip. */
function beginScope(projectId: number, options: ScopeOptions = {}): string {
  const mode = options.isReadOnly ? 'isolation level repeatable read read only' : ''
  const timeout = Math.round(options.statementTimeoutMs ?? 0)
  return [
    `begin ${mode}`,
    enterScope(projectId),
    ...(timeout > 0 ? [`set local statement_timeout = ${timeout}`] : []),
  ].join('; ')
}
