import * as routes from '@servicekit/contract/routes'
import { describe, expect, it } from 'vitest'
import { createSession, type SessionOptions, type TabMessage } from '../src/auth.ts'
import { execute } from '../src/data.ts'
import { getMe } from '../src/iam.ts'
import { type ClientOptions, type Core, createCore, fetchTransport } from '../src/index.ts'
import { forwardCookies, tokenSource, withToken } from '../src/server.ts'

const json = (body: object, status = 200): Response => Response.json(body, { status })
const never = new Promise<never>(() => undefined)
const refused = { data: null, errors: [{ extensions: { code: 'AUTH_NOT_AUTHENTICATED' } }] }
const mutation = { query: 'mutation { insertProduct(input: {}) { acknowledged } }' }

type Handler = (request: Request) => Response | Promise<Response>

/** Core on a service whose token route and other routes are handled by the test. */
function coreOn(token: Handler, other: Handler, options: Partial<ClientOptions> = {}): Core {
  const handle: Handler = (request) =>
    (request.url.endsWith('/oidc/token') ? token : other)(request)
  return createCore({
    baseUrl: 'http://service.test',
    projectKey: 'P1',
    transport: fetchTransport(handle),
    retry: { attempts: 1 },
    ...options,
  })
}
const credentials = { clientId: 'm', clientSecret: 'canary-secret' }
const machine = (core: Core): Core => withToken(core, tokenSource(core, credentials))
const person = (core: Core, options: Partial<SessionOptions> = {}) =>
  createSession(core, { clientId: 'web', ...options })
const token = { access_token: 't1', token_type: 'Bearer', expires_in: 420 }

const callers: readonly [string, (core: Core) => Core][] = [
  ['a session', (core) => person(core).core],
  ['a machine', machine],
]

/** Returns the error of a call and the milliseconds until it failed. */
async function failureOf(work: Promise<unknown>) {
  const startMs = performance.now()
  const error: unknown = await work.then(
    () => expect.unreachable('it worked'),
    (cause: unknown) => cause,
  )
  return { error, ms: performance.now() - startMs }
}

describe.each(callers)('while the token route of %s hangs', (_, as) => {
  const hung = (options: Partial<ClientOptions>) =>
    as(
      coreOn(
        () => never,
        () => json({}, 401),
        options,
      ),
    )

  it('a call ends when its signal aborts', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 30)
    const { error, ms } = await failureOf(getMe(hung({}), { signal: controller.signal }))
    expect(error).toMatchObject({ code: 'REQUEST_ABORTED', cause: new Error('enough') })
    expect(ms).toBeLessThan(3000)
  })

  it('a call ends with its own total time', async () => {
    const { error, ms } = await failureOf(getMe(hung({ totalTimeoutMs: 60 })))
    expect(error).toMatchObject({ code: 'REQUEST_TIMED_OUT' })
    expect(ms).toBeLessThan(3000)
  })

  it('an aborted call does not affect the others', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isValid = false
    const core = as(
      coreOn(
        async () => {
          await held
          isValid = true
          return json(token)
        },
        () => (isValid ? json({ data: { itemId: 'u1' } }) : json({}, 401)),
      ),
    )
    const { signal } = Object.assign(new AbortController())
    const controller = new AbortController()
    const aborted = getMe(core, { signal: controller.signal })
    const other = getMe(core, { signal })
    controller.abort()
    expect((await failureOf(aborted)).error).toMatchObject({ code: 'REQUEST_ABORTED' })
    release()
    expect(await other).toMatchObject({ itemId: 'u1' })
  })
})

it('a renewal takes no longer than its timeoutMs, including retries', async () => {
  let asked = 0
  const core = coreOn(
    () => (asked++, never),
    () => json({}, 401),
    { retry: { attempts: 5, baseDelayMs: 1 } },
  )
  expect(await person(core, { timeoutMs: 60 }).renew()).toBe(false)
  expect(asked).toBe(1)
})

it.each<[string, Partial<ClientOptions>]>([
  ['a hook', { hooks: { before: () => never } }],
  ['a transport that ignores its signal', { transport: { send: () => never } }],
  [
    'a body that never ends',
    { transport: fetchTransport(() => new Response(new ReadableStream())) },
  ],
])('a call ends within its time while %s hangs', async (_, options) => {
  const core = coreOn(
    () => never,
    () => never,
    { totalTimeoutMs: 60, ...options },
  )
  const { error, ms } = await failureOf(getMe(core))
  expect(error).toMatchObject({ code: 'REQUEST_TIMED_OUT' })
  expect(ms).toBeLessThan(3000)
})

it('a machine with one connection does not deadlock', async () => {
  const core = machine(
    coreOn(
      () => json(token),
      () => json({ data: { itemId: 'u1' } }),
      { maxConcurrency: 1, totalTimeoutMs: 5000 },
    ),
  )
  expect(await getMe(core)).toMatchObject({ itemId: 'u1' })
})

describe.each(callers)('AUTH_NOT_AUTHENTICATED for %s', (_, as) => {
  const gateway = (answers: object[], options: Partial<ClientOptions> = {}) => {
    const counts = { tokens: 0, sent: 0 }
    const core = as(
      coreOn(
        () => (counts.tokens++, json({ ...token, access_token: `t${counts.tokens}` })),
        () => json(answers[Math.min(counts.sent++, answers.length - 1)]!),
        options,
      ),
    )
    return { core, counts }
  }
  const first = as === machine ? 1 : 0

  it.each([mutation, { query: '{ Products { totalCount } }' }])(
    'is renewed once, and $query is sent again',
    async (request) => {
      const { core, counts } = gateway([refused, { data: { done: true } }])
      expect(await execute(core, request)).toEqual({ ok: true, data: { done: true } })
      expect(counts).toEqual({ tokens: first + 1, sent: 2 })
    },
  )

  it('is the result if the new credentials are rejected too', async () => {
    const { core, counts } = gateway([refused])
    expect(await execute(core, mutation)).toMatchObject({ ok: false, errors: refused.errors })
    expect(counts).toEqual({ tokens: first + 1, sent: 2 })
  })

  it('does not repeat a mutation that ran in part', async () => {
    const partial = { ...refused, data: { insertProduct: { acknowledged: true } } }
    const { core, counts } = gateway([partial])
    expect(await execute(core, mutation)).toMatchObject({ ok: false, partial: partial.data })
    expect(counts).toEqual({ tokens: first, sent: 1 })
  })

  it('is ignored in the data', async () => {
    const data = { Products: [{ Name: 'AUTH_NOT_AUTHENTICATED' }] }
    const { core, counts } = gateway([{ data }])
    expect(await execute(core, mutation)).toEqual({ ok: true, data })
    expect(counts.sent).toBe(1)
  })
})

it('AUTH_NOT_AUTHENTICATED is the result without a session', async () => {
  const core = coreOn(
    () => never,
    () => json(refused),
  )
  expect(await execute(core, mutation)).toMatchObject({ ok: false, errors: refused.errors })
})

describe('a call', () => {
  it.each([
    [['failed'], 1],
    [['renewed'], 2],
    [['elsewhere', 'failed'], 2],
    [['elsewhere', 'renewed'], 3],
    [['elsewhere', 'elsewhere'], 3],
  ] as const)('that 401 meets after the renewals %j is sent %i times', async (outcomes, times) => {
    let sent = 0
    const core = coreOn(
      () => never,
      () => (sent++, json({}, 401)),
    )
    let renewals = 0
    const renew = async () => outcomes[renewals++] ?? 'renewed'
    await expect(core.send(routes.iamGetMe, { intent: 'try', renew })).rejects.toMatchObject({
      status: 401,
    })
    expect([sent, renewals]).toEqual([times, outcomes.length])
  })

  it('does not spend an attempt on a renewal', async () => {
    const statuses = [401, 503, 200]
    const core = coreOn(
      () => json(token),
      () => json({ data: { itemId: 'u1' } }, statuses.shift()),
      { retry: { attempts: 2, baseDelayMs: 1 } },
    )
    expect(await getMe(person(core).core)).toMatchObject({ itemId: 'u1' })
    expect(statuses).toEqual([])
  })
})

describe('a renewal that fails temporarily', () => {
  it.each([408, 425, 429, 500, 503])('with %i does not block the next one', async (status) => {
    let asked = 0
    let isValid = false
    const core = coreOn(
      () => {
        if (asked++ === 0) return json({}, status)
        isValid = true
        return json(token)
      },
      () => (isValid ? json({ data: { itemId: 'u1' } }) : json({}, 401)),
    )
    const session = person(core)
    expect((await failureOf(getMe(session.core))).error).toMatchObject({ status: 401 })
    expect(await getMe(session.core)).toMatchObject({ itemId: 'u1' })
  })

  it('does not block the next one when the connection broke', async () => {
    let asked = 0
    const core = coreOn(
      () => {
        if (asked++ === 0) throw new Error('the connection failed')
        return json(token)
      },
      () => json({}, 401),
    )
    const session = person(core)
    expect(await session.renew()).toBe(false)
    expect(await session.renew()).toBe(true)
  })
})

it('a refused renewal is retried after the clock is set back', async () => {
  let asked = 0
  let nowMs = 1_000_000
  const core = coreOn(
    () => (asked++, json({ error: 'invalid_grant' }, 400)),
    () => json({}, 401),
  )
  const session = person(core, { now: () => nowMs, coolDownMs: 1000 })
  expect(await session.renew()).toBe(false)
  expect(await session.renew()).toBe(false)
  expect(asked).toBe(1)
  nowMs -= 3_600_000
  expect(await session.renew()).toBe(false)
  expect(asked).toBe(2)
})

describe('signing out', () => {
  const signingOut = (status: number) => {
    const told: TabMessage[] = []
    const tabs = {
      runExclusive: async () => false,
      notify: (message: TabMessage) => void told.push(message),
      listen: () => () => undefined,
    }
    const core = coreOn(
      () => json(token),
      () => json({ error: 'invalid_request' }, status),
    )
    return { told, session: person(core, { tabs }) }
  }

  it.each([400, 401, 404])(
    'works after %i, because the session had already ended',
    async (status) => {
      const { told, session } = signingOut(status)
      await session.signOut()
      expect(told).toEqual(['ended'])
    },
  )

  it.each([403, 429, 500])('fails after %i and notifies no tab', async (status) => {
    const { told, session } = signingOut(status)
    expect((await failureOf(session.signOut())).error).toMatchObject({ status })
    expect(told).toEqual([])
  })
})

describe('forwarded cookies', () => {
  it('include those of failed responses', async () => {
    const seen: (string | null)[] = []
    const core = coreOn(
      () => never,
      ({ headers }) => {
        seen.push(headers.get('cookie'))
        return new Response('{}', { status: 401, headers: { 'set-cookie': 'sid=; Max-Age=0' } })
      },
    )
    const forwarded = forwardCookies(core, 'sid=s1')
    await failureOf(getMe(forwarded.core))
    expect(forwarded.setCookie()).toEqual(['sid=; Max-Age=0'])
    await failureOf(getMe(forwarded.core))
    expect(seen).toEqual(['sid=s1', null])
  })

  it('are those of the renewal when a call is repeated', async () => {
    const core = coreOn(
      () => new Response(JSON.stringify(token), { headers: { 'set-cookie': 'sid=s2; Path=/' } }),
      ({ headers }) =>
        headers.get('cookie') === 'sid=s2' ? json({ data: { itemId: 'u1' } }) : json({}, 401),
    )
    const forwarded = forwardCookies(core, 'sid=s1')
    expect(await getMe(person(forwarded.core).core)).toMatchObject({ itemId: 'u1' })
  })
})
