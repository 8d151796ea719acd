import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { onEachEngine } from './engines.ts'
import { control, people, signIn } from './people.ts'
import { project } from './projects.ts'

onEachEngine((engine) => {
  let instances: Platform[]
  beforeEach(({ skip }) => {
    // A folder belongs to one process.
    if (engine.name === 'PGlite') skip('several instances need PostgreSQL')
  })
  beforeAll(async () => {
    if (engine.name === 'PGlite') return
    const location = await engine.location()
    const first = await createPlatform({ ...location, projects: [project('P')] })
    await control(first, 'P', 'PUT', '/identity', people)
    instances = [first, await createPlatform(location)]
  })
  afterAll(() => Promise.all((instances ?? []).map((one) => one.close())))

  /** Sends each request to the other instance than the one before. */
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
})
