import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { onPostgres } from '@servicekit/testing/engines'
import { appRole, backupRole, migrateDatabase } from '../src/index.ts'

onPostgres((engine) => {
  const open = async (url: string): Promise<Client> => {
    const client = new Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  /**
   * Connects to a new database as its owner, who has the name of the schema of the tables and no
   * privileges, as in the documentation.
   */
  async function connect() {
    const { databaseUrl } = await engine.location()
    const url = new URL(databaseUrl!)
    const admin = await open(url.href)
    for (const role of [appRole, backupRole, 'servicekit']) {
      const { rows } = await admin.query('select from pg_roles where rolname = $1', [role])
      if (rows.length === 0) await admin.query(`create role ${role}`)
    }
    await admin.query(`alter role servicekit login password 'password'`)
    await admin.query(`grant ${appRole}, ${backupRole} to servicekit`)
    await admin.query(`alter database "${url.pathname.slice(1)}" owner to servicekit`)
    url.username = 'servicekit'
    url.password = 'password'
    return { client: await open(url.href), url: url.href }
  }

  const schemas = async (client: Client) =>
    (
      await client.query(`select extname as name, extnamespace::regnamespace::text as schema
        from pg_extension where extname <> 'plpgsql' order by 1`)
    ).rows
  const inPublic = [
    { name: 'btree_gist', schema: 'public' },
    { name: 'pg_trgm', schema: 'public' },
  ]

  it('keeps extensions out of the schema with the name of the user', async () => {
    const { client, url } = await connect()
    await migrateDatabase(url)
    expect(await schemas(client)).toEqual(inPublic)
  })
})
