import { Client } from 'pg'
import { expect, it } from 'vitest'
import { migrations } from '../src/database/migrations/index.ts'
import { createPlatform, migrateDatabase } from '../src/index.ts'
import { earlierSchema } from './earlier-schema.ts'
import { onEachEngine } from './engines.ts'
import { get } from './projects.ts'

onEachEngine((engine) => {
  /** Runs `work` with a connection to a new database. */
  async function withDatabase(work: (client: Client, databaseUrl: string) => Promise<void>) {
    const { databaseUrl } = await engine.location()
    const client = new Client(databaseUrl)
    await client.connect()
    await work(client, databaseUrl!).finally(() => client.end())
  }

  const last = migrations.at(-1)!.id

  it.skipIf(engine.name === 'PGlite')('upgrades the previous schema with its data', async () => {
    await withDatabase(async (client, databaseUrl) => {
      await client.query(earlierSchema(migrations.length - 1))
      await client.query(`
        insert into servicekit.projects (key, name, organization_id, fallback, dialect)
        values ('P', 'Shop', 'org', 'en', '{}');
        insert into servicekit.languages (project_id, item_id, name, code, position, is_default)
        select id, 'en', 'English', 'en', 0, true from servicekit.projects where key = 'P'`)

      expect(await migrateDatabase(databaseUrl, { dryRun: true })).toEqual([last])
      const tables = `select count(*)::int from servicekit.migrations`
      expect((await client.query(tables)).rows).toEqual([{ count: migrations.length - 1 }])
      const plans = await Promise.all([migrateDatabase(databaseUrl), migrateDatabase(databaseUrl)])
      expect(plans.flat()).toEqual([last])
      expect(await migrateDatabase(databaseUrl)).toEqual([])

      await using platform = await createPlatform({ databaseUrl })
      const path = '/localization/v4/Language/Gets'
      const response = await get(platform, path, { ProjectKey: 'P' }, { key: 'P' })
      expect(await response.json()).toMatchObject([{ languageCode: 'en', languageName: 'English' }])
    })
  })

  it.skipIf(engine.name === 'PGlite')('says how to continue on a newer database', async () => {
    await withDatabase(async (client, databaseUrl) => {
      await migrateDatabase(databaseUrl)
      await client.query(`insert into servicekit.migrations (id, hash) values ('9999-later', 'x')`)
      const newer =
        /A newer version of Servicekit changed this database\.[^]*9999-later[^]*Install that version or a later one\. To go back, restore a backup/
      for (const start of [
        () => migrateDatabase(databaseUrl, { dryRun: true }),
        () => migrateDatabase(databaseUrl),
        () => createPlatform({ databaseUrl }),
      ]) {
        await expect(start()).rejects.toThrow(newer)
      }
    })
  })
})
