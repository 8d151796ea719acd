import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '../src/database/migrations/index.ts'
import { openDatabase } from '../src/database/open-database.ts'
import { type Built, buildPlatform } from '@servicekit/testing/build-platform'
import {
  earlierSchema,
  manyLanguages,
  rowInEveryTable,
  rowsOf,
  withDatabase,
} from '@servicekit/testing/earlier-schema'
import { onEachEngine } from '@servicekit/testing/engines'
import { isDeep } from '@servicekit/testing/is-deep'
import { randomOf } from '@servicekit/testing/random'
import { runCommand, startCommand } from '@servicekit/testing/processes'

const kills = isDeep ? 60 : 3
/** Fewer in a data folder, where each one takes some seconds. */
const folderKills = isDeep ? 20 : 3
/** Returns whether no further kill is necessary. Some kills come after the last migration. */
const isEnough = (interrupted: number) => !isDeep && interrupted > 0
const seed = Number(process.env['SERVICEKIT_SEED'] ?? 20_262)
/** Longest time in ms between the start of migrations in a data folder and a kill. */
const maxDelayMs = 100
const cwd = import.meta.dirname

const languagesOf = async (client: Client) =>
  (
    await client.query<{ sum: string }>(
      `select md5(string_agg(l::text, ',' order by item_id)) as sum from servicekit.languages l`,
    )
  ).rows[0]!.sum

/** Ids of the applied migrations; none before the first one. */
async function appliedIn(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query(`select to_regclass('servicekit.migrations') as found`)
  if (rows[0].found === null) return []
  const applied = await client.query<{ id: string }>(
    'select id from servicekit.migrations order by id',
  )
  return applied.rows.map(({ id }) => id)
}

/** Waits until a program has begun a transaction in the database, or has ended. */
async function isMigrating(client: Client, ended: Promise<unknown>): Promise<boolean> {
  const over = ended.then(() => true)
  for (;;) {
    const { rows } = await client.query(`
      select from pg_stat_activity where datname = current_database()
        and application_name = 'servicekit' and xact_start is not null and pid <> pg_backend_pid()
        and (query ilike 'begin%' or query ~* 'create |alter |insert into servicekit.migrations')`)
    if (rows.length > 0) return true
    if (await Promise.race([over, delay(1, false)])) return false
  }
}

onEachEngine((engine) => {
  it.skipIf(engine.name === 'PGlite')(
    `completes migrations that were killed up to ${kills} times, and keeps the data`,
    async () => {
      const random = randomOf(seed)
      let interrupted = 0
      for (let kill = 0; kill < kills && !isEnough(interrupted); kill++) {
        const { databaseUrl } = await engine.location()
        const client = new Client(databaseUrl)
        await client.connect()
        try {
          const isUpgrade = random.below(2) > 0
          if (isUpgrade) await client.query(earlierSchema + manyLanguages)
          const before = isUpgrade ? await languagesOf(client) : null
          const earlier = await appliedIn(client)
          const variables = { SERVICEKIT_DATABASE_URL: databaseUrl! }
          const command = startCommand(['migrate-database'], variables, cwd)
          if (await isMigrating(client, command.ended)) {
            await delay(random.below(30))
            await command.kill()
            if (command.child.signalCode !== null) interrupted++
          }

          // Each migration is applied wholly or not at all.
          const ids = migrations.map(({ id }) => id)
          const dryRun = await runCommand(['migrate-database', '--dry-run'], variables, cwd)
          const applied = await appliedIn(client)
          expect([earlier, ids]).toContainEqual(applied)
          expect(dryRun.code).toBe(isDeepStrictEqual(applied, ids) ? 0 : 1)
          const last = await runCommand(['migrate-database'], variables, cwd)
          expect([last.code, last.stderr]).toEqual([0, ''])
          expect(await appliedIn(client)).toEqual(ids)
          // A new database has no data to keep.
          expect(isUpgrade ? await languagesOf(client) : null).toBe(before)
        } finally {
          await client.end()
        }
      }
      console.log(`seed ${seed}: ${interrupted} of ${kills} migrations killed before their end`)
      expect(interrupted).toBeGreaterThan(0)
    },
    kills * 60_000,
  )
})

describe('in a data folder', () => {
  // Prints a line when the first statement of a migration is sent to the thread of PGlite.
  const program = `
    import { Worker } from 'node:worker_threads'
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (batch, ...rest) {
      if (Buffer.from(batch).includes('create schema if not exists')) console.log('migrating')
      return postMessage.call(this, batch, ...rest)
    }
    await platform.startPlatform({ dataDir: process.argv[2] })`
  let built: Built
  let folder: string
  beforeAll(async () => {
    built = await buildPlatform()
    folder = await mkdtemp(join(tmpdir(), 'servicekit-migrations-'))
  }, 60_000)
  afterAll(async () => {
    await built?.remove()
    if (folder) await rm(folder, { recursive: true })
  })

  it(
    `completes migrations that were killed up to ${folderKills} times, and keeps the data`,
    async () => {
      const random = randomOf(seed)
      const earlier = join(folder, 'earlier')
      await mkdir(earlier)
      const { translations, ...others } = await withDatabase({ dataDir: earlier }, async (run) => {
        await run(earlierSchema + manyLanguages + rowInEveryTable)
        return rowsOf(run)
      })
      let interrupted = 0
      for (let kill = 0; kill < folderKills && !isEnough(interrupted); kill++) {
        const dataDir = join(folder, 'killed')
        await cp(earlier, dataDir, { recursive: true })
        const child = await built.run(program, [dataDir])
        expect(await child.line()).toBe('migrating')
        await delay(random.below(maxDelayMs))
        child.process.kill('SIGKILL')
        await child.ended
        const killedAt = new Date().toISOString()

        await (await openDatabase({ dataDir })).close()
        await withDatabase({ dataDir }, async (run) => {
          const applied = await run(`
            select id, applied_at > '${killedAt}' as late from servicekit.migrations order by id`)
          expect(applied.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id))
          if (applied.some(({ late }) => late)) interrupted++
          expect(await rowsOf(run)).toMatchObject({ ...others, translation_jobs: translations })
        })
        await rm(dataDir, { recursive: true })
      }
      console.log(
        `seed ${seed}: ${interrupted} of ${folderKills} migrations killed before their end`,
      )
      expect(interrupted).toBeGreaterThan(0)
    },
    folderKills * 60_000,
  )
})
