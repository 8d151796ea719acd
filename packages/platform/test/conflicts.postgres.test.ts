import { type SQL, sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ScopeOptions, Tables } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open-database.ts'
import type { Platform } from '../src/index.ts'
import { onPostgres } from '@servicekit/testing/engines'
import { control } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

onPostgres((engine) => {
  let platform: Platform
  let other: Client
  let databaseUrl: string
  const faults: string[] = []
  beforeAll(async () => {
    databaseUrl = (await engine.location()).databaseUrl!
    other = new Client(databaseUrl)
    await other.connect()
    // Detects no deadlock itself, so that the platform's transaction is ended by it.
    await other.query(`set deadlock_timeout = '1min'`)
    // As in engines that check whether transactions are serializable.
    const name = new URL(databaseUrl).pathname.slice(1)
    await other.query(
      `alter database ${name} set default_transaction_isolation = 'repeatable read'`,
    )
    const texts = { en: { m: { A: 'a', B: 'b' } } }
    platform = await engine.open({
      databaseUrl,
      projects: [project('P', texts)],
      onError: ({ message }) => faults.push(message),
    })
  })
  afterAll(() => other?.end())

  const change = (value: string) =>
    control(platform, 'P', 'PUT', '/texts', [{ module: 'm', key: 'A', language: 'en', value }])
  /** Resolves once a statement waits for a lock. */
  const waiting = async () => {
    const find = async () => (await other.query('select from pg_locks where not granted')).rowCount
    while ((await find()) === 0) await sleep(5)
  }
  const lockTexts = `begin; select from servicekit.texts for update`
  const lockProjects = `select from servicekit.projects for no key update`

  it('repeats a change that ends a deadlock', async () => {
    await other.query(lockTexts)
    const changed = change('deadlock')
    await waiting()
    await other.query(lockProjects)
    await other.query('commit')
    expect({ status: (await changed).status, faults }).toEqual({ status: 200, faults: [] })
  })

  it('repeats a change of rows that another transaction changed meanwhile', async () => {
    await other.query('begin isolation level read committed')
    await other.query(`update servicekit.projects set name = name`)
    const changed = change('serialization')
    await waiting()
    await other.query('commit')
    expect({ status: (await changed).status, faults }).toEqual({ status: 200, faults: [] })
  })

  it('repeats a statement that conflicts with a transaction', async () => {
    const database = await openDatabase({ databaseUrl })
    await other.query('begin; update servicekit.projects set name = name')
    const update = sql`update servicekit.projects set name = name`
    // Drizzle sends a statement when it is awaited.
    const changed = database.unscoped.execute(update).then(({ rowCount }) => rowCount)
    await waiting()
    await other.query('commit')
    expect(await changed).toBeGreaterThan(0)
    await database.close()
  })

  it('runs work once more after a conflict, unless it has effects', async () => {
    const database = await openDatabase(await engine.location())
    const conflict = sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`
    const failure = sql`select 1 / 0`
    const attempts = async (statement: SQL, options?: ScopeOptions) => {
      let count = 0
      const work = async (tables: Tables) => {
        count++
        await tables.execute(statement)
      }
      await expect(database.scoped(1, work, options)).rejects.toThrow(/conflict|division/)
      return count
    }
    const counts = [
      await attempts(conflict),
      await attempts(conflict, { hasEffects: true }),
      await attempts(failure),
    ]
    await database.close()
    expect(counts).toEqual([2, 1, 1])
  })
})
