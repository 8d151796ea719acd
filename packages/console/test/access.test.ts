import { createPlatform, type Platform } from '@servicekit/platform'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withConsole } from '../src/server/index.ts'
import { createConsoleBrowser, refresh, signIn } from './console-browser.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const key = 'P5c1e7a90d2f84b6e8a3f9d41'
const origin = 'http://platform.local'
const controlToken = 'the control token of this test'
const control = `/_platform/projects/${key}`
const keys = `${control}/keys?pageSize=1`

const changesOfSchemas = [
  ['PUT', '/schemas/Note', { schemaName: 'Note' }],
  ['POST', '/schemas/publish', undefined],
  ['DELETE', '/schemas/Note', undefined],
  ['POST', '/schemas/discard', undefined],
] as const

const get = (
  handle: Platform['fetch'],
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> => handle(new Request(`${origin}${path}`, { headers }))

describe('in development', () => {
  let platform: Platform
  let handle: Platform['fetch']

  beforeAll(async () => {
    platform = await createPlatform({ projects: [storefront] })
    handle = withConsole(platform, { allowThisMachine: true })
  })
  afterAll(() => platform?.close())

  it('signs in every user of this machine, and shows that', async () => {
    const session = await get(handle, '/_platform/session')
    expect(await session.json()).toEqual({
      isOperator: true,
      projects: [{ key, name: 'Storefront', roles: null, administrators: [] }],
      denied: [],
    })
    expect((await get(handle, keys)).status).toBe(200)
  })

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'gives nothing to a request with the header %s',
    async (name) => {
      const response = await get(handle, keys, { [name]: '127.0.0.1' })
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({
        title: expect.stringContaining('Set a token with --control-token'),
      })
      const session = await get(handle, '/_platform/session', { [name]: '127.0.0.1' })
      expect(await session.json()).toEqual({ isOperator: false, projects: [], denied: [] })
    },
  )

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port', { origin: 'http://platform.local:1' }, 406],
    ['another origin', { origin: 'http://localhost:5173' }, 406],
  ])('refuses changes by %s', async (_, headers, status) => {
    const url = `${origin}${control}/publish`
    const response = await handle(new Request(url, { method: 'POST', headers }))
    expect(response.status).toBe(status)
  })

  it('says why a change is refused, instead of asking to sign in', async () => {
    const send = (path: string, body?: object) =>
      handle(
        new Request(`${origin}${control}/interface${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { origin, 'content-type': 'application/json', 'x-service-key': key },
          body: body ? JSON.stringify(body) : null,
        }),
      )
    const listed = await send('/idp/v1/Iam/GetUsers', { projectKey: key })
    const { data } = (await listed.json()) as {
      data: { itemId: string; memberships: { organizationId: string; roles: string[] }[] }[]
    }
    const administrators = data.filter(({ memberships }) =>
      memberships.some(({ roles }) => roles.includes('admin')),
    )
    expect(administrators).toHaveLength(1)
    const userId = administrators[0]!.itemId
    const refused = await send('/iam/v4/iam/users/deactivate', { userId, projectKey: key })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain('administrator')
  })

  it('signs in as the recipient of a mail only who uses this machine', async () => {
    const forgot = new URLSearchParams({ username: 'tom@storefront.example' })
    const send = (path: string, headers: Record<string, string>, body?: URLSearchParams) =>
      handle(new Request(`${origin}${path}`, { method: 'POST', headers, body: body ?? null }))
    await send(`/iam/v4/oidc/projects/${key}/forgot`, { origin }, forgot)
    const inbox = await get(handle, `${control}/inbox`)
    const [mail] = (await inbox.json()) as { itemId: string }[]
    const path = `${control}/inbox/${mail!.itemId}/sign-in`
    const forwarded = { origin, 'x-forwarded-for': '127.0.0.1' }
    expect((await send(path, forwarded)).status).toBe(403)
    const crossSite = { origin, 'sec-fetch-site': 'cross-site' }
    expect((await send(path, crossSite)).status).toBe(403)
    expect((await send(path, { origin: 'https://evil.example' })).status).toBe(406)

    const created = await send(path, { origin })
    expect(created.status).toBe(201)
    const url = new URL(((await created.json()) as { url: string }).url)
    const redeem = (hostname: string, headers: Record<string, string> = {}) => {
      const other = new URL(url)
      other.hostname = hostname
      return handle(new Request(other, { headers }))
    }
    const referrer = { referer: 'https://evil.example/' }
    expect((await redeem(url.hostname, { via: 'a proxy' })).status).toBe(403)
    expect((await redeem(url.hostname, referrer)).status).toBe(406)
    const first = await redeem(url.hostname)
    expect([first.status, first.headers.getSetCookie().length]).toEqual([200, 3])
    expect(first.headers.getSetCookie().every((line) => /; HttpOnly/i.test(line))).toBe(true)
    const again = await redeem(url.hostname)
    expect([again.status, again.headers.getSetCookie()]).toEqual([400, []])
  })

  it('ends a ticket that is redeemed on another name', async () => {
    const inbox = await get(handle, `${control}/inbox`)
    const [mail] = (await inbox.json()) as { itemId: string }[]
    const create = new URL(`${origin}/_platform/projects/${key}/inbox/${mail!.itemId}/sign-in`)
    const created = await handle(new Request(create, { method: 'POST' }))
    const url = new URL(((await created.json()) as { url: string }).url)
    const own = new URL(`${origin}${url.pathname}${url.search}`)
    for (const one of [own, url]) {
      const response = await handle(new Request(one))
      expect([response.status, response.headers.getSetCookie()]).toEqual([400, []])
    }
  })

  it('exports a project without its secrets', async () => {
    const response = await get(handle, `${control}/export`)
    const { rows } = (await response.json()) as { rows: { users: { password_hash: unknown }[] } }
    expect(rows.users.length).toBeGreaterThan(0)
    expect(rows.users.every(({ password_hash: hash }) => hash === null)).toBe(true)
  })

  it('passes all other requests to the platform', async () => {
    expect((await get(handle, '/_platform/live')).status).toBe(200)
    expect((await get(handle, '/console')).headers.get('location')).toBe('/console/')
  })
})

describe('in servicekit serve', () => {
  let platform: Platform
  let handle: Platform['fetch']

  beforeAll(async () => {
    platform = await createPlatform({ projects: [storefront], controlToken, audit: 'test' })
    handle = withConsole(platform)
  })
  afterAll(() => platform?.close())

  it('gives nothing to an anonymous request of this machine', async () => {
    expect((await get(handle, keys)).status).toBe(401)
    const session = await get(handle, '/_platform/session')
    expect(await session.json()).toEqual({ isOperator: false, projects: [], denied: [] })
  })

  it('signs nobody in as the recipient of a mail, not even with the control token', async () => {
    const headers = { authorization: `Bearer ${controlToken}` }
    const paths = { POST: 'inbox/a/sign-in', GET: 'sign-in-as?ticket=a' }
    for (const [method, path] of Object.entries(paths)) {
      const url = `${origin}/_platform/projects/${key}/${path}`
      expect((await handle(new Request(url, { method }))).status).toBe(401)
      expect((await handle(new Request(url, { method, headers }))).status).toBe(403)
    }
  })

  // They end in a header, or in the database.
  it.each(['%00', '%0a', '%E2%98%83', '%C3%A4', '%20', 'a%0D%0Ab', '%F0%9F%8F%B3'])(
    'refuses the project key %s',
    async (given) => {
      const cookie = `sk_access_0=${given}`
      const refused = await get(handle, `/_platform/projects/${given}/keys`, { cookie })
      expect(refused.status).toBe(401)
      const signedIn = await get(handle, `/console/signed-in?code=a&state=${given}.a`)
      expect(signedIn.headers.get('location')).toBe('/console/?sign-in=failed')
      const headers = { origin, authorization: `Bearer ${controlToken}` }
      for (const path of ['console-client', 'keys', 'interface/iam/v4/iam/organizations']) {
        const response = await get(handle, `/_platform/projects/${given}/${path}`, headers)
        expect([400, 404]).toContain(response.status)
      }
    },
  )

  it('refuses a body that is larger than that of any request', async () => {
    const body = new Uint8Array(16 * 1024 * 1024 + 1)
    const url = `${origin}/_platform/clock`
    const headers = { authorization: `Bearer ${controlToken}` }
    const request = new Request(url, { method: 'POST', headers, body })
    expect((await handle(request)).status).toBe(413)
  })

  it('names the missing client before anyone can sign in', async () => {
    const response = await get(handle, `${control}/console-client`)
    expect(response.status).toBe(409)
    expect(((await response.json()) as { title: string }).title).toContain(
      `"redirectUris": ["${origin}/console/signed-in"]`,
    )
  })

  describe('with a client for the console', () => {
    beforeAll(async () => {
      const clients = [{ clientId: 'console', redirectUris: [`${origin}/console/signed-in`] }]
      const url = `${origin}/_platform/projects/${key}/identity`
      const headers = { authorization: `Bearer ${controlToken}` }
      const body = JSON.stringify({ clients })
      expect((await handle(new Request(url, { method: 'PUT', headers, body }))).ok).toBe(true)
    })

    it('admits an administrator, and hides tokens from scripts', async () => {
      const browser = createConsoleBrowser(handle, origin)
      const page = await signIn(browser, key, 'ines@storefront.example', 'storefront')
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(browser.setCookies.every((line) => /; HttpOnly/i.test(line))).toBe(true)
      const session = await browser.send('/_platform/session')
      expect(await session.json()).toEqual({
        isOperator: false,
        projects: [{ key, name: 'Storefront', roles: null, administrators: [] }],
        denied: [],
      })
      expect((await browser.send(keys)).status).toBe(200)
      expect((await refresh(browser, key)).status).toBe(200)
      // Mails contain the codes of other users.
      for (const path of [`${control}/inbox`, `${control}/export`, '/_platform/requests']) {
        expect((await browser.send(path)).status, path).toBe(401)
      }
      for (const path of ['/_platform/clock', '/_platform/faults', `${control}/inbox/a/sign-in`]) {
        expect((await browser.send(path, {})).status, path).toBe(401)
      }
    })

    it.each([
      ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
      ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
      ['the address bar', { 'sec-fetch-site': 'none' }, 403],
      ['another origin', { origin: 'https://evil.example' }, 406],
      ['an opaque origin', { origin: 'null' }, 406],
    ])('refuses the cookies of an administrator in a request of %s', async (_, given, status) => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const cookies = { cookie: browser.cookies(), ...given }
      for (const method of ['GET', 'DELETE']) {
        const request = new Request(`${origin}${control}/drafts`, { method, headers: cookies })
        expect((await handle(request)).status, method).toBe(status)
      }
      if (status === 406) return
      const session = await get(handle, '/_platform/session', cookies)
      expect(session.status).toBe(403)
    })

    it('refuses the cookies of an administrator in a change that no page sends', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const headers = { cookie: browser.cookies() }
      const send = (method: string, given: Record<string, string> = {}) =>
        handle(
          new Request(`${origin}${control}/drafts`, { method, headers: { ...headers, ...given } }),
        )
      expect((await send('GET')).status).toBe(200)
      const refused = await send('DELETE')
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({
        title: 'Only pages of the platform itself may send this request with cookies.',
      })
      expect((await send('DELETE', { origin })).status).toBe(200)
      expect((await send('DELETE', { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    })

    it('refuses cookies beside a token that is not the control token', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const response = await browser.send(keys, undefined, { authorization: 'Bearer wrong' })
      expect(response.status).toBe(401)
    })

    it('shows the secret that signs webhooks only to the operator', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const webhook = {
        url: 'https://hooks.example/',
        contentType: 'application/json',
        isDisabled: true,
        projectKey: key,
      }
      const saved = await browser.send(`${control}/webhook`, webhook, {}, 'PUT')
      expect(await saved.json()).toMatchObject({ success: true })
      const own = (await (await browser.send(`${control}/webhook`)).json()) as object
      expect(own).toMatchObject({ url: webhook.url })
      expect(own).not.toHaveProperty('signingSecret')
      const headers = { authorization: `Bearer ${controlToken}` }
      const whole = await (await get(handle, `${control}/webhook`, headers)).json()
      expect(whole).toEqual({ ...own, signingSecret: expect.stringMatching(/^whsec_/) })
    })

    it('records the administrator in the audit log, and as the author of records', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const path = `${control}/interface/iam/v4/iam/organizations/create`
      const created = await browser.send(path, { name: 'Retail' }, { 'x-service-key': key })
      expect(await created.json()).toMatchObject({ isSuccess: true })
      const headers = { authorization: `Bearer ${controlToken}` }
      const audit = await get(handle, `/_platform/audit?project=${key}`, headers)
      const entries = (await audit.json()) as { actor: string; operation: string; kind: string }[]
      const entry = entries.find(({ operation }) => operation === 'iam.createOrganization')
      expect(entry?.actor).toMatch(/^user:(?!undefined)./)
      const listed = await browser.send(
        `${control}/interface/iam/v4/iam/organizations?Page=0&PageSize=100`,
        undefined,
        { 'x-service-key': key },
      )
      const { organizations } = (await listed.json()) as {
        organizations: { name: string; createdBy: string }[]
      }
      const { createdBy } = organizations.find(({ name }) => name === 'Retail')!
      expect(`user:${createdBy}`).toBe(entry?.actor)
    })

    it('publishes no drafts that the administrator has not seen', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const path = control
      const draft = { module: 'common', key: 'NAV_ABOUT', language: 'de-DE', value: 'Wir' }
      const headers = { authorization: `Bearer ${controlToken}` }
      const saved = await handle(
        new Request(`${origin}/_platform/projects/${key}/drafts`, {
          method: 'PUT',
          headers,
          body: JSON.stringify([draft]),
        }),
      )
      expect(saved.ok).toBe(true)
      expect((await browser.send(`${path}/publish`, { drafts: [] })).status).toBe(409)
      const drafts = await (await browser.send(`${path}/drafts`)).json()
      expect(drafts).toEqual([draft])
      expect((await browser.send(`${path}/publish`, { drafts })).ok).toBe(true)
      expect(await (await browser.send(`${path}/drafts`)).json()).toEqual([])
    })

    it('signs out on the server', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      expect((await browser.send(keys)).status).toBe(200)
      const headers = { 'x-service-key': key }
      const ended = await browser.send('/iam/v4/auth/Logout', {}, headers)
      expect(ended.status).toBe(200)
      expect((await browser.send(keys)).status).toBe(401)
      expect((await refresh(browser, key)).status).toBe(400)
    })

    it('gives nothing to a user without the role, and names the project that it denies', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'tom@storefront.example', 'storefront')
      const response = await browser.send(keys)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({
        title:
          'Only administrators of the project, and members with the console role manager, translator, reviewer or developer, may do this.',
      })
      const data = control
      const query = { query: '{ Customers { items { Email } } }' }
      const read = await browser.send(`${data}/interface/data/v4/gateway`, query)
      expect(read.status).toBe(403)
      expect((await browser.send(`${data}/schemas`)).status).toBe(403)
      for (const [method, path, body] of changesOfSchemas) {
        const { status } = await browser.send(`${data}${path}`, body, {}, method)
        expect(status, `${method} ${path}`).toBe(403)
      }
      const session = await browser.send('/_platform/session')
      expect(await session.json()).toEqual({ isOperator: false, projects: [], denied: [key] })
    })

    it('changes schemas as the signed-in administrator', async () => {
      const anonymous = createConsoleBrowser(handle, origin)
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const data = control
      for (const [method, path, body] of changesOfSchemas) {
        const refused = await anonymous.send(`${data}${path}`, body, {}, method)
        expect(refused.status, `${method} ${path}`).toBe(401)
        const response = await browser.send(`${data}${path}`, body, {}, method)
        expect(response.ok, `${method} ${path}`).toBe(true)
      }
      for (const [method, path, expected] of [
        ['POST', '/schemas/Note', 405],
        ['PUT', '/schemas', 405],
        ['DELETE', '/schemas/Note/fields', 404],
      ] as const) {
        const { status } = await browser.send(`${data}${path}`, {}, {}, method)
        expect(status, `${method} ${path}`).toBe(expected)
      }
      const headers = { authorization: `Bearer ${controlToken}` }
      const audit = await get(handle, `/_platform/audit?project=${key}`, headers)
      const entries = (await audit.json()) as { actor: string; operation: string }[]
      const actors = entries.filter(({ operation }) => operation.includes('schemas'))
      expect(actors.length).toBeGreaterThanOrEqual(changesOfSchemas.length)
      expect(new Set(actors.map(({ actor }) => actor))).toEqual(new Set(['user:user-ines']))
    })

    it('changes records as the signed-in administrator', async () => {
      const browser = createConsoleBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const gateway = `${control}/interface/data/v4/gateway`
      const added = await browser.send(gateway, {
        query: 'mutation { insertCategory(input: {Name: "New"}) { acknowledged } }',
      })
      expect(await added.json()).toMatchObject({ data: { insertCategory: { acknowledged: true } } })
      const found = await browser.send(gateway, {
        query: '{ Categories(where: {Name: {eq: "New"}}) { items { CreatedBy } } }',
      })
      expect(await found.json()).toEqual({
        data: { Categories: { items: [{ CreatedBy: 'user-ines' }] } },
      })
    })
  })

  it('counts anonymous requests in the rate limit', async () => {
    const limited = await createPlatform({
      projects: [storefront],
      controlToken,
      rateLimitPerMinute: 2,
    })
    const console = withConsole(limited)
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await get(console, keys)).status)
    const headers = { authorization: `Bearer ${controlToken}` }
    statuses.push((await get(console, '/_platform/session')).status)
    for (const path of [keys, '/_platform/session']) {
      statuses.push((await get(console, path, headers)).status)
    }
    await limited.close()
    expect(statuses).toEqual([401, 401, 429, 429, 200, 200])
  })
})
