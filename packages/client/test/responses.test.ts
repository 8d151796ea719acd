import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type RequestError, ResponseShapeError } from '../src/index.ts'
import { answer, coreFor, routes, serve, transports } from './serve.ts'

const input = { intent: 'try' }
const text = JSON.stringify({ WELCOME: 'Grüße, \u2028 世界 🎈', LONG: 'x'.repeat(100_000) })
const encodings: readonly [string, Buffer][] = [
  ['gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
]

describe.each(transports)('over %s', (name, transport) => {
  const send = async (...answers: Parameters<typeof serve>) =>
    coreFor(await serve(...answers), transport).send(routes.read, input)
  const failure = (...answers: Parameters<typeof serve>) =>
    send(...answers).then(
      () => expect.unreachable('it worked'),
      (error: unknown) => error as RequestError,
    )

  it.each(encodings)('reads %s', async (encoding, body) => {
    const got = await send(answer(200, body, { 'content-encoding': encoding }))
    expect(got.text).toBe(text)
  })

  it('decodes nested encodings in any spelling', async () => {
    const body = brotliCompressSync(gzipSync(text))
    const got = await send(answer(200, body, { 'content-encoding': 'GZIP, Br' }))
    expect(got.text).toBe(text)
  })

  it.each(encodings)('rejects a truncated body in %s', async (...part) => {
    const [encoding, body] = part
    const half = body.subarray(0, body.length / 2)
    const cut = answer(200, half, {
      'content-encoding': encoding,
      'content-length': String(half.length),
    })
    // fetch returns the truncated body; undici reports the failure.
    const work = send(cut).then((got) => got.json())
    await expect(work).rejects.toMatchObject({
      code: expect.stringMatching(name === 'fetch' ? /RESPONSE_INVALID|FAILED/ : /REQUEST_FAILED/),
    })
  })

  it.each(encodings)('rejects a damaged body in %s', async (encoding) => {
    const error = await failure(answer(200, 'no such thing', { 'content-encoding': encoding }))
    expect(error).toMatchObject({ name: 'RequestError', code: 'REQUEST_FAILED' })
  })

  it('reads a response without a body, whatever its Content-Encoding', async () => {
    expect((await send(answer(200, '', { 'content-encoding': 'gzip' }))).json()).toBeUndefined()
    expect((await send(answer(200, '  \n'))).json()).toBeUndefined()
    expect((await send(answer(204))).json()).toBeUndefined()
  })

  it('rejects a body that decodes to more than maxBytes, and closes the connection', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    let closed: Promise<void> | undefined
    const served = await serve((response, request) => {
      closed = new Promise((resolve) => {
        request.socket.on('close', resolve)
      })
      response.writeHead(200, { 'content-encoding': 'gzip' })
      // The response never ends: only the client can close the connection.
      response.write(bomb)
    })
    const core = coreFor(served, transport, { maxBytes: 1_000_000, retry: {} })
    await expect(core.send(routes.read, input)).rejects.toMatchObject({
      code: 'RESPONSE_TOO_LARGE',
      message: expect.stringContaining('Raise maxBytes'),
    })
    expect(served.requests).toHaveLength(1)
    await closed
  })

  it('accepts a body of exactly maxBytes', async () => {
    const served = await serve(answer(200, '"67890123"'))
    const limited = (maxBytes: number) =>
      coreFor(served, transport, { maxBytes }).send(routes.read, input)
    expect((await limited(10)).text).toHaveLength(10)
    await expect(limited(9)).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
  })

  it('joins characters that arrive in pieces, and removes a byte order mark', async () => {
    const bytes = Buffer.from('\ufeff{"a":"世界"}')
    const got = await send((response) => {
      response.writeHead(200)
      let at = 0
      const next = (): void => {
        if (at === bytes.length) response.end()
        else response.write(bytes.subarray(at, (at += 1)), () => setImmediate(next))
      }
      next()
    })
    expect(got.json()).toEqual({ a: '世界' })
  })

  it.each([
    ['before the headers', (response: ServerResponse) => response.destroy()],
    [
      'after the headers',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '10' })
        response.write('{"a"', () => setTimeout(() => response.destroy(), 20))
      },
    ],
    [
      'within a chunked body',
      (response: ServerResponse) => {
        response.writeHead(200)
        response.write('{"a":1}', () => setTimeout(() => response.destroy(), 20))
      },
    ],
  ])('retries after a connection that breaks %s', async (_, broken) => {
    const error = await failure(broken)
    expect(error.code).toBe('REQUEST_FAILED')
    expect(error.message).toMatch(/^Cannot try: the connection failed \((ECONNRESET|UND_ERR_\w+)\)/)

    const served = await serve(broken, answer(200, '2'))
    const core = coreFor(served, transport, { retry: { attempts: 2, baseDelayMs: 1 } })
    expect((await core.send(routes.read, input)).json()).toBe(2)
  })

  it('rejects headers that are too large', async () => {
    const error = await failure(answer(200, '1', { 'x-huge': 'h'.repeat(100_000) }))
    expect(error).toMatchObject({ code: 'REQUEST_FAILED' })
    expect(error.status).toBeUndefined()
    expect(error.message.length).toBeLessThan(1000)
  })

  it('shows the start of a response that is not JSON', async () => {
    const page = `<!doctype html>\n<html><title>Sign in</title>${'<p>x</p>'.repeat(100)}</html>`
    const got = await send(answer(200, page, { 'content-type': 'text/html' }))
    expect(() => got.json()).toThrow(ResponseShapeError)
    expect(() => got.json()).toThrow(
      /^Cannot try: the response is not JSON\n[\s\S]*status: 200\n {2}received: <!doctype html> <html><title>Sign in<\/title>/,
    )
    const cut = await send(answer(200, '{"a":"b'))
    expect(() => cut.json()).toThrow(/received: \{"a":"b\n/)
  })

  it('shows the title of an HTML page from a proxy', async () => {
    const page = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'
    const error = await failure(answer(502, page, { 'content-type': 'text/html' }))
    expect(error).toMatchObject({ status: 502, body: page })
    expect(error.message).toContain('message: 502 Bad Gateway')
  })

  it('does not follow a redirect, and names its target', async () => {
    const other = await serve(answer(200, '1'))
    for (const status of [301, 302, 307, 308]) {
      const error = await failure(
        answer(status, '', { location: `${other.url}/read?token=canary#canary` }),
      )
      expect(error.message).toContain(`location: ${other.url}/read\n`)
      expect(error.message).toContain('Set baseUrl to the final URL of the instance')
    }
    expect(other.requests).toHaveLength(0)
  })

  it('accepts 304 only if it was requested', async () => {
    const served = await serve(answer(304, '', { etag: '"1"', 'content-encoding': 'gzip' }))
    const core = coreFor(served, transport)
    expect(await core.send(routes.read, { ...input, accept: [304] })).toMatchObject({ status: 304 })
    await expect(core.send(routes.read, input)).rejects.toMatchObject({ status: 304 })
  })

  it('reuses connections', async () => {
    const served = await serve(answer(200, text), answer(404, text), answer(200, '1'))
    const core = coreFor(served, transport)
    for (let n = 0; n < 20; n++) await core.send(routes.read, input).catch(() => undefined)
    expect(served.requests).toHaveLength(20)
    expect(served.sockets.length).toBeLessThan(4)
  })

  it('sends each header once, and cannot override the required ones', async () => {
    const served = await serve(answer(200, '1'))
    const headers = { 'X-Service-Key': 'other', Accept: 'text/plain', 'X-Trace': 't1' }
    const core = coreFor(served, transport, { headers })
    await core.send(routes.create, { ...input, json: {}, headers: { 'X-TRACE': 't2' } })
    const [request] = served.requests
    expect(request!.headers).toMatchObject({
      'x-service-key': 'P1',
      'x-trace': 't2',
      accept: 'text/plain',
      'content-type': 'application/json',
    })
    const names = request!.rawHeaders.filter((_, at) => at % 2 === 0).map((n) => n.toLowerCase())
    expect(names).toEqual([...new Set(names)])
  })

  it('encodes any query', async () => {
    const served = await serve(answer(200, '1'))
    const route = { ...routes.read, query: ['a', 'b', 'c', 'd'] } as const
    const a = 'a&b=c d+e/ü#?%'
    await coreFor(served, transport).send(route, { ...input, query: { d: 1, b: '\ud800!', a } })
    const { searchParams } = new URL(served.requests[0]!.url!, served.url)
    expect([...searchParams]).toEqual([
      ['a', a],
      ['b', '\ufffd!'],
      ['d', '1'],
    ])
  })

  it(`is ${name}`, async () => {
    const served = await serve(answer(200, '1'))
    await coreFor(served, transport).send(routes.read, input)
    expect(served.requests[0]!.headers['user-agent']).toBe(name === 'fetch' ? 'node' : undefined)
  })
})

it.each(['utf-8', 'compress, gzip'])(
  'passes on a body of the unknown encoding %s',
  async (name) => {
    const served = await serve(answer(200, '{"a":1}', { 'content-encoding': name }))
    for (const [, transport] of transports) {
      const response = await coreFor(served, transport).send(routes.read, input)
      expect(response.json()).toEqual({ a: 1 })
    }
  },
)
