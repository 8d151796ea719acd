import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { createClient } from '@servicekit/client'
import { createSession } from '@servicekit/client/auth'
import { type ClientOptions, createCore } from '@servicekit/client/core'
import { createClientGateway } from '@servicekit/client/gateway'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createGateway, execute, type Gateway } from '../__snapshots__/storefront/gateway.ts'
import { insertProduct, listProducts, walkProducts } from '../__snapshots__/storefront/product.ts'

/** A server until the test is over. */
async function serve(listener: RequestListener) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, requests }
}

const projectKey = 'P1'
const product = { Name: 'Cup', Price: 12, Sku: 'C-1' }
const over = (baseUrl: string, options: Partial<ClientOptions> = {}): Gateway =>
  createClientGateway({
    client: createClient({ baseUrl, projectKey, retry: { attempts: 1 }, ...options }),
  })

type Respond = (response: ServerResponse) => void
const body =
  (status: number, type: string, text: string): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': type })
    response.end(text)
  }
const json = (text: string): Respond => body(200, 'application/json', text)

describe('a service that misbehaves is a failure with its cause:', () => {
  const notJson = {
    message: 'No Products in the response (HTTP 200)',
    extensions: { code: 'RESPONSE_INVALID' },
    cause: { status: 200 },
  }
  const failed = { extensions: { code: 'REQUEST_FAILED' } }
  const fetchFailed = { ...failed, message: 'Request failed: TypeError: fetch failed' }
  test.each<[what: string, respond: Respond, withClient: object, withFetch: object]>([
    ['a page of HTML', body(200, 'text/html', '<html>'), notJson, notJson],
    [
      'a page of HTML of a proxy',
      body(502, 'text/html', '<html>'),
      { cause: { name: 'RequestError', status: 502 } },
      { message: 'No Products in the response (HTTP 502)', cause: { status: 502 } },
    ],
    ['an incomplete body', json('{"data": {"Prod'), notJson, notJson],
    [
      'a body that ends before its length',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
        response.write('{"data": ', () => response.destroy())
      },
      { ...failed, cause: { name: 'RequestError', code: 'REQUEST_FAILED' } },
      {
        ...failed,
        message: 'Request failed: TypeError: terminated',
        cause: { name: 'TypeError' },
      },
    ],
    [
      'a connection that breaks',
      (response) => void response.destroy(),
      { ...failed, cause: { name: 'RequestError', code: 'REQUEST_FAILED' } },
      { ...fetchFailed, cause: { name: 'TypeError' } },
    ],
    ['an empty body', json(''), notJson, notJson],
    ['null without an error', json('{"data": {"Products": null}}'), notJson, notJson],
    ['no data', json('{"data": null}'), notJson, notJson],
    [
      'a problem',
      body(500, 'application/problem+json', '{"title": "Broken", "status": 500}'),
      { cause: { name: 'RequestError', status: 500, body: { title: 'Broken' } } },
      { message: 'No Products in the response (HTTP 500)', cause: { status: 500 } },
    ],
    [
      'a rejection before routing',
      body(404, 'application/json', '{"Errors": {"Message": "No such project"}}'),
      { cause: { name: 'RequestError', status: 404, details: { message: 'No such project' } } },
      { message: 'No such project', cause: { status: 404 } },
    ],
    [
      'a redirect',
      (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
      { cause: { name: 'RequestError', status: 307 } },
      fetchFailed,
    ],
  ])('%s', async (_, respond, withClient, withFetch) => {
    const { baseUrl, requests } = await serve((_request, response) => respond(response))
    const result = await listProducts(over(baseUrl))
    expect(result).toMatchObject({ ok: false, errors: [withClient] })
    const [first] = result.ok ? [] : result.errors
    const { message = first?.message } = (first?.cause ?? {}) as Partial<Error>
    expect(message).toBe(first?.message)
    expect(requests).toHaveLength(1)
    expect(await listProducts(createGateway({ baseUrl, projectKey }))).toMatchObject({
      ok: false,
      errors: [withFetch],
    })
    expect(requests).toHaveLength(2)
  })
})

describe('the time limit', () => {
  afterEach(() => void vi.restoreAllMocks())

  /** Shortens time limits of 30 seconds, and returns a list of them. */
  const shortened = (limitMs = 20): readonly AbortSignal[] => {
    const limits: AbortSignal[] = []
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      if (ms !== 30_000) return timeout(ms)
      limits.push(timeout(limitMs))
      return limits.at(-1)!
    })
    return limits
  }
  const timedOut = {
    message: 'Request failed: TimeoutError: The operation was aborted due to timeout',
    extensions: { code: 'REQUEST_FAILED' },
    cause: { name: 'TimeoutError' },
  }

  test('of the client ends a request', async () => {
    const { baseUrl } = await serve(() => {})
    expect(await listProducts(over(baseUrl, { timeoutMs: 50 }))).toMatchObject({
      ok: false,
      errors: [{ cause: { code: 'REQUEST_TIMED_OUT' } }],
    })
  })

  test('is 30 seconds without a client, for each request', async () => {
    // Long enough for the headers to arrive on a busy machine. The body never ends.
    shortened(500)
    const { baseUrl } = await serve((_, response) => void response.write(' '))
    const gateway = createGateway({ baseUrl, projectKey })
    expect(await listProducts(gateway)).toMatchObject({ ok: false, errors: [timedOut] })
    vi.restoreAllMocks()
    const limits = shortened()
    const silent = createGateway({ ...gateway, baseUrl: (await serve(() => {})).baseUrl })
    expect(await listProducts(silent)).toMatchObject({ ok: false, errors: [timedOut] })
    expect(await insertProduct(silent, product)).toMatchObject({ ok: false, errors: [timedOut] })
    await expect(walkProducts(silent).next()).rejects.toThrow('TimeoutError')
    expect(limits.length).toBeGreaterThanOrEqual(3)
  })

  test('is replaced by a signal', async () => {
    shortened()
    const { baseUrl } = await serve(() => {})
    const signal = AbortSignal.timeout(200)
    const gateway = { ...createGateway({ baseUrl, projectKey }), signal }
    expect(await listProducts(gateway)).toMatchObject({ ok: false, errors: [timedOut] })
    expect(signal.aborted).toBe(true)
    await expect(walkProducts(gateway).next()).rejects.toThrow('The walk was aborted')
  })

  test('of the client is the only one of a gateway over it', async () => {
    const { baseUrl } = await serve((_, response) =>
      json('{"data": {"Products": {"items": [], "totalPages": 1}}}')(response),
    )
    const limits = shortened()
    const signals: (AbortSignal | null | undefined)[] = []
    const gateway = over(baseUrl)
    const send: Gateway['send'] = (request, call) => {
      signals.push(call.signal)
      return gateway.send!(request, call)
    }
    await listProducts({ ...gateway, send })
    await walkProducts({ ...gateway, send }).next()
    // A walk has a signal of its own.
    expect(signals).toEqual([undefined, expect.any(AbortSignal)])
    await vi.waitFor(() => expect(limits.every(({ aborted }) => aborted)).toBe(true), 20_000)
    expect(signals[1]?.aborted).toBe(false)
  })
})

describe('without a client, an error', () => {
  test('of an aborted request says so, while it is sent and while the body is read', async () => {
    for (const respond of [() => {}, (response: ServerResponse) => void response.write(' ')]) {
      const { baseUrl, requests } = await serve((_, response) => respond(response))
      const controller = new AbortController()
      const { signal } = controller
      const call = listProducts({ ...createGateway({ baseUrl, projectKey }), signal })
      await vi.waitFor(() => expect(requests).toHaveLength(1))
      controller.abort('Stopped by the user')
      expect(await call).toEqual({
        ok: false,
        errors: [
          {
            message: 'Request failed: Stopped by the user',
            extensions: { code: 'REQUEST_FAILED' },
            cause: 'Stopped by the user',
          },
        ],
        partial: undefined,
      })
    }
  })

  test.each<[what: string, options: Partial<Gateway>, message: string]>([
    [
      'the value of a header',
      { headers: { authorization: 'Bearer SECRET\n1' } },
      'Invalid baseUrl or header',
    ],
    [
      'the value of a header beyond Latin-1',
      { headers: { 'x-token': 'SECRET…' } },
      'Invalid baseUrl or header',
    ],
    ['the project key', { projectKey: 'SECRET\n1' }, 'Invalid baseUrl or header'],
    [
      'a password in the address',
      { baseUrl: 'http://user:SECRET@127.0.0.1:1' },
      'Invalid baseUrl or header',
    ],
    [
      'a password in an address that cannot be parsed',
      { baseUrl: 'http://user:SECRET@[' },
      'Invalid baseUrl or header',
    ],
    [
      'a response that is not JSON',
      { fetch: async () => new Response('SECRET') },
      'No Products in the response (HTTP 200)',
    ],
  ])('never quotes %s', async (_, options, message) => {
    const gateway = createGateway({ baseUrl: 'http://127.0.0.1:1', projectKey, ...options })
    const result = await listProducts(gateway)
    expect(result).toMatchObject({ ok: false, errors: [{ message }] })
    expect(inspect(result, { depth: 9 })).not.toContain('SECRET')
  })
})

describe('execute', () => {
  const nullable = '{"data": {"Products": null}}'
  test('with a null root field succeeds, and the generated function fails, over each transport', async () => {
    const { baseUrl } = await serve((_request, response) => json(nullable)(response))
    const gateways = {
      fetch: createGateway({ baseUrl, projectKey }),
      client: over(baseUrl),
    }
    for (const [name, gateway] of Object.entries(gateways)) {
      const document = '{ Products { totalCount } }'
      expect(await execute(gateway, document), name).toEqual({ ok: true, data: { Products: null } })
      expect(await listProducts(gateway), name).toEqual({
        ok: false,
        errors: [
          {
            message: 'No Products in the response (HTTP 200)',
            extensions: { code: 'RESPONSE_INVALID' },
            cause: { status: 200 },
          },
        ],
        partial: undefined,
      })
    }
  })
})

describe('a gateway over a client', () => {
  const page = '{"data": {"Products": {"items": [], "totalCount": 0}}}'

  test('retries reads, sends one request id, and calls hooks', async () => {
    let failures = 2
    const { baseUrl, requests } = await serve((_, response) => {
      response.statusCode = failures-- > 0 ? 503 : 200
      response.end(page)
    })
    const statuses: unknown[] = []
    const client = createClient({
      baseUrl,
      projectKey,
      requestIds: true,
      retry: { baseDelayMs: 0 },
      hooks: {
        before: () => ({ 'x-trace': 'T1' }),
        after: ({ operation }, { status }) => void statuses.push([operation, status]),
      },
    })
    const gateway = createClientGateway({ client })
    expect(await listProducts(gateway)).toMatchObject({ ok: true })
    expect(statuses).toEqual([503, 503, 200].map((status) => ['data.execute', status]))
    expect(requests.map(({ headers }) => headers['x-trace'])).toEqual(['T1', 'T1', 'T1'])
    const ids = requests.map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/./)
    failures = 1
    expect(await insertProduct(gateway, product)).toMatchObject({
      ok: false,
      errors: [{ cause: { status: 503, requestId: expect.any(String) as string } }],
    })
    expect(requests).toHaveLength(4)
  })

  test('renews a session that the service no longer knows', async () => {
    const unknown =
      '{"errors": [{"message": "?", "extensions": {"code": "AUTH_NOT_AUTHENTICATED"}}]}'
    let isKnown = false
    const { baseUrl, requests } = await serve(({ url }, response) => {
      response.setHeader('content-type', 'application/json')
      if (url?.startsWith('/data/') === true) return void response.end(isKnown ? page : unknown)
      isKnown = true
      response.end('{"token_type": "Bearer", "expires_in": 420}')
    })
    const client = createCore({ baseUrl, projectKey, retry: { attempts: 1 } })
    const session = createSession(client, { clientId: 'web', onEnd: () => {} })
    onTestFinished(() => session.close())
    expect(await listProducts(createClientGateway({ client: session }))).toMatchObject({ ok: true })
    expect(requests.map(({ url }) => url)).toEqual([
      '/data/v4/gateway',
      '/iam/v4/oidc/token',
      '/data/v4/gateway',
    ])
  })

  test.each([
    ['an error response', 500, '{"message": "no: SECRET"}'],
    ['a page of HTML', 200, '<html>SECRET</html>'],
  ])('hides a token that the service repeats in %s', async (_, status, text) => {
    const token = 'tok-5f1e0c9a7b'
    const { baseUrl } = await serve((_request, response) =>
      body(status, 'application/json', text.replace('SECRET', token))(response),
    )
    const headers = { authorization: `Bearer ${token}` }
    for (const gateway of [over(baseUrl, { headers }), { ...over(baseUrl), headers }]) {
      const result = await listProducts(gateway)
      expect(result.ok).toBe(false)
      const [error] = result.ok ? [] : result.errors
      const cause = error?.cause as Error | undefined
      expect(`${JSON.stringify([error, cause])} ${cause?.stack}`).not.toContain(token)
    }
  })

  test('hides a token that the service repeats in the errors of a result', async () => {
    const token = 'tok-5f1e0c9a7b'
    const errors = [{ message: `unknown token ${token}`, extensions: { code: 'X', given: token } }]
    const { baseUrl } = await serve((_request, response) =>
      json(JSON.stringify({ data: { Products: null }, errors }))(response),
    )
    const headers = { authorization: `Bearer ${token}` }
    expect(await listProducts(over(baseUrl, { headers }))).toEqual({
      ok: false,
      errors: [
        { message: 'unknown token [not shown]', extensions: { code: 'X', given: '[not shown]' } },
      ],
      partial: { Products: null },
    })
  })
})
