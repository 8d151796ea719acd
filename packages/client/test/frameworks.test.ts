import { serve as serveHono } from '@hono/node-server'
import type { WebhookEvents } from '../src/webhooks.ts'
import { createPlatform, type Platform } from '@servicekit/platform'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { createServer, request as nodeRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, receive } from '../src/webhooks.ts'
import { storefront } from './storefront.ts'

const secret = 'a secret of some length'
const base = 'http://platform.test'

/** Server listening on its own port. */
interface Listening {
  readonly port: number
  readonly close: () => unknown
}

const onPort = async (server: Server): Promise<Listening> => {
  if (!server.listening) {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
  }
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(resolve)
    })
  return { port, close }
}

/** Typical user code; each of these lines must compile. */
const frameworks: readonly (readonly [string, (hook: Receiver) => Promise<Listening>])[] = [
  ['node:http', async (hook) => onPort(createServer((req, res) => void hook(req, res)))],
  [
    'Express',
    async (hook) => {
      const app = express()
      app.all('/hook', hook)
      return onPort(createServer(app))
    },
  ],
  [
    'Express, with a parser of bodies before',
    async (hook) => {
      const app = express()
      app.use(express.json())
      app.all('/hook', hook)
      return onPort(createServer(app))
    },
  ],
  [
    'Hono',
    async (hook) => {
      const app = new Hono()
      app.all('/hook', hook)
      return onPort(serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
    },
  ],
  [
    'a Fetch server',
    async (hook) => onPort(serveHono({ fetch: hook, port: 0, hostname: '127.0.0.1' }) as Server),
  ],
  [
    'Fastify',
    async (hook) => {
      const app = fastify({ forceCloseConnections: true })
      app.all('/hook', hook)
      await app.listen({ port: 0, host: '127.0.0.1' })
      return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
    },
  ],
]

interface Delivery {
  readonly id: number
  readonly state: string
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[]
}

let platform: Platform
let projectKey: string
const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await platform.fetch(new Request(`${base}/_platform${path}`, init))
  const text = await response.text()
  expect([path, response.ok, text]).toEqual([path, true, text])
  return text === '' ? undefined : JSON.parse(text)
}
beforeAll(async () => {
  platform = await createPlatform({
    projects: [storefront],
    clock: '2026-01-02T03:04:05Z',
    outgoing: ['loopback'],
    webhooks: { retryDelaysMs: [1000] },
  })
  projectKey = (await platform.projectKeys())[0]!
})
afterAll(() => platform?.close())

let edits = 0
/** Publishes a message and waits until the platform has delivered the event. */
async function publish(): Promise<void> {
  const text = { language: 'de-DE', module: 'auth', key: 'SIGN_IN', value: `Text ${++edits}` }
  await control('PUT', `/projects/${projectKey}/texts`, [text])
  await control('POST', '/queue/drain')
}
const delivery = async (): Promise<Delivery> =>
  ((await control('GET', `/projects/${projectKey}/deliveries`)) as Delivery[])[0]!

describe.each(frameworks)('a webhook in %s', (_, start) => {
  let server: Listening
  let heard: WebhookEvents['GenerateUilmFilesEvent'][]
  let refusals: number
  beforeEach(async () => {
    heard = []
    refusals = 0
    const hook = receive(
      { secret, headerKey: 'X-Hook', maxBytes: 1000 },
      {
        GenerateUilmFilesEvent: (event) => {
          if (refusals-- > 0) throw new Error('not now')
          heard.push(event)
        },
      },
    )
    server = await start(hook)
  })
  afterEach(() => server?.close())
  const save = (value = secret) =>
    control('PUT', `/projects/${projectKey}/webhook`, {
      itemId: 'hook',
      url: `http://127.0.0.1:${server.port}/hook`,
      contentType: 'application/json',
      serviceWebhookSecret: { secret: value, headerKey: 'X-Hook' },
      isDisabled: false,
      projectKey,
    })
  const send = (body: string, more: Readonly<Record<string, string>> = {}, method = 'POST') =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-hook': secret, ...more }
      const options = { port: server.port, path: '/hook', method, headers }
      const sent = nodeRequest(options, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.once('error', reject)
      // Written in two pieces, it has no content-length.
      if ('transfer-encoding' in more) sent.write(body.slice(0, 1))
      sent.end('transfer-encoding' in more ? body.slice(1) : body)
    })

  it('receives each event of the platform once, with its type', async () => {
    await save()
    await publish()
    expect(heard.map((event) => event.GenerateUilmFilesEvent.ProjectKey)).toEqual([projectKey])
    const { id } = await delivery()
    await control('POST', `/projects/${projectKey}/deliveries/${id}/replay`)
    await control('POST', '/queue/drain')
    expect(await delivery()).toMatchObject({
      id,
      state: 'delivered',
      attempts: [{ status: 200 }, { status: 200 }],
    })
    expect(heard).toHaveLength(1)
  })

  it('receives an event again after its handler failed', async () => {
    refusals = 1
    await save()
    await publish()
    expect([await delivery(), heard]).toMatchObject([{ attempts: [{ status: 500 }] }, []])
    await control('POST', '/clock', { advanceMs: 1000 })
    expect(await delivery()).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 500 }, { status: 200 }],
    })
    expect(heard).toHaveLength(1)
  })

  it('rejects a wrong or missing secret', async () => {
    await save('another secret of it')
    await publish()
    await control('POST', '/clock', { advanceMs: 1000 })
    const refused = { state: 'failed', attempts: [{ status: 401 }, { status: 401 }] }
    expect(await delivery()).toMatchObject(refused)
    const event = JSON.stringify({ GenerateUilmFilesEvent: { Guid: 'g' } })
    expect(await send(event, { 'x-hook': '' })).toBe(401)
    expect(heard).toEqual([])
  })

  it('rejects bodies that are too large, not an event, or not sent with POST', async () => {
    const large = JSON.stringify({ GenerateUilmFilesEvent: { Guid: 'g'.repeat(1000) } })
    const chunked = { 'transfer-encoding': 'chunked' }
    expect(await send(large, { 'content-length': String(large.length) })).toBe(413)
    expect(await send(large, chunked)).toBe(413)
    expect([await send('{'), await send('[]', chunked), await send('7')]).toEqual([400, 400, 400])
    expect(await send('{}', {}, 'PUT')).toBe(405)
    expect(heard).toEqual([])
  })
})
