import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiveWebhook, type WebhookOptions } from './webhook.ts'

let server: Server
let secret: WebhookOptions['secret']
let events = 0
let moduleIds: (string | undefined)[] = []
let failures: unknown[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const onEvent = (moduleId: string | undefined) => {
      events++
      moduleIds.push(moduleId)
    }
    receiveWebhook(request, response, { secret, onEvent }).catch((error) => failures.push(error))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => new Promise((done) => server.close(done)))
beforeEach(() => {
  secret = undefined
  events = 0
  moduleIds = []
  failures = []
})

const post = async (body: string, init: RequestInit = {}): Promise<number> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const response = await fetch(url, { method: 'POST', body, ...init })
  expect(failures).toEqual([])
  return response.status
}

const published = JSON.stringify({ GenerateUilmFilesEvent: { ProjectKey: 'P1', ModuleId: null } })

describe('the webhook', () => {
  it.each([
    published,
    '{"TranslateAllEvent":{},"Response":false}',
    '{"UilmImportEvent":{},"IsSuccess":true}',
  ])('takes %s', async (body) => {
    expect(await post(body)).toBe(204)
    expect(events).toBe(1)
  })

  it('passes the id of the changed module, if it is only one', async () => {
    await post('{"GenerateUilmFilesEvent":{"ModuleId":"m1"}}')
    await post('{"GenerateUilmFilesEvent":{"ModuleId":""}}')
    await post('{"GenerateUilmFilesEvent":{"ModuleId":{"$ne":1}}}')
    await post('{"UilmImportEvent":null,"IsSuccess":true}')
    expect(moduleIds).toEqual(['m1', undefined, undefined, undefined])
  })

  it.each(['', 'null', '[]', '"GenerateUilmFilesEvent"', '{"Other":{}}', '{"Generate'])(
    'rejects %j',
    async (body) => {
      expect(await post(body)).toBe(400)
      expect(events).toBe(0)
    },
  )

  it('rejects other methods than POST', async () => {
    expect(await post('', { method: 'PUT', body: published })).toBe(405)
    expect(events).toBe(0)
  })

  it('rejects requests without the secret', async () => {
    secret = { headerKey: 'X-Hook', secret: 'päss' }
    const header = (value: string) => ({ headers: { 'x-hook': value } })
    expect(await post(published)).toBe(401)
    expect(await post(published, header('pass'))).toBe(401)
    expect(await post(published, header('p\u00c3\u00a4ss2'))).toBe(401)
    expect(events).toBe(0)
    // Header values are bytes; these are UTF-8.
    expect(await post(published, header('p\u00c3\u00a4ss'))).toBe(204)
    expect(events).toBe(1)
  })

  it('rejects large bodies', async () => {
    expect(await post(`{"GenerateUilmFilesEvent":"${'x'.repeat(70_000)}"}`)).toBe(413)
    expect(events).toBe(0)
  })
})
