import { describe, expect, it } from 'vitest'
import { RequestError } from '../src/index.ts'
import { answer, coreFor, fakeRuntime, freeAddress, routes, serve, transports } from './serve.ts'

const input = { intent: 'try' }
const ok = answer(200, { ok: true })

describe.each(transports)('over %s', (_, transport) => {
  it.each([408, 425, 429, 500, 502, 503, 504])('retries a read after %i', async (status) => {
    const served = await serve(answer(status), answer(status), ok)
    const { pauses, runtime } = fakeRuntime()
    const core = coreFor(served, transport, { retry: {}, runtime })
    expect((await core.send(routes.read, input)).json()).toEqual({ ok: true })
    expect(pauses).toEqual([250, 500])
  })

  it.each([400, 401, 403, 404, 406, 422, 501])('does not retry a read after %i', async (status) => {
    const served = await serve(answer(status), ok)
    const { pauses, runtime } = fakeRuntime()
    const core = coreFor(served, transport, { retry: {}, runtime })
    await expect(core.send(routes.read, input)).rejects.toMatchObject({ status })
    expect(pauses).toEqual([])
    expect(served.requests).toHaveLength(1)
  })

  it('fails after the last attempt, with the number of attempts', async () => {
    const served = await serve(answer(503, { message: 'Starting' }))
    const { pauses, runtime } = fakeRuntime(0)
    const core = coreFor(served, transport, { retry: {}, runtime })
    await expect(core.send(routes.read, input)).rejects.toThrow(
      [
        'Cannot try: the service responded with 503',
        '  project: P1',
        `  url: ${served.url}/read`,
        '  operation: test.read',
        '  attempts: 5',
        '  message: Starting',
      ].join('\n'),
    )
    expect(pauses).toEqual([125, 250, 500, 1000])
    expect(served.requests).toHaveLength(5)
  })

  it('retries a replacement with its body, and never a creation that was received', async () => {
    const served = await serve(answer(500), ok)
    const { runtime } = fakeRuntime()
    const core = coreFor(served, transport, { retry: {}, runtime })
    const json = { name: 'größe' }
    expect((await core.send(routes.replace, { ...input, json })).status).toBe(200)
    expect(
      served.requests.map(({ method, headers }) => [method, headers['content-length']]),
    ).toEqual([
      ['PUT', '18'],
      ['PUT', '18'],
    ])

    const other = await serve(answer(500), ok)
    await expect(
      coreFor(other, transport, { retry: {}, runtime }).send(routes.create, { ...input, json }),
    ).rejects.toMatchObject({ status: 500 })
    expect(other.requests).toHaveLength(1)
  })

  it('retries a creation after 429', async () => {
    const served = await serve(answer(429), ok)
    const { runtime } = fakeRuntime()
    await coreFor(served, transport, { retry: {}, runtime }).send(routes.create, input)
    expect(served.requests).toHaveLength(2)
  })

  it('retries a creation if the connection was refused, not if it broke', async () => {
    const { pauses, runtime } = fakeRuntime()
    const closed = coreFor({ url: await freeAddress() }, transport, { retry: {}, runtime })
    await expect(closed.send(routes.create, input)).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringContaining('Cannot try: the connection failed (ECONNREFUSED)'),
    })
    expect(pauses).toHaveLength(4)

    const cut = await serve((response) => response.destroy())
    await expect(
      coreFor(cut, transport, { retry: {}, runtime }).send(routes.create, { ...input, json: {} }),
    ).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    expect(cut.requests).toHaveLength(1)
  })

  it('uses the effect of a call instead of that of its route', async () => {
    const served = await serve(answer(500), ok)
    const { runtime } = fakeRuntime()
    const core = coreFor(served, transport, { retry: {}, runtime })
    await core.send(routes.create, { ...input, json: {}, effect: 'read' })
    expect(served.requests).toHaveLength(2)
  })

  it.each([
    ['3', 3000],
    // By the clock of the server, ten years behind that of the client.
    ['Wed, 01 Jan 2020 00:00:20 GMT', 20_000],
    ['Tue, 31 Dec 2019 00:00:00 GMT', 250],
    ['0', 250],
    ['soon', 250],
    ['try 5', 250],
    ['-7', 250],
  ])('waits as long as Retry-After: %s requests', async (value, expected) => {
    const headers = { date: 'Wed, 01 Jan 2020 00:00:00 GMT', 'retry-after': value }
    const served = await serve(answer(429, '', headers), ok)
    const { pauses, runtime } = fakeRuntime()
    await coreFor(served, transport, { retry: {}, runtime }).send(routes.read, input)
    expect(pauses).toEqual([expected])
  })

  it('waits for the end of a rate limit of a minute without Retry-After', async () => {
    const { pauses, runtime } = fakeRuntime(0)
    const startMs = runtime.now!()
    const served = await serve((response) => {
      const isOver = runtime.now!() - startMs >= 60_000
      response.writeHead(isOver ? 200 : 429).end(isOver ? '7' : '')
    })
    const core = coreFor(served, transport, { retry: {}, runtime })
    expect((await core.send(routes.create, input)).json()).toBe(7)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000)
  })

  it('fails after the window of a rate limit, even if the clock is frozen', async () => {
    const served = await serve(answer(429))
    const { pauses, runtime } = fakeRuntime()
    const core = coreFor(served, transport, { retry: {}, runtime: { ...runtime, now: () => 0 } })
    await expect(core.send(routes.read, input)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000])
  })

  it('waits for a rate limit within totalTimeoutMs, and not at all with retries off', async () => {
    const served = await serve(answer(429))
    const { pauses, runtime } = fakeRuntime()
    const core = coreFor(served, transport, { retry: {}, runtime, totalTimeoutMs: 20_000 })
    await expect(core.send(routes.read, input)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000])
    const once = coreFor(served, transport, { retry: { attempts: 1 }, runtime })
    await expect(once.send(routes.read, input)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(pauses).toHaveLength(6)
  })

  it('stops waiting for a rate limit when the caller aborts', async () => {
    const controller = new AbortController()
    const served = await serve((response) => {
      response.writeHead(429).end()
      setTimeout(() => controller.abort(), 20)
    })
    const core = coreFor(served, transport, { retry: { baseDelayMs: 30_000, maxDelayMs: 30_000 } })
    await expect(
      core.send(routes.read, { ...input, signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'REQUEST_ABORTED' })
  })

  it('does not start a pause that exceeds totalTimeoutMs', async () => {
    const served = await serve(answer(429, '', { 'retry-after': '121' }), ok)
    const { pauses, runtime } = fakeRuntime()
    const core = coreFor(served, transport, { retry: {}, runtime })
    const error = await core.send(routes.read, input).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(RequestError)
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterMs: 121_000 })
    expect((error as Error).message).toContain('retryAfter: 121 s')
    expect(pauses).toEqual([])
    expect(served.requests).toHaveLength(1)
  })
})
