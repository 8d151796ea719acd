import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type DatabaseError, Pool, type PoolClient } from 'pg'
import { Conflict } from '../domain-errors.ts'
import type { Trace } from '../options.ts'
import { whileExhausted } from './exhaustion.ts'
import { repeatConflicts } from './repeat-conflicts.ts'
import { DatabaseUnavailable, isTimeout } from './unavailable.ts'

/** PostgreSQL error code of a write on a server that is not the primary any more, or not yet. */
const readOnlyServer = '25006'
/** PostgreSQL error code of a write for which the disk has no space. */
const diskFull = '53100'
/**
 * PostgreSQL error classes of a server that shuts down, starts, accepts no more connections, has no
 * space, or is a standby.
 */
const serverErrors = /^(08|57P|53100|53300|25006)/
/** PostgreSQL error code of a row that refers to one which does not exist. */
const foreignKeyViolation = '23503'

/**
 * Runs work in a transaction.
 *
 * @throws DatabaseUnavailable if the server cannot be reached, does not respond or cannot write.
 */
export async function inTransaction<T>(
  pool: Pool,
  trace: Trace,
  { begin, isReadOnly = false }: { readonly begin: string; readonly isReadOnly?: boolean },
  work: (tables: NodePgDatabase, client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await whileExhausted(pool, () => pool.connect()).catch((error: unknown) => {
    throw new DatabaseUnavailable(error)
  })
  let broken: Error | undefined
  try {
    await client.query(begin)
    const result = await work(drizzle({ client: traced(client, trace) }), client)
    await client.query('commit')
    return result
  } catch (error) {
    // Drizzle's own message contains the parameters, which must not be logged.
    const cause = error instanceof DrizzleQueryError ? error.cause : error
    const code = (cause as Partial<DatabaseError> | undefined)?.code
    const isStandby = !isReadOnly && code === readOnlyServer
    // A server that does not respond would not respond to this either.
    if (isTimeout(error) || isStandby) broken = cause as Error
    else await client.query('rollback').catch((failure: Error) => (broken = failure))
    throw broken || code === diskFull ? new DatabaseUnavailable(cause) : cause
  } finally {
    client.release(broken)
  }
}

function isConnectionError(error: unknown): boolean {
  // Only errors of the server have a severity.
  const { severity, code = '' } = error as Partial<DatabaseError>
  return severity === undefined || serverErrors.test(code)
}

const removedMeanwhile = (): Conflict =>
  new Conflict('The project, or what this belongs to, was removed meanwhile.')

/**
 * Returns a client that runs each statement of drizzle with `trace`. Those of a pool reject with
 * `DatabaseUnavailable` if there is no connection. The text of a statement has no values.
 */
export function traced<C extends Pool | PoolClient>(client: C, trace: Trace): C {
  const query = (...parameters: Parameters<Pool['query']>) => {
    const { text = '' } = parameters[0] as { readonly text?: string }
    const name = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL'
    return trace('sql', { 'db.operation.name': name, 'db.query.text': text }, async () => {
      try {
        if (!(client instanceof Pool)) return await client.query(...parameters)
        const run = () => repeatConflicts(async () => client.query(...parameters))
        return await whileExhausted(client, run)
      } catch (error) {
        if ((error as Partial<DatabaseError>).code === foreignKeyViolation) throw removedMeanwhile()
        const isUnavailable = client instanceof Pool && isConnectionError(error)
        throw isUnavailable ? new DatabaseUnavailable(error) : error
      }
    })
  }
  return { query } as unknown as C
}
