import { Client } from 'pg'

/** Locks a table, so that every statement that uses it waits. */
export async function lockTable(databaseUrl: string, table: string) {
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query(`begin; lock table ${table}`)
  return {
    /** Returns the number of statements of the whole server that wait. */
    waiting: async (): Promise<number | null> =>
      (await client.query('select from pg_locks where not granted')).rowCount,
    release: () => client.end(),
  }
}
