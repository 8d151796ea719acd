import { describe, expect, it } from 'vitest'
import { createSession, type SessionOptions, type TabMessage, type Tabs } from '../src/auth.ts'
import { createOrganization, getMe } from '../src/iam.ts'
import { createCore, fetchTransport } from '../src/index.ts'
import { getFile } from '../src/localization.ts'

const json = (body: unknown, status = 200): Response => Response.json(body as object, { status })

/** Service whose session has expired until renewed. */
function service({ canRenew = true }: { canRenew?: boolean } = {}) {
  const counts = { renewals: 0, refused: 0, made: 0, logouts: 0 }
  let isValid = false
  let renewing: Promise<void> | undefined
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    if (pathname === '/iam/v4/oidc/token') {
      counts.renewals++
      await renewing
      if (!canRenew) return json({ error: 'invalid_grant' }, 400)
      isValid = true
      return json({ token_type: 'Bearer', expires_in: 420 })
    }
    if (pathname === '/iam/v4/auth/Logout') {
      counts.logouts++
      return json({ isSuccess: true })
    }
    if (pathname.startsWith('/localization')) return json({ code: 401 }, 401)
    if (!isValid) {
      counts.refused++
      return json({ error: 'session_expired' }, 401)
    }
    if (pathname.endsWith('/create')) {
      counts.made++
      return json({ isSuccess: true, itemId: `o${counts.made}` })
    }
    return json({ data: { itemId: 'u1', email: 'ada@example.com', active: true } })
  }
  return {
    counts,
    fetch,
    expire: () => {
      isValid = false
    },
    /** Delays renewals until this resolves. */
    hold: (until: Promise<void>) => {
      renewing = until
    },
  }
}

const sessionOn = (
  { fetch }: Pick<ReturnType<typeof service>, 'fetch'>,
  options: Partial<SessionOptions> = {},
) =>
  createSession(
    createCore({
      baseUrl: 'http://service.test',
      projectKey: 'P1',
      transport: fetchTransport(fetch),
      retry: { attempts: 1 },
      maxConcurrency: 2000,
    }),
    { clientId: 'web', ...options },
  )

/** Tabs in one process, with an in-memory lock and channel. */
function tabs(): () => Tabs {
  let last: Promise<unknown> = Promise.resolve()
  const listeners = new Set<(message: TabMessage) => void>()
  return () => {
    let own: ((message: TabMessage) => void) | undefined
    return {
      runExclusive: async (isDone, work) => {
        const before = last
        const run = async (): Promise<boolean> => {
          await before.catch(() => undefined)
          if (isDone()) return false
          await work()
          return true
        }
        const mine = run()
        last = mine
        return mine
      },
      notify: (message) =>
        listeners.forEach((onMessage) => onMessage !== own && onMessage(message)),
      listen: (onMessage) => {
        own = onMessage
        listeners.add(onMessage)
        return () => void listeners.delete(onMessage)
      },
    }
  }
}

describe('an expired session', () => {
  it('is renewed once for a thousand calls, which all succeed', async () => {
    const served = service()
    // A busy machine may handle the other responses for longer than a renewal may take.
    const { core } = sessionOn(served, { timeoutMs: 60_000 })
    const users = await Promise.all(Array.from({ length: 1000 }, () => getMe(core)))
    expect(users.map(({ email }) => email)).toEqual(Array(1000).fill('ada@example.com'))
    expect(served.counts).toMatchObject({ renewals: 1, refused: 1000 })
  })

  it('is renewed once for concurrent calls in eight tabs', async () => {
    const served = service()
    const next = tabs()
    const all = Array.from({ length: 8 }, () => sessionOn(served, { tabs: next() }))
    for (let round = 1; round <= 20; round++) {
      served.expire()
      await Promise.all(all.flatMap(({ core }) => [getMe(core), getMe(core)]))
      expect(served.counts.renewals).toBe(round)
    }
  })

  it('is not renewed again for a call whose 401 arrives after the renewal', async () => {
    const served = service()
    let late: (() => void) | undefined
    const slow = new Promise<void>((resolve) => {
      late = resolve
    })
    let isFirst = true
    const fetch = async (request: Request): Promise<Response> => {
      const response = await served.fetch(request)
      if (!isFirst) return response
      isFirst = false
      await slow
      return response
    }
    const { core } = sessionOn({ fetch })
    const first = getMe(core)
    await getMe(core)
    late?.()
    expect((await first).email).toBe('ada@example.com')
    expect(served.counts).toMatchObject({ renewals: 1, refused: 2 })
  })

  it('repeats a creation after a 401 exactly once', async () => {
    const served = service()
    const { core } = sessionOn(served)
    expect(await createOrganization(core, { name: 'Acme' })).toMatchObject({ itemId: 'o1' })
    expect(served.counts).toMatchObject({ made: 1, refused: 1 })
  })

  it('is not renewed for a wrong project key', async () => {
    const served = service()
    const { core } = sessionOn(served)
    const text = getFile(core, { language: 'de-DE', module: 'auth' })
    await expect(text).rejects.toMatchObject({ status: 401 })
    expect(served.counts.renewals).toBe(0)
  })
})

describe('a session that cannot be renewed', () => {
  it('calls onEnd once, and is not renewed again during the cool-down', async () => {
    const served = service({ canRenew: false })
    let now = 0
    let ends = 0
    const onEnd = (): void => void ends++
    const { core } = sessionOn(served, { now: () => now, coolDownMs: 1000, onEnd })
    const calls = await Promise.allSettled(Array.from({ length: 50 }, () => getMe(core)))
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(calls[0]).toMatchObject({ reason: { status: 401, details: { operation: 'iam.getMe' } } })
    now = 999
    await expect(getMe(core)).rejects.toMatchObject({ status: 401 })
    expect([served.counts.renewals, ends]).toEqual([1, 1])
    now = 1000
    await expect(getMe(core)).rejects.toMatchObject({ status: 401 })
    expect(served.counts.renewals).toBe(2)
  })
})

it.each([
  [400, 1],
  [401, 1],
  [423, 1],
  [408, 0],
  [425, 0],
  [429, 0],
  [503, 0],
])('a renewal with the status %i calls onEnd %i times', async (status, times) => {
  const fetch = async ({ url }: Request): Promise<Response> =>
    json({}, url.endsWith('/token') ? status : 401)
  let ends = 0
  const session = sessionOn({ fetch }, { onEnd: () => void ends++ })
  expect(await session.renew()).toBe(false)
  expect(ends).toBe(times)
})

describe('signing out', () => {
  it('ends the session on the server and notifies other tabs', async () => {
    const served = service()
    const next = tabs()
    const ended: string[] = []
    const [here] = ['here', 'there', 'elsewhere'].map((name) =>
      sessionOn(served, { tabs: next(), onEnd: () => ended.push(name) }),
    )
    await here!.signOut()
    expect(served.counts.logouts).toBe(1)
    expect(ended).toEqual(['there', 'elsewhere'])
  })

  it('calls onEnd for its own message only', () => {
    let notified = (_message: TabMessage): void => undefined
    const listening: Tabs = {
      runExclusive: async () => false,
      notify: () => undefined,
      listen: (onMessage) => {
        notified = onMessage
        return () => undefined
      },
    }
    let ends = 0
    sessionOn(service(), { tabs: listening, onEnd: () => void ends++ })
    // From a tab that runs an earlier version.
    notified({ requestedBy: '1' } as never)
    expect(ends).toBe(0)
    notified('ended')
    expect(ends).toBe(1)
  })

  it('does not notify a closed session', async () => {
    const served = service()
    const next = tabs()
    const ended: string[] = []
    const [here, there] = ['here', 'there'].map((name) =>
      sessionOn(served, { tabs: next(), onEnd: () => ended.push(name) }),
    )
    there!.close()
    await here!.signOut()
    expect(ended).toEqual([])
  })
})
