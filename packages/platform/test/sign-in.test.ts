import { auth, Rejection, SessionError } from '@servicekit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { isDeep } from '@servicekit/testing/is-deep'
import {
  appUri,
  control,
  origin,
  password,
  people,
  signIn,
  submitLogin,
} from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

/** Renewing for a week takes long. */
let platform: Platform
let now = Date.parse('2026-01-01T00:00:00Z')
const minutes = (count: number) => (now += count * 60_000)
beforeAll(async () => {
  platform = await createPlatform({
    clock: () => new Date(now),
    projects: [project('P'), project('Q')],
    origins: ['https://app.example'],
  })
  for (const key of ['P', 'Q']) await control(platform, key, 'PUT', '/identity', people)
})
afterAll(() => platform.close())

const withKey = { 'x-service-key': 'P' }
const asJson = { ...withKey, 'content-type': 'application/json' }
const form = { ...withKey, 'content-type': 'application/x-www-form-urlencoded' }
const initiate = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  browserOn(platform).send(`/iam/v4/idp/initiate?${new URLSearchParams(query)}`, { headers })
const begin = { 'x-service-key': 'P', clientId: 'web', redirectUri: appUri }
const errorOf = async (response: Response) => [
  response.status,
  SessionError.parse(await response.json()).error,
]

describe('a sign-in', () => {
  it('starts at an authorization URL with PKCE, state and nonce', async () => {
    const response = await initiate(begin)
    expect(response.status).toBe(200)
    const { redirect_uri: address } = auth.Initiated.parse(await response.json())
    expect(Object.fromEntries(new URL(address!).searchParams)).toEqual({
      client_id: 'web',
      redirect_uri: appUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: expect.stringMatching(/.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it.each([
    ['a client that nobody registered', { ...begin, clientId: 'other' }, 'invalid_client'],
    [
      'an address with one more slash',
      { ...begin, redirectUri: `${appUri}/` },
      'invalid_redirect_uri',
    ],
    [
      'an address in capitals',
      { ...begin, redirectUri: 'https://APP.example/callback' },
      'invalid_redirect_uri',
    ],
    ['an address with a query', { ...begin, redirectUri: `${appUri}?a=1` }, 'invalid_redirect_uri'],
    ['no address', { 'x-service-key': 'P', clientId: 'web' }, 'invalid_request'],
  ])('is refused for %s', async (_, query, error) => {
    expect(await errorOf(await initiate(query as Record<string, string>))).toEqual([400, error])
  })

  it('requires an existing project, the same in header and query', async () => {
    expect((await initiate({ ...begin, 'x-service-key': 'nobody' })).status).toBe(404)
    expect((await initiate(begin, { 'x-service-key': 'Q' })).status).toBe(404)
    const { 'x-service-key': _, ...none } = begin
    expect((await initiate(none)).status).toBe(400)
    const named = await browserOn(platform).send('/iam/v4/oidc/projects/nobody/authorize')
    expect([named.status, Rejection.safeParse(await named.json()).success]).toEqual([404, true])
  })

  it('ends in a session in HttpOnly cookies', async () => {
    const { callback, browser } = await signIn(platform, 'P')
    expect(callback.status).toBe(200)
    expect(callback.headers.get('cache-control')).toBe('no-store')
    const body = auth.SignedIn.parse(await callback.json())
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 420 })
    expect(Object.keys(body)).not.toContain('access_token')
    const cookies = callback.headers.getSetCookie()
    expect(cookies).toHaveLength(3)
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly.*SameSite=Lax/)
    const session = await browser.send('/iam/v4/oidc/session', { headers: withKey })
    expect(session.status).toBe(200)
    expect(auth.Session.parse(await session.json())).toMatchObject({
      accounts: [{ userId: 'ada', displayName: 'Ada L' }],
      idleExpiresAt: new Date(now + 30 * 60_000).toISOString(),
      absoluteExpiresAt: new Date(now + 7 * 24 * 3_600_000).toISOString(),
    })
    const me = await browser.send('/iam/v4/iam/me', { headers: withKey })
    expect(((await me.json()) as { data: object }).data).toMatchObject({
      itemId: 'ada',
      roles: ['admin'],
      logInCount: 1,
    })
  })

  it('is completed once, in time, and only by the browser that started it', async () => {
    const { left, browser } = await signIn(platform, 'P')
    const at = `/iam/v4/idp/callback${left.search}`
    const again = await browser.send(at, { headers: withKey })
    expect(await errorOf(again)).toEqual([400, 'invalid_state'])
    const open = async () => {
      const mine = browserOn(platform)
      const begun = await mine.send(`/iam/v4/idp/initiate?${new URLSearchParams(begin)}`)
      const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
      const { page } = await mine.open(address)
      const { left: end } = await submitLogin(mine, page!, 'ada')
      return { mine, end: `/iam/v4/idp/callback${end!.search}` }
    }
    const stolen = await open()
    expect(await errorOf(await browserOn(platform).send(stolen.end))).toEqual([
      400,
      'invalid_state',
    ])
    const other = await open()
    const mixed = new URL(other.end, origin)
    mixed.searchParams.set('code', new URL((await open()).end, origin).searchParams.get('code')!)
    const response = await other.mine.send(mixed.href)
    expect(await errorOf(response)).toEqual([400, 'invalid_grant'])
    const slow = await open()
    minutes(10)
    expect(await errorOf(await slow.mine.send(slow.end))).toEqual([400, 'invalid_state'])
  })

  it('shows the login page once per browser until the user signs out', async () => {
    const { browser } = await signIn(platform, 'P')
    const open = async () => {
      const begun = await browser.send(`/iam/v4/idp/initiate?${new URLSearchParams(begin)}`)
      const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
      return browser.open(address)
    }
    expect((await open()).left?.searchParams.get('code')).toBeTruthy()
    const out = await browser.send('/iam/v4/auth/Logout', {
      method: 'POST',
      headers: asJson,
      body: '{}',
    })
    expect(out.status).toBe(200)
    expect((await open()).page?.status).toBe(200)
  })
})

describe('the login page', () => {
  const openPage = async () => {
    const browser = browserOn(platform)
    const begun = await browser.send(`/iam/v4/idp/initiate?${new URLSearchParams(begin)}`)
    const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
    const { page } = await browser.open(address)
    return { browser, page: page! }
  }

  it('names project and client, labels its fields, and loads no resources or scripts', async () => {
    const { page } = await openPage()
    const text = await page.clone().text()
    expect(text).toContain('The shop')
    expect(text).toMatch(/<label for="username">/)
    expect(text).toMatch(/autocomplete="current-password"/)
    expect(text).not.toMatch(/<script|src=/)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    const style = /<style>([\s\S]*)<\/style>/.exec(text)![1]!
    const hash = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)),
    ).toString('base64')
    expect(page.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
  })

  it('responds the same to a wrong password and a wrong name', async () => {
    const texts = await Promise.all(
      ['bob', 'nobody'].map(async (name) => {
        const { browser, page } = await openPage()
        const answer = await submitLogin(browser, page, name, 'not the password')
        expect(answer.page?.status).toBe(401)
        return /role="alert">([^<]+)/.exec(await answer.page!.text())![1]
      }),
    )
    expect(texts[0]).toBe(texts[1])
  })

  it('escapes the values that it shows', async () => {
    const { browser, page } = await openPage()
    const answer = await submitLogin(browser, page, '"><script>alert(1)</script>')
    expect(await answer.page!.text()).not.toContain('<script>')
  })

  it('rejects a password from a page of another origin', async () => {
    for (const headers of [{ origin: 'https://app.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const { browser, page } = await openPage()
      const answer = await submitLogin(browser, page, 'ada', password, headers as never)
      expect(answer.page?.status).toBe(403)
    }
  })

  it('shows that the sign-in is over in another browser', async () => {
    const { page } = await openPage()
    const answer = await submitLogin(browserOn(platform), page, 'ada')
    expect(answer.page?.status).toBe(400)
    expect(await answer.page!.text()).toContain('This sign-in is over')
  })
})

describe('a session', () => {
  const renew = (browser: ReturnType<typeof browserOn>, clientId = 'web', headers = {}) =>
    browser.send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: { ...form, ...headers },
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId }).toString(),
    })
  const me = (browser: ReturnType<typeof browserOn>, headers: Record<string, string> = withKey) =>
    browser.send('/iam/v4/iam/me', { headers })
  const session = (browser: ReturnType<typeof browserOn>) =>
    browser.send('/iam/v4/oidc/session', { headers: withKey })

  it('refreshes an expired access token within the same session', async () => {
    const { browser } = await signIn(platform, 'P')
    const before = (await (await session(browser)).json()) as auth.Session
    minutes(8)
    expect(await errorOf(await me(browser))).toEqual([401, 'session_expired'])
    const renewed = await renew(browser)
    expect(renewed.status).toBe(200)
    expect(renewed.headers.get('cache-control')).toBe('no-store')
    expect(auth.Token.parse(await renewed.json())).toMatchObject({
      cookie_set: true,
      expires_in: 420,
    })
    expect((await me(browser)).status).toBe(200)
    const after = (await (await session(browser)).json()) as auth.Session
    expect(after.sessionId).toBe(before.sessionId)
    expect(after.lastActivityAt).toBe(new Date(now).toISOString())
  })

  it('expires after half an hour without a refresh', async () => {
    const { browser } = await signIn(platform, 'P')
    minutes(31)
    expect(await errorOf(await session(browser))).toEqual([401, 'session_expired'])
    expect(await errorOf(await renew(browser))).toEqual([400, 'invalid_grant'])
  })

  it.skipIf(!isDeep)('ends after seven days, however often it is renewed', async () => {
    const { browser } = await signIn(platform, 'P')
    for (let passed = 0; passed < 7 * 24 * 60 - 29; passed += 29) {
      minutes(29)
      const renewed = await renew(browser)
      if (renewed.status !== 200) throw new Error(`not renewed after ${passed} minutes`)
    }
    minutes(29)
    expect(await errorOf(await renew(browser))).toEqual([400, 'invalid_grant'])
    expect(await errorOf(await session(browser))).toEqual([401, 'session_expired'])
  })

  it('does not exist without cookies, for another client or for another project', async () => {
    const nobody = browserOn(platform)
    expect(await errorOf(await session(nobody))).toEqual([401, 'session_not_found'])
    expect(await errorOf(await me(nobody))).toEqual([401, 'session_not_found'])
    expect(await errorOf(await renew(nobody))).toEqual([400, 'invalid_grant'])
    const { browser } = await signIn(platform, 'P')
    expect(await errorOf(await me(browser, { 'x-service-key': 'Q' }))).toEqual([
      401,
      'session_not_found',
    ])
    expect(await errorOf(await renew(browser, 'unknown'))).toEqual([401, 'invalid_client'])
    expect((await renew(browser, 'web', { 'x-service-key': 'Q' })).status).toBe(400)
    expect((await me(browser, {})).status).toBe(400)
    expect((await me(browser, { 'x-service-key': 'none' })).status).toBe(404)
  })

  it('is revoked on the server by signing out', async () => {
    const { browser } = await signIn(platform, 'P')

    const out = await browser.send('/iam/v4/auth/Logout', {
      method: 'POST',
      headers: asJson,
      body: '{}',
    })
    expect(await out.json()).toMatchObject({ isSuccess: true })
    expect(await errorOf(await session(browser))).toEqual([404, 'session_revoked'])
    const again = await browser.send('/iam/v4/auth/Logout', {
      method: 'POST',
      headers: asJson,
      body: '{}',
    })
    expect(await errorOf(again)).toEqual([400, 'invalid_request'])
  })

  it('can only be used by registered pages', async () => {
    const { browser } = await signIn(platform, 'P')
    const allowed = [{ origin: 'https://app.example' }, { referer: 'https://app.example/a' }, {}]
    for (const headers of allowed) {
      expect((await me(browser, { ...withKey, ...headers })).status).toBe(200)
    }
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { referer: 'https://evil.example/app.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      for (const response of [
        await me(browser, { ...withKey, ...headers } as Record<string, string>),
        await renew(browser, 'web', headers),
        await browser.send('/iam/v4/auth/Logout', {
          method: 'POST',
          headers: { ...asJson, ...headers } as Record<string, string>,
          body: '{}',
        }),
      ]) {
        expect(response.status).toBe(406)
        expect(Rejection.safeParse(await response.json()).success).toBe(true)
      }
    }
    expect((await session(browser)).status).toBe(200)
  })

  it('ends when the account is deactivated', async () => {
    const { browser: admin } = await signIn(platform, 'P')
    const { browser } = await signIn(platform, 'P', 'bob@example.com')
    const { itemId } = ((await (await me(browser)).json()) as { data: { itemId: string } }).data
    const done = await admin.send('/iam/v4/iam/users/deactivate', {
      method: 'POST',
      headers: asJson,
      body: JSON.stringify({ userId: itemId }),
    })
    expect(await done.json()).toMatchObject({ isSuccess: true })
    expect((await me(browser)).status).toBe(401)
    expect(await errorOf(await renew(browser))).toEqual([400, 'invalid_grant'])
    const kept = await admin.send(`/iam/v4/iam/users/${itemId}`, { headers: withKey })
    expect(await kept.json()).toMatchObject({ data: { itemId, active: false } })
    const unknown = await admin.send('/iam/v4/iam/users/deactivate', {
      method: 'POST',
      headers: asJson,
      body: '{"userId":"nobody"}',
    })
    expect(unknown.status).toBe(404)
  })
})

describe('a machine', () => {
  const ask = (body: Record<string, string>) =>
    browserOn(platform).send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: form,
      body: new URLSearchParams({ grant_type: 'client_credentials', ...body }).toString(),
    })
  const job = { client_id: 'job', client_secret: 'the secret of the job' }

  it('gets a token in snake_case and camelCase', async () => {
    const response = await ask({ ...job, org_id: 'default' })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const token = auth.Token.parse(await response.json())
    expect(token).toMatchObject({ tokenType: 'Bearer', token_type: 'Bearer', expiresIn: 420 })
    expect(token.accessToken).toBe(token.access_token)
    expect(token.expiresUtc).toBe(new Date(now + 420_000).toISOString())
  })

  it('is rejected with a wrong secret, or an unknown name or organization', async () => {
    const cases: [Record<string, string>, number, string][] = [
      [{ ...job, client_secret: 'wrong', org_id: 'default' }, 401, 'invalid_client'],
      [{ client_id: 'other', client_secret: 'x', org_id: 'default' }, 401, 'invalid_client'],
      [{ ...job, org_id: 'nowhere' }, 400, 'invalid_request'],
      [
        { client_id: 'own', client_secret: 'the secret of the own', org_id: 'default' },
        400,
        'invalid_request',
      ],
    ]
    for (const [body, status, error] of cases) {
      expect(await errorOf(await ask(body))).toEqual([status, error])
    }
    const other = await ask({
      client_id: 'own',
      client_secret: 'the secret of the own',
      org_id: 'org-other',
    })
    expect(other.status).toBe(200)
  })
})
