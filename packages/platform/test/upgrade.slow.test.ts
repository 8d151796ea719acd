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
  withDatabase,
} from '@servicekit/testing/earlier-schema'
import { onEachEngine } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { get } from '@servicekit/testing/projects'
import { control } from './control-client.ts'

onEachEngine((engine) => {
  /** Runs `work` with a connection to a new database. */
  async function withServer(work: (client: Client, databaseUrl: string) => Promise<void>) {
    const { databaseUrl } = await engine.location()
    const client = new Client(databaseUrl)
    await client.connect()
    await work(client, databaseUrl!).finally(() => client.end())
  }

  const last = migrations.at(-1)!.id

  const earlier = migrations.slice(0, -1).map(({ id }, index) => [id, index + 1] as const)
  // An upgrade from the first version applies all migrations; in a data folder it takes seconds.
  const isQuick = engine.name === 'PostgreSQL' || isDeep
  it.each(isQuick ? earlier : earlier.slice(0, 1))(
    'keeps the rows of every table in an upgrade from %s',
    async (_, count) => {
      const folder = await mkdtemp(join(tmpdir(), 'servicekit-upgrade-'))
      const location = engine.name === 'PGlite' ? { dataDir: folder } : await engine.location()
      try {
        const before = await withDatabase(location, async (run) => {
          await run(earlierSchema(count) + manyLanguages + rowInEveryTable)
          return rowsOf(run)
        })
        await (await openDatabase(location)).close()
        await withDatabase(location, async (run) => {
          const applied = await run('select id from servicekit.migrations order by id')
          expect(applied).toEqual(migrations.map(({ id }) => ({ id })))
          // Later versions add tables and columns.
          expect(await rowsOf(run)).toMatchObject(before)
          expect(before).toMatchObject({ users: [{ email: 'email' }], records: [{}], mails: [{}] })
        })

        await using platform = await createPlatform(location)
        const path = '/localization/v4/Language/Gets'
        const response = await get(platform, path, { ProjectKey: 'P' }, { key: 'P' })
        // Without the row of rowInEveryTable, which is a draft.
        expect(await response.json()).toHaveLength(1000)
      } finally {
        await rm(folder, { recursive: true })
      }
    },
    60_000,
  )

  it('gives the translations of an earlier version states', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'servicekit-upgrade-'))
    const location = engine.name === 'PGlite' ? { dataDir: folder } : await engine.location()
    const before = migrations.findIndex(({ id }) => id === '0013-translation-states')
    try {
      await withDatabase(location, async (run) => {
        await run(`${earlierSchema(before)}
          insert into servicekit.projects (key, name, organization_id, fallback, dialect)
          values ('P', 'Shop', 'org', 'en', '{}');
          insert into servicekit.languages (project_id, item_id, name, code, position, is_default)
          select p.id, code, code, code, n, n = 1 from servicekit.projects p,
            (values (1, 'en'), (2, 'de')) l (n, code) where p.key = 'P';
          insert into servicekit.modules (project_id, item_id, name, position)
          select id, 'm', 'm', 1 from servicekit.projects where key = 'P';
          insert into servicekit.keys (project_id, module_id, key)
          select project_id, id, 'A' from servicekit.modules;
          insert into servicekit.texts (project_id, module_id, language_id, key_id, value)
          select l.project_id, k.module_id, l.id, k.id, 'A in ' || l.code
          from servicekit.languages l join servicekit.keys k on k.project_id = l.project_id`)
        return []
      })
      await using platform = await createPlatform(location)
      const on = async (method: string, path: string, body?: object) =>
        (await control(platform, method, `/projects/P${path}`, body)).body
      const text = { module: 'm', key: 'A', language: 'de' }
      expect(await on('GET', '/keys')).toMatchObject({ items: [{ states: {} }] })
      const review = { ...text, expected: 'A in de', source: 'A in en', state: 'reviewed' }
      expect(await on('PUT', '/states', [review])).toEqual({ changed: 1 })
      expect(
        await on('PUT', '/drafts', [{ ...text, language: 'en', value: 'Another' }]),
      ).toMatchObject({ states: [{ states: { de: 'needsReview' } }] })
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 60_000)

  it.skipIf(engine.name === 'PGlite')('upgrades the previous schema with its data', async () => {
    await withServer(async (client, databaseUrl) => {
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

  it.skipIf(engine.name === 'PGlite')(
    'lets requests proceed while a backup delays a migration, and says so',
    async () => {
      await withServer(async (client, databaseUrl) => {
        await client.query(earlierSchema(3))
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
            'Migration 0004-audit waits for other sessions that use its tables, such as a backup. It is repeated after 2 s.',
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
