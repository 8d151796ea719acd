import type { DatabaseError, Pool } from 'pg'

/** PostgreSQL error code of a server that accepts no more connections. */
const tooManyConnections = '53300'
/** Time in ms for which a pool opens no more connections. */
const pauseMs = 10_000

/** Number of connections to a server. */
export const maxConnections = 10

/**
 * Runs work that needs a connection of the pool. If the server accepts no more of them, the work
 * waits for one that the pool has, and the pool opens no others for a while.
 */
export async function whileExhausted<T>(pool: Pool, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      const isExhausted = (error as Partial<DatabaseError>).code === tooManyConnections
      if (!isExhausted || pool.totalCount === 0) throw error
      // Some of these may still fail to connect, which lowers the number again.
      pool.options.max = pool.totalCount
      setTimeout(() => (pool.options.max = maxConnections), pauseMs).unref()
    }
  }
}
