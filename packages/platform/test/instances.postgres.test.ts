import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '../src/index.ts'
import { eventsOf } from './event-stream.ts'
import { onPostgres } from '@servicekit/testing/engines'
import { control, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

onPostgres((engine) => {
  let instances: Platform[]
  let database: PlatformOptions
  beforeAll(async () => {
    const location = await engine.location()
    database = location
    const first = await createPlatform({ ...location, projects: [project('P')] })
    await control(first, 'P', 'PUT', '/identity', people)
    const more = Array.from({ length: 3 }, () => createPlatform(location))
    instances = [first, ...(await Promise.all(more))]
  })
  afterAll(() => Promise.all((instances ?? []).map((one) => one.close())))

  /** Alternates requests between the instances. */
  const balanced = () => {
    let count = 0
    return { fetch: (request: Request) => instances[count++ % instances.length]!.fetch(request) }
  }
  const headers = { 'x-service-key': 'P', 'content-type': 'application/x-www-form-urlencoded' }

  it('share a sign-in, its session and the sign-out', async () => {
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

  it('publish a signing key that another one rotated, at once', async () => {
    const path = '/iam/v4/oidc/projects/P/jwks'
    const published = () =>
      Promise.all(
        instances.map(async (one) => {
          const response = await one.fetch(new Request(`http://localhost${path}`))
          return ((await response.json()) as { keys: { kid: string }[] }).keys[0]!.kid
        }),
      )
    const before = await published()
    const rotate = () =>
      control(instances[1]!, 'P', 'POST', '/signing-key/rotate', { overlapSeconds: 60 })
    const { kid } = (await (await rotate()).json()) as { kid: string }
    expect(before).not.toContain(kid)
    expect(await published()).toEqual(instances.map(() => kid))
  })

  it('respond to concurrent renewals with the same refresh token', async () => {
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

  it('share the rate limit of an address', async () => {
    const options = {
      ...database,
      rateLimitPerMinute: 100,
      trustProxy: true,
      // With a frozen clock, no request is added to the limit while the test runs.
      clock: '2026-01-01T00:00:30Z',
    }
    const limited = await Promise.all([createPlatform(options), createPlatform(options)])
    const send = (index: number, address: string) =>
      limited[index % 2]!.fetch(
        new Request('http://platform.local/uilm/v1/Language/Gets?ProjectKey=P', {
          headers: { ...headers, 'x-forwarded-for': `forged, ${address}` },
        }),
      )
    const responses = await Promise.all(Array.from({ length: 130 }, (_, index) => send(index, 'a')))
    const accepted = responses.filter(({ status }) => status === 200).length
    const rejected = responses.filter(({ status }) => status === 429)
    expect(accepted).toBe(100)
    expect(rejected).toHaveLength(30)
    expect(rejected[0]!.headers.get('retry-after')).toBe('1')
    expect((await send(0, 'b')).status).toBe(200)
    await Promise.all(limited.map((one) => one.close()))
  })

  it('share the limit of wrong client secrets', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'job',
      client_secret: 'wrong',
      org_id: 'default',
    })
    const guess = async (index: number) => {
      const init = { method: 'POST', headers, body: form.toString() }
      const request = new Request('http://platform.local/iam/v4/oidc/token', init)
      return (await instances[index % instances.length]!.fetch(request)).status
    }
    const statuses: number[] = []
    // Each instance alone would allow ten.
    while (!statuses.includes(429) && statuses.length < 40) {
      statuses.push(await guess(statuses.length))
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses.indexOf(429)).toBeLessThan(20)
  })

  it('send the events of a project to the streams of every instance, once', async () => {
    const names = ['first', 'second']
    const texts = { en: { first: { A: 'a' }, second: { A: 'a' } } }
    const source = project('E', texts)
    await instances[0]!.loadProject(source)
    const streams = await Promise.all(
      instances.map(async (one) => eventsOf(await control(one, 'E', 'GET', '/events'))),
    )
    for (const stream of streams) expect(await stream.next()).toBe(': listening')
    for (const [index, module] of names.entries()) {
      const drafts = [{ language: 'en', module, key: 'A', value: 'b' }]
      await control(instances[index]!, 'E', 'PUT', '/drafts', drafts)
      const published = await control(instances[index]!, 'E', 'POST', '/publish')
      expect(await published.json()).toMatchObject({ changedModules: [module] })
    }
    for (const stream of streams) {
      for (const { itemId } of source.modules) {
        const text = await stream.next()
        expect(text).toMatch(/^event: GenerateUilmFilesEvent\n/)
        expect(text).toContain(`"ModuleId":"${itemId}"`)
      }
      await stream.cancel()
    }
  })

  it('keep fault injection rules in the process that received them', async () => {
    const [one, other] = instances as [Platform, Platform]
    const status = async (platform: Platform) => {
      const address = 'http://platform.local/uilm/v1/Language/Gets?ProjectKey=P'
      return (await platform.fetch(new Request(address, { headers }))).status
    }
    one.faults.add({ path: '/uilm/*', status: 503 })
    expect([await status(one), await status(other)]).toEqual([503, 200])
    expect(other.faults.list()).toEqual([])
    one.faults.remove()
    expect(await status(one)).toBe(200)
  })
})
