import { Client } from 'pg'
import { afterEach, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { get } from '@servicekit/testing/projects'

onEachEngine((engine) => {
  let platform: Platform | undefined
  afterEach(() => platform?.close())
  const status = async (at: string) => (await get(platform!, `/_platform/${at}`)).status

  const read = async () => {
    const query = { ProjectKey: 'unknown' }
    return (await get(platform!, '/uilm/v1/Language/Gets', query, { key: 'unknown' })).status
  }

  it('is ready while the database accepts writes', async () => {
    platform = await createPlatform(await engine.location())
    expect(await Promise.all([status('ready'), status('ready'), status('live')])).toEqual([
      200, 200, 200,
    ])
  })

  it('is not ready while the database rejects writes', async ({ skip }) => {
    const { databaseUrl } = await engine.location()
    if (databaseUrl === undefined) skip('an embedded database has no other clients')
    platform = await createPlatform({ databaseUrl: databaseUrl!, onError: () => {} })
    expect(await status('ready')).toBe(200)
    const other = new Client(databaseUrl)
    await other.connect()
    const name = new URL(databaseUrl!).pathname.slice(1)
    const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and pid <> pg_backend_pid()`
    try {
      await other.query(`alter database "${name}" set default_transaction_read_only = on`)
      await other.query(reconnect)
      // Connections are back, so that what follows tests writes alone.
      await expect.poll(read, { timeout: 20_000 }).toBe(401)
      await expect.poll(() => status('ready'), { timeout: 20_000 }).toBe(503)
      expect([await read(), await status('ready')]).toEqual([401, 503])
      expect(await status('live')).toBe(200)
      await other.query('set default_transaction_read_only = off')
      await other.query(`alter database "${name}" reset default_transaction_read_only`)
      await other.query(reconnect)
      await expect.poll(() => status('ready'), { timeout: 20_000 }).toBe(200)
    } finally {
      await other.end()
    }
  })
})
