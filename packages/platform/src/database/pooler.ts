import { Client, type PoolConfig } from 'pg'
import { PlatformError } from '../errors.ts'

/** Number of attempts to receive the server connection that another client has used. */
const attempts = 5

/**
 * Refuses a connection pooler that gives each transaction any server connection, such as pgbouncer
 * with `pool_mode = transaction`: role and prepared statements belong to a connection, and requests
 * would fail with `permission denied` or `prepared statement already exists`.
 *
 * @throws PlatformError `DATABASE_INCOMPATIBLE`
 */
export async function requireOwnConnections(config: PoolConfig): Promise<void> {
  const client = await connect(config)
  try {
    const pid = await pidOf(client)
    // A pooler sends an id of its own when a client connects.
    if (pid === (client as { readonly processID?: number }).processID) return
    if (await isShared(client, pid, config)) {
      throw new PlatformError(
        'DATABASE_INCOMPATIBLE',
        'The connection pooler in front of the database shares connections between transactions.',
        {
          help: 'Use `pool_mode = session` in pgbouncer, or connect to PostgreSQL itself: each instance keeps a role and prepared statements on up to ten connections.',
        },
      )
    }
  } finally {
    await client.end()
  }
}

/** Returns whether a client loses its server connection `pid` while another one has a transaction. */
async function isShared(client: Client, pid: number, config: PoolConfig): Promise<boolean> {
  const other = await connect(config)
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      await other.query('begin')
      const pids = [await pidOf(other), await pidOf(client)]
      await other.query('rollback')
      if (pids[0] === pid || pids[1] !== pid) return true
    }
    return false
  } finally {
    await other.end()
  }
}

async function connect(config: PoolConfig): Promise<Client> {
  const client = new Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
