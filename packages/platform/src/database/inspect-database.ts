import { Client, type PoolConfig } from 'pg'
import { clockSql, measureSkew } from './clock-skew.ts'
import { migrate } from './migrate.ts'

/** State of a database before a server uses it. */
export interface DatabaseFacts {
  /** Such as `15.10`. */
  readonly version: string
  readonly pendingMigrations: readonly string[]
  /** Time in ms by which the clock of this machine is ahead of that of the database. */
  readonly clockSkewMs: number
}

/** Reads the state of a database, and writes nothing. */
export async function inspect(config: PoolConfig): Promise<DatabaseFacts> {
  const client = new Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string }>(
      "select split_part(current_setting('server_version'), ' ', 1) as version",
    )
    const { found } = await measureSkew(async () => {
      const clock = await client.query<{ ms: number }>(clockSql)
      return clock.rows[0]!.ms
    })
    return {
      version: rows[0]!.version,
      pendingMigrations: await migrate(client, { dryRun: true }),
      clockSkewMs: Math.round(found),
    }
  } finally {
    await client.end()
  }
}
