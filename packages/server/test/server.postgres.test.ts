import { Client } from 'pg'
import { afterEach, beforeAll, afterAll, beforeEach, expect, it } from 'vitest'
import { startAzurite } from '@servicekit/testing/azurite'
import { onPostgres } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'
import type { ServerConfig } from '../src/index.ts'
import { controlToken, openServer, settingsOf } from '@servicekit/testing/open-server'
import { checkConnections } from '../src/config/check-connections.ts'
import { startServer } from '../src/start-server.ts'

type Server = Awaited<ReturnType<typeof openServer>>

onPostgres((engine) => {
  let azurite: Awaited<ReturnType<typeof startAzurite>>
  let databaseUrl: string
  const opened: Server[] = []

  beforeAll(async () => {
    azurite = await startAzurite()
  })
  afterAll(() => azurite?.stop())
  beforeEach(async () => {
    databaseUrl = (await engine.location()).databaseUrl!
  })
  afterEach(() => Promise.all(opened.splice(0).map((server) => server.stop())))

  const open = async (given: ServerConfig = {}): Promise<Server> => {
    const server = await openServer({ databaseUrl, storage: azurite.storage, ...given })
    opened.push(server)
    return server
  }
  const loaded = async (given?: ServerConfig): Promise<Server> => {
    const server = await open(given)
    await server.platform.loadProject(project('P', { en: { m: { A: 'a' } } }))
    return server
  }
  const languages = '/localization/v4/Language/Gets?ProjectKey=P'
  const key = { 'x-service-key': 'P' }

  it('is ready when the database and the storage accept writes', async () => {
    const server = await open()
    const read = async () => (await server.send('/ready')).json()
    await expect.poll(read).toEqual({
      status: 'ok',
      parts: { database: 'ok', storage: 'ok' },
      clockSkewMs: expect.any(Number),
    })
    expect((await server.send('/live')).status).toBe(200)
    expect((await server.send('/_platform/ready')).status).toBe(200)
    // The probe removes what it wrote.
    const blobs: string[] = []
    for await (const { name } of azurite.client.listBlobsFlat()) blobs.push(name)
    expect(blobs).toEqual([])
  })

  it('is checked with what it connects to before it starts', async () => {
    const results = async (given: ServerConfig = {}) => {
      const settings = await settingsOf({
        publicUrl: 'http://platform.local',
        databaseUrl,
        storage: azurite.storage,
        ...given,
      })
      const all = await checkConnections(settings, false)
      return Object.fromEntries(all.map(({ name, state, message }) => [name, [state, message]]))
    }
    const before = await results()
    expect(before['database']).toEqual([
      'ok',
      expect.stringMatching(
        /^PostgreSQL [\d.]+\. The start applies the migrations 0001-initial(?:, \d{4}-[\w-]+)+\.$/,
      ),
    ])
    expect(before['clock']).toEqual([
      'ok',
      expect.stringMatching(/^\d+ ms (?:ahead of|behind) the clock of the database\.$/),
    ])
    expect((await results({ migrations: 'require' }))['database']).toEqual([
      'failed',
      expect.stringContaining('Run npx servicekit migrate-database.'),
    ])
    // Nothing was written.
    const client = new Client(databaseUrl)
    await client.connect()
    const { rows } = await client.query(`select 1 from pg_namespace where nspname = 'servicekit'`)
    await client.end()
    expect(rows).toEqual([])
    await open()
    const after = await results({ migrations: 'require', replicaUrl: databaseUrl })
    expect(after['database']).toEqual(['ok', expect.stringContaining('with all migrations')])
    expect(after['replica']?.[0]).toBe('ok')
  })

  it('stays ready while the storage rejects writes, and names it', async () => {
    const server = await loaded({ storage: { ...azurite.storage, container: 'absent' } })
    const read = async () => {
      const response = await server.send('/ready')
      return [response.status, await response.json()]
    }
    const parts = { database: 'ok', storage: 'failed' }
    await expect.poll(read).toEqual([200, { status: 'ok', parts, clockSkewMs: expect.any(Number) }])
    expect((await server.send(languages, { headers: key })).status).toBe(200)
    const metrics = await (await fetch(server.metricsUrl!)).text()
    expect(metrics).toContain('servicekit_part_up{part="storage"} 0\n')
    expect(metrics).toContain('servicekit_part_up{part="database"} 1\n')
    expect(server.entries('storage')).toMatchObject([{ level: 'error' }])
    expect(server.lines.join('')).not.toContain(azurite.storage.accountKey)
  })

  it('is not ready while the database rejects writes', async () => {
    const server = await open()
    const name = new URL(databaseUrl).pathname.slice(1)
    const other = new Client(databaseUrl)
    await other.connect()
    await other.query(`alter database "${name}" set default_transaction_read_only = on`)
    await other.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and pid <> pg_backend_pid()`)
    await expect
      .poll(async () => (await server.send('/ready')).text(), { timeout: 20_000 })
      .toContain('"reason":"database"')
    expect((await server.send('/live')).status).toBe(200)
    await other.query('set default_transaction_read_only = off')
    await other.query(`alter database "${name}" reset default_transaction_read_only`)
    await other.end()
  })

  it('logs requests as JSON with their ids and without secrets, and no probes', async () => {
    const server = await loaded()
    const headers = { ...key, 'x-request-id': 'my-request', authorization: 'Bearer canary-token' }
    await server.send(`${languages}&token=canary`, { headers })
    await server.send('/ready')
    await server.control('GET', '/metrics')
    expect(server.entries('request')).toEqual([
      expect.objectContaining({
        level: 'info',
        requestId: 'my-request',
        method: 'GET',
        path: '/localization/v4/Language/Gets?ProjectKey=P&token=***',
        operation: 'localization.listLanguages',
        project: 'P',
      }),
    ])
    expect(server.entries('started')).toMatchObject([{ level: 'info', baseUrl: server.baseUrl }])
    expect(server.lines.join('')).not.toContain('canary')
    const quiet = await open({ log: { access: false } })
    await quiet.send(languages, { headers: key })
    expect(quiet.entries('request')).toEqual([])
  })

  it('opens the control routes only with the token', async () => {
    const server = await loaded()
    expect((await server.send('/_platform/projects')).status).toBe(401)
    expect((await server.control('GET', '/projects')).status).toBe(200)
    const closed = await settingsOf({ ...(await settingsOf({})), host: '127.0.0.1', port: 0 })
    const without = await startServer(
      { ...closed, databaseUrl, publicUrl: 'http://localhost', storage: { ...closed.storage } },
      () => {},
    )
    const headers = { authorization: `Bearer ${controlToken}` }
    const response = await fetch(`${without.baseUrl}/_platform/projects`, { headers })
    expect(response.status).toBe(401)
    await without.stop()
  })

  it('refuses the routes that set the clock and inject faults unless development is on', async () => {
    const server = await open({ development: false })
    for (const [method, path] of [
      ['GET', '/clock'],
      ['POST', '/clock'],
      ['GET', '/faults'],
      ['POST', '/faults'],
      ['DELETE', '/faults'],
      ['DELETE', '/faults/1'],
    ] as const) {
      const body = method === 'POST' ? { advanceMs: 1000 } : undefined
      const response = await server.control(method, path, body)
      const { title } = (await response.json()) as { readonly title: string }
      expect([response.status, title]).toEqual([403, expect.stringContaining('--development')])
    }
    const development = await open({ development: true })
    expect((await development.control('GET', '/clock')).status).toBe(200)
    expect((await development.control('GET', '/faults')).status).toBe(200)
  })

  it('serves metrics on the second listener only', async () => {
    const server = await loaded()
    await server.send(languages, { headers: key })
    const metrics = await (await fetch(server.metricsUrl!)).text()
    expect(metrics).toMatch(
      /^servicekit_requests_total\{operation="localization\.listLanguages",method="GET",status="200"\} 1$/m,
    )
    for (const line of [
      /^servicekit_ready 1$/m,
      /^servicekit_jobs 0$/m,
      /^servicekit_info\{version="/m,
    ])
      expect(metrics).toMatch(line)
    // The Prometheus text format: comments, or a name with labels and a number.
    for (const line of metrics.trimEnd().split('\n')) {
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \S+ .+|\w+(?:\{[^}]*\})? (?:[\d.e+-]+|NaN))$/)
    }
    expect((await server.send('/metrics')).status).toBe(404)
    expect((await server.send('/_platform/metrics')).status).toBe(401)
    expect((await fetch(new URL('/ready', server.metricsUrl))).status).toBe(200)
  })

  it('sets secure cookies and limits requests per address', async () => {
    const server = await loaded({ publicUrl: 'https://platform.example', rateLimitPerMinute: 3 })
    await server.platform.loadProject({
      ...project('P', { en: { m: { A: 'a' } } }),
      identity: { clients: [{ clientId: 'web', redirectUris: ['https://app.example/'] }] },
    })
    const query = new URLSearchParams({
      'x-service-key': 'P',
      clientId: 'web',
      redirectUri: 'https://app.example/',
    })
    const from = (address: string) =>
      server.send(`/iam/v4/idp/initiate?${query}`, { headers: { 'x-forwarded-for': address } })
    const begun = await from('192.0.2.1')
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-sk_flow_.+; HttpOnly; Secure/),
    ])
    const statuses = [await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
    expect((await from('192.0.2.2')).status).toBe(200)
  })

  it('stops in order: not ready, then requests in flight, then closed', async () => {
    const server = await openServer({
      databaseUrl,
      storage: azurite.storage,
      shutdown: { delayMs: 500, timeoutMs: 20_000 },
    })
    await server.platform.loadProject(project('P', { en: { m: { A: 'a' } } }))
    const ask = () => server.send(languages, { headers: key })
    // Longer than the platform alone would wait.
    server.platform.faults.add({ path: '/localization/*', delayMs: 4000, times: 1 })
    const slow = ask()
    await expect.poll(() => server.platform.faults.list()).toEqual([])
    const stopped = server.stop()
    expect((await server.send('/ready')).status).toBe(503)
    // Until the balancer has noticed, requests are still accepted.
    const late = await ask()
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
    expect((await slow).status).toBe(200)
    await stopped
    await expect(ask()).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect(server.lines.map((line) => JSON.parse(line).event)).toEqual([
      'started',
      'stopping',
      'request',
      'request',
      'stopped',
    ])
  })

  it('cuts requests that are in flight after its limit', async () => {
    const server = await openServer({
      databaseUrl,
      storage: azurite.storage,
      shutdown: { timeoutMs: 300 },
    })
    await server.platform.loadProject(project('P', { en: { m: { A: 'a' } } }))
    server.platform.faults.add({ path: '/localization/*', delayMs: 10_000, times: 1 })
    const held = server.send(languages, { headers: key }).catch((error: unknown) => error)
    await expect.poll(() => server.platform.faults.list()).toEqual([])
    const startedAt = performance.now()
    await server.stop()
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(290)
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect(await held).toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } })
    expect(server.entries('stopped')).toMatchObject([{ level: 'info' }])
  })

  it('starts twice at once on an empty database, and shares what either writes', async () => {
    const [one, other] = await Promise.all([open(), open()])
    await one!.platform.loadProject(project('P', { en: { m: { A: 'a' } } }))
    expect((await other!.send(languages, { headers: key })).status).toBe(200)
    expect([(await one!.send('/ready')).status, (await other!.send('/ready')).status]).toEqual([
      200, 200,
    ])
  })

  it('refuses to start with pending migrations if they are required to be applied', async () => {
    await expect(open({ migrations: 'require' })).rejects.toThrow(
      /pending migrations[^]*0001-initial[^]*servicekit migrate-database/,
    )
  })

  it('ends when the database cannot be opened, without its password', async () => {
    const wrong = new URL(databaseUrl)
    wrong.port = '1'
    wrong.password = 'canary'
    const failed = await open({ databaseUrl: wrong.href }).catch((error: Error) => error)
    expect(String(failed)).toMatch(/Cannot open the database[^]*ECONNREFUSED/)
    expect(String(failed)).not.toContain('canary')
  })
})
