import { Client } from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { project, publicLevels } from '@servicekit/testing/projects'

interface Entry {
  readonly id: string
  readonly at: string
  readonly instance: string
  readonly requestId: string | null
  readonly actor: string
  readonly operation: string
  readonly project: string | null
  readonly action: string
  readonly kind: string
  readonly records: readonly string[]
  readonly total: number
}

onEachEngine((engine) => {
  let platform: Platform
  let databaseUrl: string | undefined
  let token: string
  const send = (path: string, init: RequestInit = {}) =>
    platform.fetch(new Request(`http://platform.local${path}`, init))
  const control = (method: string, path: string, body?: unknown) =>
    send(`/_platform${path}`, {
      method,
      headers: { 'x-request-id': 'control-request' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const audit = async (query: Record<string, string> = {}): Promise<readonly Entry[]> =>
    (await (await control('GET', `/audit?${new URLSearchParams(query)}`)).json()) as Entry[]
  /** Returns the entries that `work` added. */
  const added = async (work: () => Promise<unknown>): Promise<readonly Entry[]> => {
    const before = new Set((await audit()).map(({ id }) => id))
    await work()
    return (await audit()).filter(({ id }) => !before.has(id))
  }

  beforeAll(async () => {
    const location = await engine.location()
    databaseUrl = location.databaseUrl
    platform = await engine.open({ ...location, audit: 'instance-1', projects: [] })
    await platform.loadProject(
      project(
        'P',
        { en: { m: { A: 'a' } } },
        {
          schemas: [
            {
              schemaName: 'Product',
              querySchema: 'Products',
              schemaType: 1,
              mutationSchemas: ['insertProduct', 'updateProduct', 'deleteProduct'],
              fields: [{ name: 'Name', type: 'String' }],
              ...publicLevels,
            } as never,
          ],
          identity: {
            roles: [{ slug: 'admin' }],
            clients: [{ clientId: 'job', clientSecret: 'canary-client-secret', roles: ['admin'] }],
          },
        },
      ),
    )
    const issued = await send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'job',
        client_secret: 'canary-client-secret',
        org_id: 'default',
      }),
    })
    token = ((await issued.json()) as { accessToken: string }).accessToken
  })

  it('records who changed which record, by which operation and request', async () => {
    const create = () =>
      send('/idp/v1/Iam/Create', {
        method: 'POST',
        headers: {
          'x-service-key': 'P',
          'x-request-id': 'request-1',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({
          email: 'ada@example.com',
          userName: 'ada',
          password: 'canary-password',
        }),
      })
    const entries = await added(async () => expect((await create()).status).toBe(200))
    const common = {
      instance: 'instance-1',
      requestId: 'request-1',
      actor: 'client:job',
      operation: 'idp.createUser',
      project: 'P',
      action: 'insert',
      total: 1,
    }
    const user = entries.find(({ kind }) => kind === 'users')
    expect(user).toMatchObject({ ...common, records: [expect.stringMatching(/^[\w-]{36}$/)] })
    const id = user!.records[0]
    expect(entries.find(({ kind }) => kind === 'memberships')).toMatchObject({
      ...common,
      records: [id],
    })
    expect(Date.now() - Date.parse(user!.at)).toBeLessThan(60_000)
  })

  it('records translations and records by their names, and bulk changes by their number', async () => {
    const texts = Array.from({ length: 30 }, (_, index) => ({
      language: 'en',
      module: 'm',
      key: `K${index}`,
      value: 'canary-text',
    }))
    const entries = await added(() => control('PUT', '/projects/P/texts', texts))
    const inserted = entries.find(({ kind, action }) => kind === 'texts' && action === 'insert')
    expect(inserted).toMatchObject({
      actor: 'control',
      operation: 'PUT /_platform/projects/P/texts',
      requestId: 'control-request',
      total: 30,
    })
    expect(inserted!.records).toHaveLength(20)
    expect(inserted!.records[0]).toMatch(/^m\/K\d+$/)
    const insert = 'mutation { insertProduct(input: {Name: "canary-name"}) { itemId } }'
    const gateway = await added(async () => {
      const response = await send('/data/v4/gateway', {
        method: 'POST',
        headers: { 'x-service-key': 'P' },
        body: JSON.stringify({ query: insert }),
      })
      expect(await response.json()).toMatchObject({ data: { insertProduct: {} } })
    })
    expect(gateway).toMatchObject([
      {
        actor: 'anonymous',
        operation: 'data.execute',
        kind: 'records',
        records: [expect.stringMatching(/^Product\/[\w-]{36}$/)],
      },
    ])
  })

  it('contains neither secrets nor values', async () => {
    await control('PUT', '/projects/P/webhook', {
      url: 'https://canary-host.example/hook',
      contentType: 'application/json',
      isDisabled: false,
      serviceWebhookSecret: { secret: 'canary-secret', headerKey: 'x-secret' },
      projectKey: 'P',
    })
    const text = JSON.stringify(await audit())
    expect(text).toContain('webhooks')
    expect(text).not.toContain('canary')
    expect(text).not.toContain('ada@example.com')
  })

  it('records nothing for a change that fails or changes nothing', async () => {
    const fail = () => control('PUT', '/projects/P/identity', { roles: [{ slug: 7 }] })
    expect(await added(fail)).toEqual([])
    const same = [{ language: 'en', module: 'm', key: 'A', value: 'a' }]
    const entries = await added(() => control('PUT', '/projects/P/texts', same))
    expect(entries.filter(({ kind }) => kind === 'texts')).toEqual([])
  })

  it('lists by time and project, page by page', async () => {
    await platform.loadProject(project('Q'))
    const all = await audit()
    expect((await audit({ project: 'Q' })).every((entry) => entry.project === 'Q')).toBe(true)
    const [, second, third] = all as [Entry, Entry, Entry]
    const { at, id } = second
    const page = await audit({ since: at, after: id, limit: '1' })
    expect(page).toEqual([third])
    expect(await audit({ until: all[0]!.at })).toEqual([])
    expect((await control('GET', '/audit?since=yesterday')).status).toBe(400)
  })

  it('stays when its project is removed, which is an entry too', async () => {
    await platform.loadProject(project('R'))
    const entries = await added(() => control('DELETE', '/projects/R'))
    const removed = { project: 'R', action: 'delete', kind: 'projects' }
    expect(entries.slice(-2)).toMatchObject([removed, { project: 'R', action: 'call' }])
    expect((await audit({ project: 'R' })).length).toBeGreaterThan(entries.length)
  })

  it('records control calls that change no audited row, and exports with secrets', async () => {
    const calls = async (method: string, path: string, body?: unknown) => {
      const work = async () => expect((await control(method, path, body)).status).toBeLessThan(300)
      const entries = await added(work)
      return entries
        .filter(({ action }) => action === 'call')
        .map(({ project, kind, records }) => [project, kind, ...records])
    }
    const created = (await audit()).find(({ kind }) => kind === 'users')!
    const path = `/projects/P/users/${created.records[0]}/sessions`
    expect(await calls('DELETE', path)).toEqual([
      ['P', 'control', 'DELETE /projects/:project/users/:id/sessions'],
    ])
    expect(await calls('PUT', '/projects/P/origins', ['https://app.example'])).toEqual([
      ['P', 'control', 'PUT /projects/:project/origins'],
    ])
    expect(await calls('GET', '/projects/P/export?secrets=true')).toEqual([
      ['P', 'control', 'GET /projects/:project/export?secrets=true'],
    ])
    expect(await calls('GET', '/projects/P/export')).toEqual([])
    const failed = await added(async () => {
      expect((await control('PUT', '/projects/P/origins', ['x'])).status).toBe(400)
    })
    expect(failed).toEqual([])
  })

  it('has no route that changes it', async () => {
    for (const method of ['DELETE', 'PUT', 'POST', 'PATCH']) {
      expect((await control(method, '/audit')).status).toBe(405)
    }
  })

  it.runIf(engine.name === 'PostgreSQL')(
    'cannot be changed in the database, not even by its owner',
    async () => {
      const client = new Client(databaseUrl)
      await client.connect()
      try {
        for (const statement of [
          `update servicekit.audit set actor = 'x'`,
          'delete from servicekit.audit',
          'truncate servicekit.audit',
        ]) {
          await expect(client.query(statement)).rejects.toThrow('The audit log is append-only.')
          const asRole = client.query(`begin; set local role servicekit_app; ${statement}`)
          await expect(asRole).rejects.toMatchObject({ code: '42501' })
          await client.query('rollback')
        }
      } finally {
        await client.end()
      }
    },
  )

  it('is empty without the option', async () => {
    const own = await engine.open({ projects: [project('P')] })
    const response = await own.fetch(new Request('http://platform.local/_platform/audit'))
    expect(await response.json()).toEqual([])
  })
})
