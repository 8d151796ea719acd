import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { machineToken } from '@servicekit/testing/administrator'
import { control } from './control-client.ts'
import { onPostgres } from '@servicekit/testing/engines'
import { control as ofProject, people, signIn } from '@servicekit/testing/people'
import { lockTable } from '@servicekit/testing/lock-table'
import { get, project } from '@servicekit/testing/projects'
import { type Receiver, receiver } from '@servicekit/testing/receiver'
import { startTcpProxy, type TcpProxy } from '@servicekit/testing/tcp-proxy'

const schemas = [
  { schemaName: 'Note', schemaType: 1, querySchema: 'Notes', fields: [{ name: 'A', type: 'Int' }] },
]

onPostgres((engine) => {
  let directUrl: string
  let proxy: TcpProxy
  let hooks: Receiver
  let platform: Platform
  let authorization: string
  const faults: string[] = []
  beforeAll(async () => {
    directUrl = (await engine.location()).databaseUrl!
    const address = new URL(directUrl)
    proxy = await startTcpProxy(Number(address.port))
    address.port = String(proxy.port)
    hooks = await receiver()
    platform = await createPlatform({
      databaseUrl: address.href,
      // A busy machine responds within this time, the default is ten times as long.
      databaseTimeoutMs: 2000,
      outgoing: ['loopback'],
      webhooks: { retryDelaysMs: [1000, 1000], timeoutMs: 1000 },
      onError: (fault) => faults.push(fault.message),
    })
    await platform.loadProject(project('P', { en: { m: { A: '1' } } }, { schemas }))
    await ofProject(platform, 'P', 'PUT', '/identity', people)
    authorization = `Bearer ${await machineToken(platform, 'P')}`
  }, 60_000)
  afterAll(async () => {
    await platform?.close()
    await proxy?.close()
    await hooks?.close()
  })
  const ready = async () => (await get(platform, '/_platform/ready')).status
  const gateway = (query: string) =>
    platform.fetch(
      new Request('http://platform.local/data/v4/gateway', {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify({ query }),
      }),
    )
  const insert = () => gateway('mutation { insertNote(input: {A: 1}) { acknowledged } }')
  const list = () => gateway('{ Notes { totalCount items { A } } }')
  const token = () =>
    platform.fetch(
      new Request('http://platform.local/iam/v4/oidc/token', {
        method: 'POST',
        headers: {
          'x-service-key': 'P',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: 'test-admin',
          client_secret: 'the secret of the administrator',
          org_id: 'default',
        }).toString(),
      }),
    )
  const users = () =>
    platform.fetch(
      new Request('http://platform.local/idp/v1/Iam/GetUsers', {
        method: 'POST',
        headers: { 'x-service-key': 'P', authorization },
        body: '{}',
      }),
    )

  it('responds with 503 while the database is unavailable, and recovers', async () => {
    expect(await ready()).toBe(200)
    await control(platform, 'PUT', '/projects/P/webhook', {
      url: hooks.address,
      contentType: 'application/json',
      isDisabled: false,
      projectKey: 'P',
    })
    // Some of these requests are in flight when the connections break.
    const during = [...Array(20).keys()].flatMap(() => [insert(), list(), users()])
    await Promise.race(during)
    proxy.cut()
    for (const response of await Promise.all(during)) {
      expect([200, 503]).toContain(response.status)
      expect(await response.text()).not.toContain('"errors":[')
    }

    expect(await ready()).toBe(503)
    for (const response of [
      await users(),
      await insert(),
      await list(),
      await get(platform, '/iam/v4/iam/me', {}, { key: 'P' }),
    ]) {
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('1')
      expect(response.headers.get('content-type')).toContain('application/problem+json')
    }
    const language = { Language: 'en', ModuleName: 'm', ProjectKey: 'P' }
    expect((await get(platform, '/uilm/v1/Key/GetUilmFile', language, { key: 'P' })).status).toBe(
      503,
    )

    proxy.restore()
    await expect.poll(ready, { timeout: 20_000 }).toBe(200)
    expect((await users()).status).toBe(200)
    expect((await insert()).status).toBe(200)
    expect((await signIn(platform, 'P')).callback.status).toBe(200)
  }, 60_000)

  it('accepts a burst, refuses requests while too many wait for long, and then accepts them again', async () => {
    const overloaded = 'The platform is overloaded.'
    const titles: (string | undefined)[] = []
    const send = async () => {
      const { title } = (await (await users()).json()) as { title?: string }
      titles.push(title)
    }
    await Promise.all(Array.from({ length: 400 }, send))
    expect(titles).not.toContain(overloaded)
    proxy.setLatency(20)
    const first = Array.from({ length: 400 }, send)
    for (let round = 0; round < 2000 && !titles.includes(overloaded); round++) {
      first.push(send(), send(), send(), send())
      await sleep(5)
    }
    expect(titles).toContain(overloaded)
    proxy.setLatency(0)
    await Promise.all(first)
    expect((await users()).status).toBe(200)
    expect(await ready()).toBe(200)
  }, 60_000)

  /** Sends reads and writes, and expects 503 from each, long before the default limit. */
  const expectUnavailable = async (): Promise<void> => {
    const timed = async (send: () => Promise<Response>) => {
      const startedAt = performance.now()
      const { status, headers } = await send()
      return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - startedAt }
    }
    for (const one of await Promise.all([users, insert, list].map(timed))) {
      expect(one).toMatchObject({ status: 503, retryAfter: '1' })
      expect(one.ms).toBeLessThan(10_000)
    }
    expect(await ready()).toBe(503)
  }
  const isInserted = async (response: Response): Promise<boolean> => {
    const { data } = (await response.json()) as {
      data?: { insertNote?: { acknowledged: boolean } }
    }
    return data?.insertNote?.acknowledged === true
  }

  it('responds over a slow connection, and after all connections were reset', async () => {
    proxy.setLatency(20)
    expect((await users()).status).toBe(200)
    expect(await isInserted(await insert())).toBe(true)
    proxy.setLatency(0)
    proxy.reset()
    // The pool may notice the reset only when it uses a connection.
    await expect.poll(async () => (await users()).status).toBe(200)
    expect(await isInserted(await insert())).toBe(true)
  })

  it('fails within its limit while the database does not respond, and recovers', async () => {
    expect((await users()).status).toBe(200)
    proxy.stall()
    await expectUnavailable()
    // Connections that the pool opens now do not respond either.
    await expectUnavailable()
    proxy.restore()
    await expect.poll(ready, { timeout: 20_000 }).toBe(200)
    expect((await users()).status).toBe(200)
    expect(await isInserted(await insert())).toBe(true)
  }, 60_000)

  it('responds with 503 to inserts and lists that the database interrupts', async () => {
    for (const interrupt of [proxy.cut, proxy.stall]) {
      expect((await users()).status).toBe(200)
      const table = await lockTable(directUrl, 'servicekit.records')
      const sentAt = performance.now()
      const sent = [insert(), list()]
      await expect.poll(table.waiting, { interval: 10 }).toBe(2)
      interrupt()
      for (const { status, headers } of await Promise.all(sent)) {
        expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      }
      expect(performance.now() - sentAt).toBeLessThan(10_000)
      await table.release()
      proxy.restore()
      await expect.poll(ready, { timeout: 20_000 }).toBe(200)
    }
    // The statement of drizzle's own message has the values of the request.
    expect(faults.filter((fault) => fault.includes('params:'))).toEqual([])
  }, 60_000)

  it('responds with 503 to writes that reach a standby, and then uses the primary', async () => {
    const client = new Client(directUrl)
    await client.connect()
    const name = new URL(directUrl).pathname.slice(1)
    /** Makes transactions on new connections read-only, as those on a standby are. */
    const setStandby = async (isStandby: boolean): Promise<void> => {
      await client.query(`alter database ${name} set default_transaction_read_only = ${isStandby}`)
    }
    try {
      expect(await isInserted(await insert())).toBe(true)
      await setStandby(true)
      proxy.reset()
      const sendWrites = async () => [(await insert()).status, (await token()).status]
      await expect.poll(sendWrites).toEqual([503, 503])
      await setStandby(false)
      await expect.poll(async () => (await token()).status).toBe(200)
      await expect.poll(async () => (await insert()).status).toBe(200)
    } finally {
      await setStandby(false)
      await client.end()
    }
  })

  it('responds with 503 to a request for a token that the database interrupts', async () => {
    expect((await token()).status).toBe(200)
    const table = await lockTable(directUrl, 'servicekit.oidc_states')
    const sent = token()
    await expect.poll(table.waiting, { interval: 10 }).toBe(1)
    proxy.cut()
    const { status, headers } = await sent
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    await table.release()
    proxy.restore()
    await expect.poll(ready, { timeout: 20_000 }).toBe(200)
  }, 60_000)

  it('responds with the part of a request that was saved before the database failed', async () => {
    const client = new Client(directUrl)
    await client.connect()
    try {
      expect(await isInserted(await insert())).toBe(true)
      // The second insert waits for this transaction.
      const columns = 'project_id, schema_name, created_date, last_updated_date, data'
      await client.query(`begin; insert into servicekit.records (item_id, ${columns})
        select 'taken', ${columns} from servicekit.records limit 1`)
      const response = await gateway(`mutation {
        a: insertNote(input: {A: 1}) { acknowledged }
        b: insertNote(input: {ItemId: "taken"}) { acknowledged }
      }`)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({
        data: { a: { acknowledged: true }, b: null },
        errors: [{ path: ['b'], extensions: { code: 'INTERNAL_ERROR' } }],
      })
    } finally {
      await client.end()
    }
  })

  it('delivers webhooks that became due while the database was unavailable', async () => {
    hooks.answer(500)
    await control(platform, 'PUT', '/projects/P/texts', [
      { language: 'en', module: 'm', key: 'A', value: '2' },
    ])
    const [first] = await hooks.take(1)
    const attempts = async () => {
      const { body } = await control(platform, 'GET', '/projects/P/deliveries')
      return (body as { attempts: unknown[] }[])[0]!.attempts.length
    }
    await expect.poll(attempts, { timeout: 20_000 }).toBe(1)
    proxy.cut()
    faults.length = 0
    // The queue polled and found no database.
    await expect.poll(() => faults.length, { timeout: 20_000 }).toBeGreaterThan(0)
    proxy.restore()
    const [again] = await hooks.take(1)
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  }, 60_000)
})
