import { describe, expect, it } from 'vitest'
import { startSignIn } from '../src/auth.ts'
import { getUser } from '../src/iam.ts'
import { createCore, fetchTransport, type Hooks, type RequestEvent } from '../src/index.ts'
import { openTelemetry, type OtelSpan } from '../src/opentelemetry.ts'
import { fakeRuntime } from './serve.ts'

const answers = (...statuses: number[]) => {
  const seen: Headers[] = []
  const transport = fetchTransport((request) => {
    seen.push(request.headers)
    const status = statuses[Math.min(seen.length, statuses.length) - 1]!
    return Response.json({ data: { itemId: 'u1' } }, { status })
  })
  return { seen, transport }
}
const coreWith = (hooks: Hooks, ...statuses: number[]) => {
  const { seen, transport } = answers(...statuses)
  const { runtime } = fakeRuntime()
  const options = { baseUrl: 'http://service.test', projectKey: 'P1', transport, hooks, runtime }
  return { seen, core: createCore({ ...options, headers: { authorization: 'Bearer canary' } }) }
}

describe('hooks', () => {
  it('are called around every attempt, with the same request id', async () => {
    const events: unknown[] = []
    const { seen, core } = coreWith(
      {
        before: async ({ operation, attempt, path }) => {
          events.push(['before', operation, attempt, path])
          return { 'x-trace': `t${attempt}`, authorization: 'of a hook' }
        },
        after: ({ attempt }, { status, code }) =>
          void events.push(['after', attempt, status, code]),
      },
      503,
      200,
    )
    await getUser(core, { userId: 'canary' })
    expect(events).toEqual([
      ['before', 'iam.getUser', 1, '/iam/v4/iam/users/{userId}'],
      ['after', 1, 503, 'REQUEST_REFUSED'],
      ['before', 'iam.getUser', 2, '/iam/v4/iam/users/{userId}'],
      ['after', 2, 200, undefined],
    ])
    expect(seen.map((headers) => headers.get('x-trace'))).toEqual(['t1', 't2'])
    const ids = seen.map((headers) => headers.get('x-request-id'))
    expect(ids[0]).toMatch(/^[\da-f-]{36}$/)
    expect(ids[1]).toBe(ids[0])
    // A failure can be found in the service's logs by its id.
    const failing = coreWith({}, 404)
    const error: unknown = await getUser(failing.core, { userId: 'u1' }).catch((cause) => cause)
    expect(error).toMatchObject({ requestId: failing.seen[0]!.get('x-request-id') })
    expect((error as Error).message).not.toContain(failing.seen[0]!.get('x-request-id'))
    // A hook adds headers and replaces none.
    expect(seen[0]!.get('authorization')).toBe('Bearer canary')
  })

  it('learn of each retry and its pause, before the pause', async () => {
    const events: unknown[] = []
    const { transport } = answers(429, 503, 400)
    const { runtime, pauses } = fakeRuntime()
    const core = createCore({
      baseUrl: 'http://service.test',
      projectKey: 'P1',
      transport,
      runtime,
      hooks: {
        after: ({ attempt }, { status }) => void events.push(['after', attempt, status]),
        retry: ({ operation, attempt }, retry) => {
          events.push(['retry', operation, attempt, retry, [...pauses]])
          throw new Error('a failing hook')
        },
      },
    })
    await expect(getUser(core, { userId: 'u1' })).rejects.toMatchObject({ status: 400 })
    expect(events).toEqual([
      ['after', 1, 429],
      ['retry', 'iam.getUser', 1, { status: 429, pauseMs: 250 }, []],
      ['after', 2, 503],
      ['retry', 'iam.getUser', 2, { status: 503, pauseMs: 500 }, [250]],
      ['after', 3, 400],
    ])
  })

  it('receive no secrets', async () => {
    const all: unknown[] = []
    const hooks: Hooks = {
      before: (event) => void all.push(event),
      after: (...args) => all.push(args),
    }
    await getUser(coreWith(hooks, 404).core, { userId: 'canary' }).catch(() => undefined)
    const { core } = coreWith(hooks, 200)
    await startSignIn(core, { clientId: 'canary', redirectUri: 'https://canary.test' }).catch(
      () => undefined,
    )
    expect(all).toHaveLength(4)
    expect(JSON.stringify(all)).not.toContain('canary')
  })

  it('end a call that `before` rejects, and ignore errors of `after`', async () => {
    let refusals = 0
    const refuse = () => {
      refusals++
      throw new TypeError('not now')
    }
    const refusing = coreWith({ before: refuse }, 200)
    await expect(getUser(refusing.core, { userId: 'u1' })).rejects.toMatchObject({
      cause: new TypeError('not now'),
    })
    expect(refusing.seen).toHaveLength(0)
    expect(refusals).toBe(1)
    const failing = coreWith({ after: refuse }, 200)
    expect(await getUser(failing.core, { userId: 'u1' })).toMatchObject({ itemId: 'u1' })
  })
})

describe('openTelemetry', () => {
  const spans: Record<string, unknown>[] = []
  const tracer = {
    startSpan: (
      name: string,
      { kind, attributes }: { kind: number; attributes: object },
    ): OtelSpan => {
      const span: Record<string, unknown> = { name, kind, ...attributes }
      spans.push(span)
      return {
        setAttribute: (key, value) => (span[key] = value),
        setStatus: ({ code }) => (span['code'] = code),
        end: () => (span['isEnded'] = true),
        spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
      }
    },
  }

  it('creates a span for each attempt and propagates it', async () => {
    const { seen, core } = coreWith(openTelemetry(tracer), 503, 200)
    await getUser(core, { userId: 'canary' })
    expect(spans).toMatchObject([
      {
        name: 'iam.getUser',
        kind: 2,
        'http.request.method': 'GET',
        'url.template': '/iam/v4/iam/users/{userId}',
        'http.request.resend_count': 0,
        'http.response.status_code': 503,
        'error.type': 'REQUEST_REFUSED',
        code: 2,
        isEnded: true,
      },
      { 'http.request.resend_count': 1, 'http.response.status_code': 200, isEnded: true },
    ])
    expect(spans[1]).not.toHaveProperty('code')
    expect(JSON.stringify(spans)).not.toContain('canary')
    expect(seen[0]!.get('traceparent')).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)
  })

  it('does not propagate the span if configured so', async () => {
    const { seen, core } = coreWith(openTelemetry(tracer, { propagate: false }), 200)
    await getUser(core, { userId: 'u1' })
    expect(seen[0]!.get('traceparent')).toBeNull()
  })

  it('ignores the end of an attempt that it did not see begin', () => {
    const hooks = openTelemetry(tracer)
    const unknown = {} as RequestEvent
    expect(hooks.after!(unknown, { status: 200, code: undefined, durationMs: 1 })).toBeUndefined()
  })
})
