import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startAzurite } from '@servicekit/testing/azurite'
import { isDeep } from '@servicekit/testing/is-deep'
import { type PostgresServer, startPostgres } from '@servicekit/testing/postgres'
import { project } from '@servicekit/testing/projects'
import { startSwift, swiftFault } from '@servicekit/testing/swift'
import { startTcpProxy, type TcpProxy } from '@servicekit/testing/tcp-proxy'
import type { ServerConfig } from '../src/index.ts'
import { openServer } from '@servicekit/testing/open-server'

type Server = Awaited<ReturnType<typeof openServer>>

/** The libraries of storages wait five seconds, twice. */
const secret = 'canary secret of the job'
const schemas = [
  { schemaName: 'Note', schemaType: 1, querySchema: 'Notes', fields: [{ name: 'A', type: 'Int' }] },
]

const load = (server: Server) =>
  server.platform.loadProject(
    project('P', { en: { m: { A: '1' } } }, {
      schemas,
      identity: {
        roles: [{ slug: 'admin' }],
        clients: [{ clientId: 'job', clientSecret: secret, roles: ['admin'] }],
      },
    } as never),
  )

const tokenOf = async (server: Server): Promise<string> => {
  const response = await server.send('/iam/v4/oidc/token', {
    method: 'POST',
    headers: { 'x-service-key': 'P' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'job',
      client_secret: secret,
      org_id: 'default',
    }),
  })
  return ((await response.json()) as { accessToken: string }).accessToken
}

const callerOf = (server: Server, token: string) => {
  const headers = { 'x-service-key': 'P', authorization: `Bearer ${token}` }
  const gateway = (query: string) =>
    server.send('/data/v4/gateway', { method: 'POST', headers, body: JSON.stringify({ query }) })
  const list = () => gateway('{ Notes { totalCount } }')
  return {
    users: () => server.send('/idp/v1/Iam/GetUsers', { method: 'POST', headers, body: '{}' }),
    /** Returns whether the record was saved; expects 503 otherwise. */
    insert: async (id: string): Promise<boolean> => {
      const response = await gateway(
        `mutation { insertNote(input: {ItemId: "${id}"}) { acknowledged } }`,
      )
      const body: unknown = await response.json()
      if (response.status !== 503) {
        expect(body).toEqual({ data: { insertNote: { acknowledged: true } } })
        return true
      }
      expect(response.headers.get('retry-after')).toBe('1')
      return false
    },
    list,
    count: async (): Promise<number> =>
      ((await (await list()).json()) as { data: { Notes: { totalCount: number } } }).data.Notes
        .totalCount,
    presign: async () =>
      (await (
        await server.send('/data/v4/Files/GetPreSignedUrlForUpload', {
          method: 'POST',
          headers,
          body: JSON.stringify({ name: 'a.txt' }),
        })
      ).json()) as { fileId: string; uploadUrl: string; requiredHeaders: Record<string, string> },
    file: (id: string) => server.send(`/data/v4/Files/GetFile?FileId=${id}`, { headers }),
  }
}
type Caller = ReturnType<typeof callerOf>

describe('a restart of PostgreSQL', () => {
  let postgres: PostgresServer
  let server: Server
  let caller: Caller
  beforeAll(async () => {
    postgres = await startPostgres()
    const { databaseUrl } = postgres
    server = await openServer({ databaseUrl, rateLimitPerMinute: 0, databaseTimeoutMs: 2000 })
    await load(server)
    caller = callerOf(server, await tokenOf(server))
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await postgres?.stop()
  })

  it('loses no acknowledged write; requests receive 503 with Retry-After, then recover', async () => {
    const acknowledged = new Set<string>()
    const over = new AbortController()
    const write = async (): Promise<void> => {
      for (let id = crypto.randomUUID(); !over.signal.aborted; id = crypto.randomUUID()) {
        if (await caller.insert(id)) acknowledged.add(id)
      }
    }
    const writers = Promise.all([write(), write()])
    writers.catch(() => {})
    await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(3)
    await postgres.halt()
    for (const { status, headers } of [await caller.users(), await caller.list()]) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    }
    expect(await caller.insert(crypto.randomUUID())).toBe(false)
    const ready = await server.send('/ready')
    expect([ready.status, await ready.json()]).toMatchObject([503, { reason: 'database' }])
    expect((await server.send('/live')).status).toBe(200)

    await postgres.resume()
    await expect
      .poll(async () => (await server.send('/ready')).status, { timeout: 20_000 })
      .toBe(200)
    const before = acknowledged.size
    await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(before)
    over.abort()
    await writers
    expect((await caller.users()).status).toBe(200)
    expect(await caller.count()).toBeGreaterThanOrEqual(acknowledged.size)
    expect(server.lines.join('')).not.toContain('canary')
  }, 60_000)
})

interface Cloud {
  readonly storage: NonNullable<ServerConfig['storage']>
  readonly endpoint: string
  readonly stop: () => Promise<void>
}

const clouds: Readonly<Record<string, () => Promise<Cloud>>> = {
  Azurite: async () => {
    const { storage, stop } = await startAzurite()
    return { storage, endpoint: storage.endpoint!, stop }
  },
  'an S3 server': async () => {
    const { storage, client, stop } = await startSwift()
    client.destroy()
    return { storage, endpoint: storage.endpoint!, stop }
  },
}

describe.each(Object.keys(clouds))('a storage in %s behind a slow network', (kind) => {
  let missing: string | undefined
  let cloud: Cloud
  let proxy: TcpProxy
  let server: Server
  let caller: Caller
  beforeAll(async () => {
    missing = kind === 'Azurite' ? undefined : await swiftFault()
    if (missing || !isDeep) return
    vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true')
    cloud = await clouds[kind]!()
    const endpoint = new URL(cloud.endpoint)
    proxy = await startTcpProxy(Number(endpoint.port))
    endpoint.port = String(proxy.port)
    const storage = { ...cloud.storage, endpoint: endpoint.href.replace(/\/$/, '') }
    server = await openServer({ storage, rateLimitPerMinute: 0 } as ServerConfig)
    await load(server)
    caller = callerOf(server, await tokenOf(server))
  }, 400_000)
  beforeEach(({ skip }) => {
    if (missing) skip(missing)
  })
  afterAll(async () => {
    await server?.stop()
    await proxy?.close()
    await cloud?.stop()
    vi.unstubAllEnvs()
  })

  const upload = async (): Promise<string> => {
    const { fileId, uploadUrl, requiredHeaders } = await caller.presign()
    const body = 'content'
    const put = await fetch(uploadUrl, { method: 'PUT', headers: requiredHeaders, body })
    expect(put.ok).toBe(true)
    return fileId
  }
  const unavailable = async (id: string): Promise<void> => {
    const startedAt = performance.now()
    const response = await caller.file(id)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    // Two attempts of five seconds.
    expect(performance.now() - startedAt).toBeLessThan(12_000)
    expect(await response.json()).toMatchObject({
      title: 'The storage "Cloud" cannot be reached.',
    })
  }

  it.skipIf(!isDeep)(
    'causes 503 with Retry-After while it is reset, refused or silent, and recovers',
    async () => {
      proxy.setLatency(20)
      expect((await caller.file(await upload())).status).toBe(200)
      proxy.setLatency(0)
      proxy.reset()
      expect((await caller.file(await upload())).status).toBe(200)
      for (const fail of [proxy.cut, proxy.stall]) {
        const id = await upload()
        fail()
        await unavailable(id)
        // Requests that need no storage work.
        expect((await caller.users()).status).toBe(200)
        proxy.restore()
        expect((await caller.file(id)).status).toBe(200)
      }
    },
    120_000,
  )
})
