import type { ServerResponse } from 'node:http'
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createCore, fetchTransport } from '../src/index.ts'
import { answer, coreFor, routes, serve, transports } from './serve.ts'

const input = { intent: 'try' }
const never = (): void => undefined
const stalls = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{"a":')
}

async function failureOf(
  work: Promise<unknown>,
): Promise<Error & { code: string; cause: unknown }> {
  return work.then(
    () => {
      throw new Error('it worked')
    },
    (error: unknown) => error as Error & { code: string; cause: unknown },
  )
}

describe.each(transports)('over %s', (_, transport) => {
  it('ends an attempt after timeoutMs', async () => {
    for (const behaviour of [never, stalls]) {
      const served = await serve(behaviour)
      const core = coreFor(served, transport, { timeoutMs: 60 })
      const startMs = performance.now()
      const error = await failureOf(core.send(routes.read, input))
      expect(error.message).toContain('Cannot try: the request timed out')
      expect(error.code).toBe('REQUEST_TIMED_OUT')
      expect(performance.now() - startMs).toBeLessThan(10_000)
    }
  })

  it('applies the timeout of a call to each attempt', async () => {
    const served = await serve(never, answer(200, '7'))
    const core = coreFor(served, transport, { retry: { baseDelayMs: 1 } })
    expect((await core.send(routes.read, { ...input, timeoutMs: 200 })).json()).toBe(7)
    expect(served.requests.length).toBeGreaterThan(1)
  })

  it('ends all attempts together after totalTimeoutMs', async () => {
    const served = await serve(never)
    const core = coreFor(served, transport, {
      timeoutMs: 100,
      totalTimeoutMs: 1000,
      retry: { attempts: 100, baseDelayMs: 1, maxDelayMs: 1 },
    })
    const startMs = performance.now()
    const error = await failureOf(core.send(routes.read, input))
    expect(error.code).toBe('REQUEST_TIMED_OUT')
    expect(performance.now() - startMs).toBeLessThan(10_000)
    expect(served.requests.length).toBeGreaterThan(1)
    expect(served.requests.length).toBeLessThan(12)
  })

  it('sends nothing if the signal is already aborted', async () => {
    const served = await serve(answer(200))
    const signal = AbortSignal.abort(new Error('enough'))
    const error = await failureOf(
      coreFor(served, transport).send(routes.read, { ...input, signal }),
    )
    expect(error.code).toBe('REQUEST_ABORTED')
    expect(error.message).toContain('Cannot try: the call was aborted')
    expect(error.cause).toEqual(new Error('enough'))
    expect(served.requests).toHaveLength(0)
  })

  it.each([
    ['before the headers', never],
    ['within the body', stalls],
  ])('aborts %s and closes the connection', async (_, behaviour) => {
    const controller = new AbortController()
    let closed: Promise<void> | undefined
    const served = await serve((response, request) => {
      closed = new Promise((resolve) => {
        request.socket.on('close', resolve)
      })
      behaviour(response)
      setTimeout(() => controller.abort(new Error('enough')), 20)
    })
    const core = coreFor(served, transport, { retry: {} })
    const error = await failureOf(core.send(routes.read, { ...input, signal: controller.signal }))
    expect(error.code).toBe('REQUEST_ABORTED')
    expect(error.cause).toEqual(new Error('enough'))
    expect(served.requests).toHaveLength(1)
    await closed
  })

  it('aborts during a pause', async () => {
    const controller = new AbortController()
    const served = await serve((response) => {
      response.writeHead(503).end()
      setTimeout(() => controller.abort(), 20)
    })
    const core = coreFor(served, transport, { retry: { baseDelayMs: 30_000, maxDelayMs: 30_000 } })
    const startMs = performance.now()
    const error = await failureOf(core.send(routes.read, { ...input, signal: controller.signal }))
    expect(error.code).toBe('REQUEST_ABORTED')
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })

  it('leaves no listener on a signal that many requests share', async () => {
    const served = await serve(answer(503), answer(200, '1'))
    const { signal } = new AbortController()
    const core = coreFor(served, transport, { retry: { baseDelayMs: 1 } })
    await Promise.all(
      Array.from({ length: 50 }, () => core.send(routes.read, { ...input, signal })),
    )
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('an in-process handler that ignores its signal', () => {
  const core = (options: object) =>
    createCore({
      baseUrl: 'http://platform.test',
      projectKey: 'P1',
      transport: fetchTransport(() => new Promise(() => undefined)),
      retry: { attempts: 1 },
      ...options,
    })

  it('is awaited no longer than the timeout', async () => {
    const error = await failureOf(core({ timeoutMs: 30 }).send(routes.read, input))
    expect(error.code).toBe('REQUEST_TIMED_OUT')
  })

  it('is no longer awaited after an abort', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    const { signal } = controller
    const error = await failureOf(core({}).send(routes.read, { ...input, signal }))
    expect(error.code).toBe('REQUEST_ABORTED')
  })
})

it('rejects an invalid argument at once', async () => {
  const served = await serve(answer(200))
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  for (const [, transport] of transports) {
    const core = coreFor(served, transport, { retry: {} })
    await expect(core.send(routes.create, { ...input, json: circular })).rejects.toThrow(TypeError)
    await expect(core.send(routes.create, { ...input, json: { n: 1n } })).rejects.toThrow(TypeError)
  }
  expect(served.requests).toHaveLength(0)
})
