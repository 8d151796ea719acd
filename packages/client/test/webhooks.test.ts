import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { receive, type ReceiverOptions } from '../src/webhooks.ts'

const secret = 'a secret of some length'
const headers = { 'x-hook': secret, 'content-type': 'application/json' }
const translated = (id = 'c1', ok = true) => ({
  TranslateAllEvent: { ModuleId: null, MessageCoRelationId: id, ProjectKey: 'P1' },
  Response: ok,
})
const published = {
  GenerateUilmFilesEvent: { Guid: 'g1', ModuleId: null, ProjectKey: 'P1' },
}
const request = (body: unknown, more: RequestInit = {}): Request =>
  new Request('http://app.test/hook', {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  })

/** Receiver that records its events. */
function receiver(options: Partial<ReceiverOptions> = {}) {
  const heard: unknown[] = []
  const hook = receive(
    { secret, headerKey: 'X-Hook', ...options },
    {
      TranslateAllEvent: ({ Response, TranslateAllEvent }) => {
        heard.push([Response, TranslateAllEvent.MessageCoRelationId])
      },
      GenerateUilmFilesEvent: async (event) => void heard.push(event.GenerateUilmFilesEvent.Guid),
      other: (event) => void heard.push(Object.keys(event)),
    },
  )
  const send = async (...all: Parameters<typeof request>): Promise<number> =>
    (await hook(request(...all))).status
  return { heard, hook, send }
}

describe('a webhook', () => {
  it('passes each event to its handler', async () => {
    const { heard, send } = receiver()
    expect(await send(translated('c1'))).toBe(200)
    expect(await send(translated('c2', false))).toBe(200)
    expect(await send(published)).toBe(200)
    expect(await send({ NewEvent: {} })).toBe(200)
    // No handler is registered for it.
    expect(await send({ UilmImportEvent: {}, IsSuccess: true })).toBe(200)
    expect(heard).toEqual([[true, 'c1'], [false, 'c2'], 'g1', ['NewEvent']])
  })

  it('handles an event once', async () => {
    const { heard, send } = receiver()
    await Promise.all([send(translated()), send(translated()), send(translated())])
    expect(heard).toHaveLength(1)
  })

  it('responds with 500 and the reason if the store of events fails', async () => {
    const errors: unknown[] = []
    const down = new Error('the store is down')
    const handled = new Error('not now')
    const failing = () => Promise.reject(down)
    const options = { secret, headerKey: 'x-hook', onError: (error: unknown) => errors.push(error) }
    const deaf = receive({ ...options, seen: { has: failing, add: failing } }, {})
    expect((await deaf(request(translated()))).status).toBe(500)
    expect(errors).toEqual([down])
    const refuse = () => Promise.reject(handled)
    const seen = { has: () => false, add: failing }
    const refusing = receive({ ...options, seen }, { TranslateAllEvent: refuse })
    expect((await refusing(request(translated()))).status).toBe(500)
    expect(errors).toEqual([down, handled])
    const forgetful = receive({ ...options, seen }, {})
    expect((await forgetful(request(translated()))).status).toBe(500)
    expect(errors).toEqual([down, handled, down])
  })

  it('handles an event again after its handler failed', async () => {
    const errors: unknown[] = []
    let count = 0
    const hook = receive(
      { secret, headerKey: 'x-hook', onError: (error) => errors.push(error) },
      {
        TranslateAllEvent: () => {
          if (++count === 1) throw new Error('not now')
        },
      },
    )
    expect((await hook(request(translated()))).status).toBe(500)
    expect((await hook(request(translated()))).status).toBe(200)
    expect((await hook(request(translated()))).status).toBe(200)
    expect([count, errors]).toEqual([2, [new Error('not now')]])
  })

  it.each([
    ['no secret', {}],
    ['another secret', { 'x-hook': 'a secret of some lengtH' }],
    ['half of it', { 'x-hook': secret.slice(0, 8) }],
    ['more than it', { 'x-hook': secret + secret }],
  ])('rejects a request with %s', async (_, wrong) => {
    const { heard, send } = receiver()
    expect(await send(translated(), { headers: wrong as Record<string, string> })).toBe(401)
    expect(heard).toEqual([])
  })

  it('rejects bodies that are not an event, too large, or not sent with POST', async () => {
    const { heard, hook, send } = receiver({ maxBytes: 1000 })
    for (const body of ['', '{', '7', '[]', 'null', '"x"']) expect(await send(body)).toBe(400)
    expect(await send(JSON.stringify({ TranslateAllEvent: 'x'.repeat(1000) }))).toBe(413)
    const streamed = new Blob(['{"a":"', 'x'.repeat(2000), '"}']).stream()
    const large = request('', { body: streamed, duplex: 'half' } as RequestInit)
    expect((await hook(large)).status).toBe(413)
    expect((await hook(new Request('http://app.test/hook', { headers }))).status).toBe(405)
    expect(heard).toEqual([])
  })

  it('requires a secret', () => {
    expect(() => receiver({ secret: '' })).toThrow('secret must not be empty')
    expect(() => receiver({ headerKey: '' })).toThrow('headerKey must not be empty')
  })
})

describe('the same handler', () => {
  it('serves node:http', async () => {
    const { heard, hook } = receiver({ maxBytes: 1000 })
    const server = createServer((request, response) => void hook(request, response))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const post = async (body: string, more: object = headers): Promise<[number, unknown]> => {
      const response = await fetch(url, { method: 'POST', headers: { ...more }, body })
      return [response.status, await response.json()]
    }
    expect(await post(JSON.stringify(translated()))).toEqual([200, { ok: true }])
    expect(await post('{}', {})).toEqual([401, { ok: false }])
    expect(await post('x'.repeat(1001))).toEqual([413, { ok: false }])
    expect(heard).toEqual([[true, 'c1']])
  })

  it('serves Hono, whose context contains the request', async () => {
    const { heard, hook } = receiver()
    const response = await hook({ req: { raw: request(translated()) } }, () => undefined)
    expect([response.status, heard]).toEqual([200, [[true, 'c1']]])
  })

  it('serves Express, with a body that was parsed before', async () => {
    const { heard, hook } = receiver()
    for (const body of [translated('a'), JSON.stringify(translated('b'))]) {
      const response = { statusCode: 0, end: () => undefined }
      const parsed = { method: 'POST', headers, body, async *[Symbol.asyncIterator]() {} }
      await hook(parsed, response, () => undefined)
      expect(response.statusCode).toBe(200)
    }
    expect(heard).toEqual([
      [true, 'a'],
      [true, 'b'],
    ])
  })

  it('serves Fastify, whose reply is sent', async () => {
    const { heard, hook } = receiver()
    const sent: unknown[] = []
    const reply = {
      code: (status: number) => ({ send: (text: string) => sent.push([status, text]) }),
    }
    const raw = { method: 'POST', headers, async *[Symbol.asyncIterator]() {} }
    await hook({ raw, body: translated() }, reply)
    expect([sent, heard]).toEqual([[[200, '{"ok":true}']], [[true, 'c1']]])
  })
})
