import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { migrations } from '../src/database/migrations/index.ts'
import { openDatabase } from '../src/database/open-database.ts'
import { createPlatform, migrateDatabase } from '../src/index.ts'
import {
  earlierSchema,
  manyLanguages,
  rowInEveryTable,
  rowsOf,
  schemaOf,
  withDatabase,
} from '@servicekit/testing/earlier-schema'
import { onEachEngine } from '@servicekit/testing/engines'
import { get } from '@servicekit/testing/projects'

onEachEngine((engine) => {
  /** Runs `work` with a connection to a new database. */
  async function withServer(work: (client: Client, databaseUrl: string) => Promise<void>) {
    const { databaseUrl } = await engine.location()
    const client = new Client(databaseUrl)
    await client.connect()
    await work(client, databaseUrl!).finally(() => client.end())
  }

  const ids = migrations.map(({ id }) => id)
  const last = ids.at(-1)!

  it('keeps the rows of every table in an upgrade', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-upgrade-'))
    const location = engine.name === 'PGlite' ? { dataDir: folder } : await engine.location()
    try {
      const before = await withDatabase(location, async (run) => {
        await run(earlierSchema + manyLanguages + rowInEveryTable)
        return rowsOf(run)
      })
      await (await openDatabase(location)).close()
      await withDatabase(location, async (run) => {
        const applied = await run('select id from servicekit.migrations order by id')
        expect(applied).toEqual(ids.map((id) => ({ id })))
        // Later versions add tables and columns.
        const { translations, ...others } = before
        expect(await rowsOf(run)).toMatchObject({ ...others, translation_jobs: translations })
        expect(before).toMatchObject({ users: [{ email: 'email' }], records: [{}], mails: [{}] })
        // The search finds a question by its words.
        expect(await run('select word from servicekit.question_words')).not.toEqual([])
      })

      await using platform = await createPlatform(location)
      const path = '/localization/v4/Language/Gets'
      const response = await get(platform, path, { ProjectKey: 'P' }, { key: 'P' })
      // Without the row of rowInEveryTable, which is a draft.
      expect(await response.json()).toHaveLength(1000)
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 60_000)

  it('gives an upgraded database the tables of a new one', async () => {
    const folders = [0, 1].map(() => mkdtemp(join(tmpdir(), 'servicekit-upgrade-')))
    const [upgraded, created] = await Promise.all(
      folders.map(async (folder) =>
        engine.name === 'PGlite' ? { dataDir: await folder } : engine.location(),
      ),
    )
    try {
      await withDatabase(upgraded!, (run) => run(`${earlierSchema}; select`))
      await (await openDatabase(upgraded!)).close()
      await (await openDatabase(created!)).close()
      const expected = await withDatabase(created!, schemaOf)
      expect(await withDatabase(upgraded!, schemaOf)).toEqual(expected)
      expect(expected.length).toBeGreaterThan(500)
    } finally {
      for (const folder of folders) await rm(await folder, { recursive: true })
    }
  }, 60_000)

  it('removes what an earlier version left behind without its project or delivery', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-upgrade-'))
    const location = engine.name === 'PGlite' ? { dataDir: folder } : await engine.location()
    try {
      await withDatabase(location, (run) =>
        run(`${earlierSchema}${manyLanguages}
          insert into servicekit.deliveries (project_id, message_id, kind, body, created_at)
          select id, 'm', 'k', '', now() from servicekit.projects where key = 'P';
          insert into servicekit.attempts (project_id, delivery_id, made_at, url, duration_ms)
          select project_id, id + n, now(), '', 1
          from servicekit.deliveries, generate_series(0, 1) n;
          insert into servicekit.secrets (project_id, name, value) values (99, 's', '{}');
          insert into servicekit.jobs (kind, for_project, subject, run_at)
          values ('mail', 99, 1, now());
          select`),
      )
      await (await openDatabase(location)).close()
      await withDatabase(location, async (run) => {
        expect(await run('select count(*)::int from servicekit.attempts')).toEqual([{ count: 1 }])
        expect(await run('select from servicekit.secrets')).toEqual([])
        expect(await run('select from servicekit.jobs')).toEqual([])
        return []
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 60_000)

  it('names the way from a database that an earlier migration was the last of', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-upgrade-'))
    const location = engine.name === 'PGlite' ? { dataDir: folder } : await engine.location()
    try {
      await withDatabase(location, (run) =>
        run(`${earlierSchema}; delete from servicekit.migrations where id > '0012'; select`),
      )
      await expect(openDatabase(location)).rejects.toThrow(
        /before the first release[^]*0011-publish-reason[^]*servicekit export[^]*servicekit import/,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 60_000)

  it.skipIf(engine.name === 'PGlite')('upgrades the previous schema with its data', async () => {
    await withServer(async (client, databaseUrl) => {
      await client.query(earlierSchema)
      await client.query(`
        insert into servicekit.projects (key, name, organization_id, fallback, dialect)
        values ('P', 'Shop', 'org', 'en', '{}');
        insert into servicekit.languages (project_id, item_id, name, code, position, is_default)
        select id, 'en', 'English', 'en', 0, true from servicekit.projects where key = 'P'`)

      expect(await migrateDatabase(databaseUrl, { dryRun: true })).toEqual(ids)
      const tables = `select count(*)::int from servicekit.migrations`
      expect((await client.query(tables)).rows).toEqual([{ count: 13 }])
      const plans = await Promise.all([migrateDatabase(databaseUrl), migrateDatabase(databaseUrl)])
      expect(plans.flat()).toEqual(ids)
      expect(await migrateDatabase(databaseUrl)).toEqual([])

      await using platform = await createPlatform({ databaseUrl })
      const path = '/localization/v4/Language/Gets'
      const response = await get(platform, path, { ProjectKey: 'P' }, { key: 'P' })
      expect(await response.json()).toMatchObject([{ languageCode: 'en', languageName: 'English' }])
    })
  })

  it.skipIf(engine.name === 'PGlite')(
    'lets requests proceed while a backup delays a migration, and says so',
    async () => {
      await withServer(async (client, databaseUrl) => {
        await client.query(earlierSchema)
        const backup = new Client(databaseUrl)
        await backup.connect()
        await backup.query('begin; lock table servicekit.clients in access share mode')
        const notices: string[] = []
        const migrating = migrateDatabase(databaseUrl, {
          onNotice: (message) => notices.push(message),
        })
        const isWaiting = async () =>
          (await client.query('select from pg_locks where not granted')).rowCount! > 0
        await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true)
        // Behind a migration that waits for the end of the backup, it would wait as well.
        await client.query(`set statement_timeout = '10s'`)
        await client.query('select from servicekit.clients')
        await expect
          .poll(() => notices, { timeout: 10_000 })
          .toContain(
            'Migration 0001-initial waits for other sessions that use its tables, such as a backup. It is repeated after 2 s.',
          )
        await backup.end()
        expect(await migrating).toContain(last)
      })
    },
    30_000,
  )

  it.skipIf(engine.name === 'PGlite')('explains how to continue on a newer database', async () => {
    await withServer(async (client, databaseUrl) => {
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
