import type { webhooks as wire } from '@servicekit/contract'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { machineToken } from '@servicekit/testing/administrator'
import { control } from './control-client.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { project } from '@servicekit/testing/projects'
import { type Receiver, receiver } from '@servicekit/testing/receiver'

interface Delivery {
  readonly id: number
  readonly messageId: string
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[]
}

let hooks: Receiver
beforeAll(async () => {
  hooks = await receiver()
})
afterAll(() => hooks.close())

const webhook = (changes: Partial<wire.Webhook> = {}): wire.Webhook => ({
  url: `${hooks.address}/hook`,
  contentType: 'application/json',
  serviceWebhookSecret: { secret: 'canary', headerKey: 'X-Secret' },
  isDisabled: false,
  projectKey: 'P',
  ...changes,
})

onEachEngine((engine) => {
  let platform: Platform
  let errors: string[]
  beforeAll(async () => {
    errors = []
    platform = await engine.open({
      clock: '2026-01-02T03:04:05Z',
      seed: 7,
      outgoing: ['loopback'],
      webhooks: { retryDelaysMs: [1000, 60_000] },
      onError: ({ message }) => errors.push(message),
    })
    await platform.loadProject(project('P', { en: { a: { ONE: '1' }, b: { TWO: '2' } } }))
    await platform.loadProject(project('Q', { en: { a: { ONE: '1' } } }))
  })
  afterEach(() => {
    expect(errors.splice(0), 'errors that the platform reported').toEqual([])
  })
  let count = 1
  const edit = (key = 'P') =>
    control(platform, 'PUT', `/projects/${key}/texts`, [
      { language: 'en', module: 'a', key: 'ONE', value: String(++count) },
    ])
  const save = (body: wire.Webhook, key = 'P') =>
    control(platform, 'PUT', `/projects/${key}/webhook`, body)
  const shown = async () => (await control(platform, 'GET', '/projects/P/webhook')).body
  const drain = () => control(platform, 'POST', '/queue/drain')
  const deliveries = async () =>
    (await control(platform, 'GET', '/projects/P/deliveries')).body as Delivery[]

  it('delivers nothing without a webhook', async () => {
    expect(await control(platform, 'GET', '/projects/P/webhook')).toEqual({
      status: 200,
      body: null,
    })
    await edit()
    expect(await deliveries()).toEqual([])
  })

  it('creates a webhook, and changes it by its id', async () => {
    expect(await save(webhook())).toEqual({
      status: 200,
      body: { success: true, errorMessage: null, validationErrors: null },
    })
    const made = (await shown()) as { itemId: string; createDate: string; signingSecret: string }
    expect(made).toMatchObject({
      createDate: '2026-01-02T03:04:05.000Z',
      url: `${hooks.address}/hook`,
      headerKey: 'X-Secret',
      hasSecret: true,
      isDisabled: false,
    })
    expect(JSON.stringify(made)).not.toContain('canary')
    await control(platform, 'POST', '/clock', { advanceMs: 1000 })
    await save(webhook({ itemId: made.itemId, url: `${hooks.address}/other` }))
    expect(await shown()).toMatchObject({
      ...made,
      url: `${hooks.address}/other`,
      lastUpdateDate: '2026-01-02T03:04:06.000Z',
    })
  })

  it('keeps a secret that an update does not mention, but not for another origin', async () => {
    const { itemId } = (await shown()) as { itemId: string }
    const update = async (changes: object) => {
      await save(webhook({ itemId, ...changes }))
      const { headerKey, hasSecret } = (await shown()) as { headerKey: string; hasSecret: boolean }
      return [headerKey, hasSecret]
    }
    expect(await update({ serviceWebhookSecret: undefined, isDisabled: true })).toEqual([
      'X-Secret',
      true,
    ])
    expect(await update({ serviceWebhookSecret: null })).toEqual(['X-Secret', true])
    expect(await update({ serviceWebhookSecret: { headerKey: 'X-Other' } })).toEqual([
      'X-Other',
      true,
    ])
    const url = 'https://another.example/hook'
    expect(await update({ serviceWebhookSecret: undefined, url })).toEqual([null, false])
    expect(await update({})).toEqual(['X-Secret', true])
    const empty = { secret: '', headerKey: '' }
    expect(await update({ serviceWebhookSecret: empty })).toEqual([null, false])
    await save(webhook({ itemId }))
  })

  it('replaces the webhook when the id is unknown', async () => {
    const { signingSecret } = (await shown()) as { signingSecret: string }
    await save(webhook({ itemId: 'own-id' }))
    expect(await shown()).toMatchObject({ itemId: 'own-id', url: `${hooks.address}/hook` })
    expect(((await shown()) as { signingSecret: string }).signingSecret).not.toBe(signingSecret)
  })

  it('sends the event, the secret and a signature', async () => {
    await edit()
    const [{ path, headers, body }] = (await hooks.take(1)) as [
      { path: string; headers: Record<string, string>; body: string },
    ]
    expect(path).toBe('/hook')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-secret': 'canary' })
    expect(JSON.parse(body)).toMatchObject({ GenerateUilmFilesEvent: { ProjectKey: 'P' } })
    const { signingSecret } = (await shown()) as { signingSecret: string }
    const id = headers['webhook-id']
    const time = headers['webhook-timestamp']
    const signature = createHmac('sha256', Buffer.from(signingSecret.slice(6), 'base64'))
      .update(`${id}.${time}.${body}`)
      .digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(Number(time)).toBe(Date.parse('2026-01-02T03:04:06Z') / 1000)
    await drain()
    const [newest] = await deliveries()
    expect(newest).toMatchObject({
      state: 'delivered',
      messageId: id,
      nextAttemptAt: null,
      attempts: [{ status: 200, error: null }],
    })
  })

  it('delivers an event when a project is loaded again', async () => {
    await platform.loadProject(project('P', { en: { a: { ONE: 'x' }, b: { TWO: 'y' } } }))
    const [sent] = await hooks.take(1)
    expect(JSON.parse(sent!.body)).toMatchObject({ GenerateUilmFilesEvent: { ModuleId: null } })
    await drain()
  })

  it('delivers no events of another project', async () => {
    await edit('Q')
    await drain()
    expect(hooks.waiting()).toBe(0)
    expect((await control(platform, 'GET', '/projects/Q/deliveries')).body).toEqual([])
  })

  it('retries the same message after each delay, and then fails', async () => {
    hooks.answer(500, 302, 418)
    await edit()
    const [first] = await hooks.take(1)
    await drain()
    expect((await deliveries())[0]).toMatchObject({
      state: 'pending',
      nextAttemptAt: '2026-01-02T03:04:07.000Z',
      attempts: [{ status: 500, error: 'The receiver responded with 500.' }],
    })
    await control(platform, 'POST', '/clock', { advanceMs: 999 })
    expect(hooks.waiting()).toBe(0)
    await control(platform, 'POST', '/clock', { advanceMs: 1 })
    const [second] = await hooks.take(1)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(second!.body).toBe(first!.body)
    await control(platform, 'POST', '/clock', { advanceMs: 60_000 })
    await hooks.take(1)
    const [given] = await deliveries()
    expect(given).toMatchObject({ state: 'failed', nextAttemptAt: null })
    expect(given!.attempts.map(({ status }) => status)).toEqual([500, 302, 418])
    expect(hooks.waiting()).toBe(0)
  })

  it('replays a delivery', async () => {
    const [{ id, messageId }] = (await deliveries()) as [Delivery]
    expect((await control(platform, 'POST', `/projects/P/deliveries/${id}/replay`)).status).toBe(
      202,
    )
    const [again] = await hooks.take(1)
    expect(again!.headers['webhook-id']).toBe(messageId)
    await drain()
    expect((await deliveries())[0]).toMatchObject({ state: 'delivered' })
    expect((await control(platform, 'POST', '/projects/P/deliveries/999999/replay')).status).toBe(
      404,
    )
    expect((await control(platform, 'POST', `/projects/Q/deliveries/${id}/replay`)).status).toBe(
      404,
    )
  })

  it('keeps its configuration and delivers nothing while it is disabled', async () => {
    await save(webhook({ itemId: 'own-id', isDisabled: true }))
    const before = (await deliveries()).length
    await edit()
    await drain()
    expect([hooks.waiting(), (await deliveries()).length]).toEqual([0, before])
    expect(await shown()).toMatchObject({ itemId: 'own-id', isDisabled: true })
    await save(webhook({ itemId: 'own-id' }))
  })

  it.each([
    ['http://169.254.169.254/latest', 'url'],
    ['http://10.0.0.1/', 'url'],
    ['http://user:password@example.org/', 'url'],
  ])('rejects the URL %s', async (url, member) => {
    const answer = await save(webhook({ url }))
    expect(answer).toMatchObject({ status: 200, body: { success: false } })
    const { validationErrors } = answer.body as wire.WebhookSaved
    expect(Object.keys(validationErrors!)).toEqual([member])
  })

  it.each([
    [{ projectKey: 'Q' }, 'projectKey'],
    [{ serviceWebhookSecret: { secret: 's' } }, 'serviceWebhookSecret.headerKey'],
    [
      { serviceWebhookSecret: { secret: 's', headerKey: 'Host' } },
      'serviceWebhookSecret.headerKey',
    ],
  ])('rejects %j', async (changes, member) => {
    const { body } = await save(webhook(changes))
    expect(body).toMatchObject({ success: false })
    expect(Object.keys((body as wire.WebhookSaved).validationErrors!)).toEqual([member])
  })

  it('logs request and response of an attempt, without the secret and within limits', async () => {
    const responses: ((response: ServerResponse) => void)[] = [
      (response) => {
        response.writeHead(503, { 'x-reason': 'busy', 'content-type': 'text/plain' })
        response.end(`Busy \0 ${'x'.repeat(5000)}`)
      },
      (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('x'.repeat(200_000)), 1)
        response.on('close', () => clearInterval(timer))
      },
      (response) => response.end(Buffer.from([0xff, 0xfe, 0])),
    ]
    const server = createServer((_, response) => responses.shift()!(response)).listen(
      0,
      '127.0.0.1',
    )
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await save(webhook({ url: `http://127.0.0.1:${port}/hook` }))
    await edit()
    await drain()
    for (const advanceMs of [1000, 60_000]) await control(platform, 'POST', '/clock', { advanceMs })
    await drain()
    const [newest] = await deliveries()
    expect(newest!.attempts[0]).not.toHaveProperty('responseBody')
    const one = (id: number, key = 'P') =>
      control(platform, 'GET', `/projects/${key}/deliveries/${id}`)
    const { attempts } = (await one(newest!.id)).body as { attempts: Record<string, never>[] }
    expect(attempts).toMatchObject([
      {
        status: 503,
        requestHeaders: { 'content-type': 'application/json', 'X-Secret': '(secret)' },
        responseHeaders: { 'x-reason': 'busy' },
        responseBody: expect.stringMatching(/^Busy \uFFFD x+$/),
      },
      {
        status: null,
        error: 'The response exceeds 1000000 bytes.',
        responseHeaders: null,
        responseBody: null,
      },
      { status: 200, error: null, responseBody: '\uFFFD\uFFFD\uFFFD' },
    ])
    expect(attempts[0]!['responseBody']).toHaveLength(2048)
    expect(JSON.stringify(attempts)).not.toContain('canary')
    expect((await one(newest!.id, 'Q')).status).toBe(404)
    expect((await one(999_999)).status).toBe(404)
    await save(webhook())
  })

  it('lists the deliveries of one state', async () => {
    hooks.answer(500, 500, 500)
    await edit()
    await drain()
    for (const advanceMs of [1000, 60_000]) await control(platform, 'POST', '/clock', { advanceMs })
    await hooks.take(3)
    await edit()
    await hooks.take(1)
    await drain()
    const states = async (query: string) => {
      const { body } = await control(platform, 'GET', `/projects/P/deliveries${query}`)
      return (body as { state: string }[]).map(({ state }) => state)
    }
    const all = await states('')
    expect(all.slice(0, 2)).toEqual(['delivered', 'failed'])
    expect(await states('?state=failed')).toEqual(all.filter((state) => state === 'failed'))
    expect(await states('?state=failed&limit=1')).toEqual(['failed'])
    const unknown = await control(platform, 'GET', '/projects/P/deliveries?state=unknown')
    expect(unknown.status).toBe(400)
  })

  it.runIf(engine.name === 'PostgreSQL')(
    'stores secrets encrypted, and sends nothing that it cannot decrypt',
    async () => {
      const parts = { ...(await engine.location()), outgoing: ['loopback'] } as const
      const own = await engine.open({ ...parts, secret: 'a secret of all instances' })
      await own.loadProject(project('P', { en: { a: { ONE: '1' } } }))
      await control(own, 'PUT', '/projects/P/webhook', webhook())
      const database = new Client(parts.databaseUrl)
      await database.connect()
      const { rows } = await database.query('select * from servicekit.webhooks')
      await database.end()
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toMatch(/canary|whsec_/)
      const { body: exported } = await control(own, 'GET', '/projects/P/export?secrets=true')
      expect(JSON.stringify(exported)).toMatch(/"canary".*whsec_/)

      const other = await engine.open({ ...parts, secret: 'another secret than that' })
      const readable = await control(other, 'GET', '/projects/P/webhook')
      expect(readable.body).toMatchObject({ hasSecret: true, signingSecret: null })
      await own.close()
      await control(other, 'PUT', '/projects/P/texts', [
        { language: 'en', module: 'a', key: 'ONE', value: '2' },
      ])
      const log = async () =>
        ((await control(other, 'GET', '/projects/P/deliveries')).body as Delivery[])[0]!
      await expect.poll(async () => (await log()).attempts, { timeout: 20_000 }).toHaveLength(1)
      expect((await log()).attempts[0]!.error).toContain('SERVICEKIT_SECRET')
      expect(hooks.waiting()).toBe(0)
    },
  )
})

describe('the address filter', () => {
  it('blocks webhooks to this machine, by address and by name', async () => {
    await using platform = await createPlatform({ webhooks: { retryDelaysMs: [] } })
    await platform.loadProject(project('P', { en: { a: { ONE: '1' } } }))
    const url = hooks.address.replace('127.0.0.1', 'localhost')
    const refused = await control(platform, 'PUT', '/projects/P/webhook', webhook({ url }))
    expect(refused.body).toMatchObject({ success: false })
    // A name, which the filter cannot judge before it is resolved.
    const named = url.replace('localhost', 'ip6-localhost')
    const saved = await control(platform, 'PUT', '/projects/P/webhook', webhook({ url: named }))
    expect(saved.body).toMatchObject({ success: true })
    await control(platform, 'PUT', '/projects/P/texts', [
      { language: 'en', module: 'a', key: 'ONE', value: '2' },
    ])
    await control(platform, 'POST', '/queue/drain')
    const { body } = await control(platform, 'GET', '/projects/P/deliveries')
    expect(body).toMatchObject([{ state: 'failed', attempts: [{ status: null }] }])
    expect(hooks.waiting()).toBe(0)
  })
})

onEachEngine((engine) => {
  describe('SaveWebHook', () => {
    let platform: Platform
    let token = ''
    const request = (path: string, init: RequestInit) =>
      platform.fetch(new Request(`http://local${path}`, { method: 'POST', ...init }))
    const save = async (body: unknown, headers: Record<string, string>) => {
      const response = await request('/uilm/v1/Config/SaveWebHook', {
        headers,
        body: JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as unknown }
    }
    beforeAll(async () => {
      platform = await engine.open({ outgoing: ['loopback'] })
      for (const key of ['P', 'Q']) await platform.loadProject(project(key))
      token = await machineToken(platform, 'P')
    })
    const headers = (key = 'P') => ({ 'x-service-key': key, authorization: `Bearer ${token}` })

    it('allows only client credentials with the administrator role', async () => {
      const { status, body } = await save(webhook(), headers())
      expect([status, body]).toEqual([
        200,
        { success: true, errorMessage: null, validationErrors: null },
      ])
      const plain = await machineToken(platform, 'P', [])
      const refused = await save(webhook(), {
        'x-service-key': 'P',
        authorization: `Bearer ${plain}`,
      })
      expect(refused).toMatchObject({ status: 403, body: { success: false } })
    })

    it('responds with 401 without a token, with a token of another project, and without a project', async () => {
      const statuses = [
        { 'x-service-key': 'P' },
        { 'x-service-key': 'P', authorization: 'Bearer nonsense' },
        headers('Q'),
        headers('none'),
        { authorization: `Bearer ${token}` },
      ].map(async (sent) => (await save(webhook(), sent as Record<string, string>)).status)
      expect(await Promise.all(statuses)).toEqual([401, 401, 401, 401, 401])
    })

    it('returns validation errors by member', async () => {
      const odd = await save({ ...webhook(), contentType: 'text/xml', url: 'ftp://x' }, headers())
      expect(odd).toMatchObject({ status: 400, body: { success: false } })
      const { validationErrors } = odd.body as wire.WebhookSaved
      expect(Object.keys(validationErrors!).sort()).toEqual(['contentType', 'url'])
      const foreign = await save(webhook({ projectKey: 'Q' }), headers())
      expect(foreign).toMatchObject({ status: 200, body: { success: false } })
    })
  })
})
