import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '../src/index.ts'
import { onEachEngine } from './engines.ts'
import { control, people, signIn } from './people.ts'
import { project } from './projects.ts'

/** On a busy machine, notifications arrive late. */
const patience = { timeout: 20_000 }

onEachEngine((engine) => {
  let instances: Platform[]
  let database: PlatformOptions
  beforeEach(({ skip }) => {
    // A folder belongs to one process.
    if (engine.name === 'PGlite') skip('several instances need PostgreSQL')
  })
  beforeAll(async () => {
    if (engine.name === 'PGlite') return
    const location = await engine.location()
    database = location
    const first = await createPlatform({ ...location, projects: [project('P')] })
    await control(first, 'P', 'PUT', '/identity', people)
    instances = [first, await createPlatform(location)]
  })
  afterAll(() => Promise.all((instances ?? []).map((one) => one.close())))

  /** Alternates requests between the instances. */
  const balanced = () => {
    let count = 0
    return { fetch: (request: Request) => instances[count++ % instances.length]!.fetch(request) }
  }
  const headers = { 'x-service-key': 'P', 'content-type': 'application/x-www-form-urlencoded' }

  it('share a sign-in, its session and its end', async () => {
    const { callback, browser } = await signIn(balanced(), 'P')
    expect(callback.status).toBe(200)
    for (const _ of instances) {
      const session = await browser.send('/iam/v4/oidc/session', { headers })
      expect(session.status).toBe(200)
      expect((await browser.send('/iam/v4/iam/me', { headers })).status).toBe(200)
    }
    const out = await browser.send('/iam/v4/auth/Logout', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(out.status).toBe(200)
    for (const _ of instances) {
      const session = await browser.send('/iam/v4/oidc/session', { headers })
      expect(session.status).toBe(404)
    }
  })

  it('answer many renewals at the same moment with one successor', async () => {
    const { browser } = await signIn(balanced(), 'P')
    const renewals = await Promise.all(
      Array.from({ length: 8 }, () =>
        browser.send('/iam/v4/oidc/token', {
          method: 'POST',
          headers,
          body: 'grant_type=refresh_token&client_id=web',
        }),
      ),
    )
    expect(renewals.map(({ status }) => status)).toEqual(renewals.map(() => 200))
    const tokens = renewals.map((one) =>
      one.headers.getSetCookie().find((cookie) => cookie.startsWith('sk_refresh')),
    )
    expect(new Set(tokens).size).toBe(1)
    expect((await browser.send('/iam/v4/iam/me', { headers })).status).toBe(200)
  })

  it('count the requests of an address together', async () => {
    const options = {
      ...database,
      rateLimitPerMinute: 100,
      trustProxy: true,
      // A fixed clock keeps all requests within one minute, however slow the machine is.
      clock: '2026-01-01T00:00:30Z',
    }
    const limited = await Promise.all([createPlatform(options), createPlatform(options)])
    const send = (index: number, address: string) =>
      limited[index % 2]!.fetch(
        new Request('http://platform.local/uilm/v1/Language/Gets?ProjectKey=P', {
          headers: { ...headers, 'x-forwarded-for': `forged, ${address}` },
        }),
      )
    const answers = await Promise.all(Array.from({ length: 130 }, (_, index) => send(index, 'a')))
    const passed = answers.filter(({ status }) => status === 200).length
    const refused = answers.filter(({ status }) => status === 429)
    expect(passed).toBe(100)
    expect(refused).toHaveLength(30)
    expect(refused[0]!.headers.get('retry-after')).toBe('30')
    expect((await send(0, 'b')).status).toBe(200)
    await Promise.all(limited.map((one) => one.close()))
  })

  it('count guesses of client secrets together', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'job',
      client_secret: 'wrong',
      org_id: 'default',
    })
    const guess = async (index: number) => {
      const init = { method: 'POST', headers, body: form.toString() }
      const request = new Request('http://platform.local/iam/v4/oidc/token', init)
      return (await instances[index % 2]!.fetch(request)).status
    }
    const statuses: number[] = []
    // Each instance alone would allow ten.
    while (!statuses.includes(429) && statuses.length < 40) {
      statuses.push(await guess(statuses.length))
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.indexOf(429)).toBeLessThan(20)
  })

  it('have the same fault rules, and use each as often as it says in all', async () => {
    const rules = async (index: number, method = 'GET', body?: unknown, path = '') => {
      const response = await instances[index]!.fetch(
        new Request(`http://platform.local/_platform/faults${path}`, {
          method,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      return response.status === 204 ? [] : response.json()
    }
    const address = 'http://platform.local/uilm/v1/Language/Gets?ProjectKey=P'
    const status = async (index: number) => {
      const response = await instances[index % 2]!.fetch(new Request(address, { headers }))
      return response.status
    }
    const all = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => status(index)))
    const made = (await rules(0, 'POST', { path: '/uilm/*', status: 503, times: 5 })) as object
    await expect.poll(() => rules(1), patience).toEqual([{ ...made, times: 5 }])
    const spoilt = (await all(12)).filter((one) => one === 503)
    expect(spoilt).toHaveLength(5)
    await expect.poll(async () => [await rules(0), await rules(1)], patience).toEqual([[], []])

    const budget = { requests: 4, windowMs: 100 * 365 * 86_400_000 }
    const { id } = instances[1]!.faults.add({ path: '/uilm/*', budget })
    await expect.poll(() => rules(0), patience).toHaveLength(1)
    expect((await all(10)).filter((one) => one === 200)).toHaveLength(4)
    await rules(0, 'DELETE', undefined, `/${id}`)
    await expect.poll(() => rules(1), patience).toEqual([])
    expect(await all(4)).toEqual([200, 200, 200, 200])

    // An instance that starts later has the rules too.
    await rules(0, 'POST', { status: 500 })
    const third = await createPlatform(database)
    expect(third.faults.list()).toMatchObject([{ status: 500 }])
    await third.close()
    await rules(0, 'DELETE')
    await expect.poll(() => rules(1), patience).toEqual([])
  })
})
