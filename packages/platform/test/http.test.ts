import { ProblemDetails, Rejection } from '@servicekit/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { type FaultRule } from '../src/control/fault-rules.ts'
import { send } from './gateway-client.ts'
import { get, project } from '@servicekit/testing/projects'

let platform: Platform
let now = new Date('2026-01-01T00:00:00Z')
beforeAll(async () => {
  platform = await createPlatform({
    origins: ['https://app.example'],
    rateLimitPerMinute: 1000,
    clock: () => now,
    projects: [project('P', { en: { m: { A: 'a'.repeat(50) } } })],
  })
})
afterAll(() => platform.close())

const path = '/uilm/v1/Key/GetUilmFile'
const query = { Language: 'en', ModuleName: 'm', ProjectKey: 'P' }
const ask = (headers: Record<string, string> = {}, method = 'GET') =>
  get(platform, path, query, { key: 'P', headers, method })
const control = (method: string, at: string, body?: unknown, headers?: Record<string, string>) =>
  platform.fetch(
    new Request(`http://platform.local/_platform${at}`, {
      method,
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )

describe('request ids', () => {
  it('are generated', async () => {
    expect((await ask()).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('are taken from the header if they are valid', async () => {
    expect((await ask({ 'x-request-id': 'trace-1' })).headers.get('x-request-id')).toBe('trace-1')
    expect((await ask({ 'x-request-id': '<script>' })).headers.get('x-request-id')).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })
})

describe('routes', () => {
  it('respond to an unknown path with 404', async () => {
    for (const at of ['/data/v4/nothing', '/_platform/nothing', '/uilm/v1/Key/GetUilmFile/x']) {
      expect((await get(platform, at)).status).toBe(404)
    }
    const problem = await get(platform, '/data/v4/nothing')
    expect(problem.headers.get('content-type')).toContain('application/problem+json')
    expect(ProblemDetails.parse(await problem.json()).traceId).toBe(
      problem.headers.get('x-request-id'),
    )
  })

  it.each([
    ['DELETE', '/tools/a/agent-count', 'GET'],
    ['GET', '/tools/a/initiate-oauth', 'POST'],
    ['PATCH', '/iam/v4/iam/users/a', 'GET'],
    ['PATCH', '/iam/v4/iam/users/create', 'POST'],
    ['GET', '/data/v4/gateway', 'POST'],
  ])('list the allowed methods in a 405 response to %s %s', async (method, address, allowed) => {
    const response = await get(platform, address, {}, { key: 'P', method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed])
  })
})

describe('the rate limit', () => {
  it.each([true, false])(
    'rejects more than the limit with 429, until time passes (retryAfter %s)',
    async (retryAfter) => {
      const limited = await createPlatform({ rateLimitPerMinute: 3, retryAfter, clock: () => now })
      const statuses = async () =>
        (
          await Promise.all(
            [1, 2, 3, 4].map(async () => (await get(limited, '/uilm/v1/Language/Gets')).status),
          )
        ).toSorted()
      expect(await statuses()).toEqual([401, 401, 401, 429])
      const response = await get(limited, '/uilm/v1/Language/Gets')
      // Three per minute are one per 20 s.
      expect(response.headers.get('retry-after')).toBe(retryAfter ? '20' : null)
      expect(Rejection.parse(await response.json()).IsSuccess).toBe(false)
      expect((await get(limited, '/_platform/ready')).status).toBe(200)
      now = new Date(now.getTime() + 20_000)
      expect(await statuses()).toEqual([401, 429, 429, 429])
      now = new Date(now.getTime() + 60_000)
      expect(await statuses()).toEqual([401, 401, 401, 429])
      await limited.close()
    },
  )
})

describe('fault injection rules', () => {
  afterEach(() => control('DELETE', '/faults'))
  const rule = async (fault: FaultRule) => {
    const response = await control('POST', '/faults', fault)
    expect(response.status).toBe(201)
    return (await response.json()) as FaultRule & { id: string }
  }

  it('respond with a status instead of the operation, a number of times', async () => {
    await rule({ path, status: 429, retryAfter: 2, times: 2 })
    const responses = [await ask(), await ask(), await ask()]
    expect(responses.map(({ status }) => status)).toEqual([429, 429, 200])
    expect(responses[0]!.headers.get('retry-after')).toBe('2')
    expect(responses[0]!.headers.get('content-type')).toContain('application/problem+json')
  })

  it('truncate a body', async () => {
    await rule({ truncateAfter: 20 })
    const response = await ask()
    const text = await response.text()
    expect([response.status, text.length]).toEqual([200, 20])
    expect(response.headers.get('content-length')).toBeNull()
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  })

  it('send an empty body', async () => {
    await rule({ truncateAfter: 0 })
    const response = await ask()
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('send an empty body with an injected status', async () => {
    await rule({ status: 500, truncateAfter: 0 })
    const response = await ask()
    expect([response.status, await response.text()]).toEqual([500, ''])
  })

  it('delay a response', async () => {
    await rule({ delayMs: 60 })
    const start = performance.now()
    expect((await ask()).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(55)
  })

  it('drop a connection before the operation', async () => {
    await rule({ drop: true, times: 1 })
    await expect(ask()).rejects.toThrow('dropped')
    expect((await ask()).status).toBe(200)
  })

  it('drop a connection after the operation', async () => {
    const insert = () =>
      send(platform, 'D', 'mutation { insertThing(input: {ItemId: "dropped"}) { acknowledged } }')
    await platform.loadProject(
      project(
        'D',
        {},
        {
          schemas: [{ schemaName: 'Thing', schemaType: 1, querySchema: 'Things', fields: [] }],
        },
      ),
    )
    const { id } = platform.faults.add({ path: '/data/v4/gateway', drop: 'after' })
    await expect(insert()).rejects.toThrow('dropped')
    platform.faults.remove(id)
    expect((await insert()).data.insertThing.acknowledged).toBe(false)
    const requests = (await (await control('GET', '/requests?limit=2')).json()) as object[]
    expect(requests).toMatchObject([{ status: 200 }, { status: 0, operation: 'data.execute' }])
  })

  it('limit the rate of a body', async () => {
    await rule({ bytesPerSecond: 200 })
    const pieces: Uint8Array[] = []
    for await (const piece of (await ask()).body!) pieces.push(piece)
    expect(pieces.map(({ length }) => length)).toEqual([20, 20, 18])
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ A: 'a'.repeat(50) })
  })

  it('apply to a single request that carries one in its header', async () => {
    const sent = await ask({ 'x-platform-fault': '{"status": 503}' })
    expect(sent.status).toBe(503)
    expect((await ask({ 'x-platform-fault': '{"nothing": 1}' })).status).toBe(400)
    expect((await ask()).status).toBe(200)
    const guarded = await createPlatform({ controlToken: 'secret' })
    const headers = { 'x-platform-fault': '{"status": 503}' }
    expect((await get(guarded, path, {}, { headers })).status).toBe(401)
    await guarded.close()
  })

  it('match requests of one browser tab, which the request log names', async () => {
    await rule({ path, status: 503, tab: 'tab-1' })
    expect((await ask()).status).toBe(200)
    expect((await ask({ 'x-servicekit-tab': 'tab-2' })).status).toBe(200)
    expect((await ask({ 'x-servicekit-tab': 'tab-1' })).status).toBe(503)
    const logged = (await (await control('GET', '/requests?limit=3')).json()) as { tab?: string }[]
    const tabs = logged.map(({ tab }) => tab)
    expect(tabs).toEqual(['tab-1', 'tab-2', undefined])
  })

  it('match requests by method and path', async () => {
    await rule({ method: 'POST', status: 500 })
    await rule({ path: '/uilm/v1/Key/*?*ModuleName=other*', status: 500 })
    expect((await ask()).status).toBe(200)
    const other = await get(platform, path, { ...query, ModuleName: 'other' }, { key: 'P' })
    expect(other.status).toBe(500)
  })

  it('are listed and removed', async () => {
    const { id } = await rule({ status: 500 })
    expect(await (await control('GET', '/faults')).json()).toEqual([{ id, status: 500 }])
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(204)
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(404)
    expect((await ask()).status).toBe(200)
  })

  it.each([{ status: 99 }, { nothing: 1 }, { times: 0 }, { delayMs: -1 }, []])(
    'are rejected if they are %j',
    async (fault) => {
      expect((await control('POST', '/faults', fault)).status).toBe(400)
    },
  )

  it('keep the CORS headers of an injected response', async () => {
    await rule({ status: 503 })
    const response = await ask({ origin: 'https://app.example' })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })
})

describe('request bodies', () => {
  const post = (
    at: string,
    body: string | ReadableStream<Uint8Array>,
    headers: Record<string, string> = {},
  ) =>
    platform.fetch(
      new Request(`http://platform.local${at}`, {
        method: 'POST',
        headers: { 'x-service-key': 'P', ...headers },
        body,
        duplex: 'half',
      } as RequestInit),
    )
  const endless = (count: number) =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (count-- > 0) controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20))
        else controller.close()
      },
    })

  it.each(['/data/v4/gateway', '/_platform/clock', '/_platform/faults'])(
    'that are too large are rejected by %s',
    async (at) => {
      const responses = [
        await post(at, endless(17)),
        await post(at, '{}', { 'content-length': String(2 ** 30) }),
      ]
      expect(responses.map(({ status }) => status)).toEqual([413, 413])
      expect(ProblemDetails.parse(await responses[0]!.json()).status).toBe(413)
    },
  )

  it('may arrive in chunks', async () => {
    const text = JSON.stringify({ query: '{ __typename }' })
    const pieces = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    const response = await post('/data/v4/gateway', pieces)
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } })
  })
})

describe('the control token', () => {
  it('is required if it is set', async () => {
    const own = await createPlatform({ controlToken: 'secret' })
    const status = async (headers: Record<string, string>) =>
      (await get(own, '/_platform/projects', {}, { headers })).status
    expect(await status({})).toBe(401)
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await status({ authorization: 'Bearer secret' })).toBe(200)
    await own.close()
  })
})

it('responds to unexpected errors with problem details, and reports them', async () => {
  const errors: Error[] = []
  const own = await createPlatform({
    projects: [project('P')],
    onError: (error) => errors.push(error),
    suggestions: { name: 'none', propose: () => Promise.reject(new Error('select from a pool')) },
  })
  const text = {
    elementType: 'button',
    elementApplicationContext: 'shop',
    elementDetailContext: 'save',
    sourceText: 'Save',
    currentLanguage: 'en',
    destinationLanguage: 'de',
  }
  const response = await own.fetch(
    new Request('http://platform.local/uilm/v1/Assistant/GetTranslationSuggestion', {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: JSON.stringify(text),
    }),
  )
  expect(response.status).toBe(500)
  const body = ProblemDetails.parse(await response.json())
  expect(body).toMatchObject({ status: 500, title: 'The request failed.' })
  expect(JSON.stringify(body)).not.toMatch(/pool|select|stack/i)
  expect(errors).toHaveLength(1)

  await own.close()
  const late = await get(own, path, query, { key: 'P' })
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1'])
  expect(late.headers.get('x-request-id')).toMatch(/./)
  ProblemDetails.parse(await late.json())
  expect(errors).toHaveLength(1)
})
