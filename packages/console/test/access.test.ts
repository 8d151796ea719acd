import { createPlatform, type Platform } from '@servicekit/platform'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleOptions, withConsole } from '../src/server/index.ts'
import { createBrowser, signIn } from './cookie-browser.ts'

const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const key = 'P5c1e7a90d2f84b6e8a3f9d41'
const origin = 'http://platform.local'
const controlToken = 'the control token of this test'
const keys = `/console/api/projects/${key}/keys?pageSize=1`

const changesOfSchemas = [
  ['PUT', '/schemas/Note', { schemaName: 'Note' }],
  ['POST', '/schemas/publish', undefined],
  ['DELETE', '/schemas/Note', undefined],
  ['POST', '/schemas/discard', undefined],
] as const

const consoleOf = (platform: Platform, options: ConsoleOptions) =>
  withConsole(platform, { controlToken, ...options })

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
    const session = await get(handle, `/console/api/session`, { 'accept-encoding': 'gzip' })
    expect(await session.json()).toEqual({
      isThisMachine: true,
      projects: [{ key, name: 'Storefront' }],
      denied: [],
    })
    expect((await get(handle, keys)).status).toBe(200)
  })

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
    'gives nothing to a request with the header %s',
    async (name) => {
      const response = await get(handle, keys, { [name]: '127.0.0.1' })
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({ title: 'Sign in to use the console.', status: 401 })
      const session = await get(handle, '/console/api/session', { [name]: '127.0.0.1' })
      expect(await session.json()).toEqual({ isThisMachine: false, projects: [], denied: [] })
    },
  )

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'a page of another port',
      { 'sec-fetch-site': 'same-site', origin: 'http://platform.local:1' },
    ],
    ['another origin', { origin: 'http://localhost:5173' }],
    ['no page', {}],
  ])('refuses changes by %s', async (_, headers) => {
    const url = `${origin}/console/api/projects/${key}/publish`
    const response = await handle(new Request(url, { method: 'POST', headers }))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      title: 'Only pages of the console may send this request.',
    })
  })

  it('says why a change is refused, instead of asking to sign in', async () => {
    const send = (path: string, body?: object) =>
      handle(
        new Request(`${origin}/console/api/projects/${key}/interface${path}`, {
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

  it('forwards no other control route', async () => {
    for (const path of [
      '/clients',
      '/identity',
      '/tools/a/token',
      '/metrics',
      '/keys/../clients',
    ]) {
      expect((await get(handle, `/console/api/projects/${key}${path}`)).status).toBe(404)
    }
  })

  it('signs in as the recipient of a mail only who uses this machine', async () => {
    const forgot = new URLSearchParams({ username: 'tom@storefront.example' })
    const send = (path: string, headers: Record<string, string>, body?: URLSearchParams) =>
      handle(new Request(`${origin}${path}`, { method: 'POST', headers, body: body ?? null }))
    await send(`/iam/v4/oidc/projects/${key}/forgot`, { origin }, forgot)
    const inbox = await get(handle, `/console/api/projects/${key}/inbox`)
    const [mail] = (await inbox.json()) as { itemId: string }[]
    const path = `/projects/${key}/inbox/${mail!.itemId}/sign-in`
    const forwarded = { origin, 'x-forwarded-for': '127.0.0.1' }
    expect((await send(`/console/api${path}`, forwarded)).status).toBe(401)
    expect((await send(`/_platform${path}`, forwarded)).status).toBe(403)
    const crossSite = { origin, 'sec-fetch-site': 'cross-site' }
    expect((await send(`/console/api${path}`, crossSite)).status).toBe(403)
    expect((await send(`/_platform${path}`, { origin: 'https://evil.example' })).status).toBe(406)

    const created = await send(`/console/api${path}`, { origin })
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
    const inbox = await get(handle, `/console/api/projects/${key}/inbox`)
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
    const response = await get(handle, `/console/api/projects/${key}/export?secrets=true`)
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
    handle = consoleOf(platform, { allowThisMachine: false })
  })
  afterAll(() => platform?.close())

  it('gives nothing to an anonymous request of this machine', async () => {
    expect((await get(handle, keys)).status).toBe(401)
    const session = await get(handle, `/console/api/session?project=${key}`)
    expect(await session.json()).toEqual({ isThisMachine: false, projects: [], denied: [] })
  })

  it('signs nobody in as the recipient of a mail, not even with the control token', async () => {
    const headers = { authorization: `Bearer ${controlToken}` }
    const paths = { POST: 'inbox/a/sign-in', GET: 'sign-in-as?ticket=a' }
    for (const [method, path] of Object.entries(paths)) {
      const url = `${origin}/_platform/projects/${key}/${path}`
      expect((await handle(new Request(url, { method }))).status).toBe(401)
      expect((await handle(new Request(url, { method, headers }))).status).toBe(403)
    }
    const url = `${origin}/console/api/projects/${key}/inbox/a/sign-in`
    expect((await handle(new Request(url, { method: 'POST', headers: { origin } }))).status).toBe(
      401,
    )
  })

  // They end in a header, or in the database.
  it.each(['%00', '%0a', '%E2%98%83', '%C3%A4', '%20', 'a%0D%0Ab', '%F0%9F%8F%B3'])(
    'refuses the project key %s',
    async (given) => {
      expect((await get(handle, `/console/api/projects/${given}/keys`)).status).toBe(404)
      const session = await get(handle, `/console/api/session?project=${given}`)
      expect(await session.json()).toEqual({ isThisMachine: false, projects: [], denied: [] })
      const signedIn = await get(handle, `/console/signed-in?code=a&state=${given}.a`)
      expect(signedIn.headers.get('location')).toBe('/console/?sign-in=failed')
      const headers = { origin, authorization: `Bearer ${controlToken}` }
      for (const name of ['sign-in', 'refresh', 'sign-out']) {
        const body = JSON.stringify({ project: decodeURIComponent(given) })
        const url = `${origin}/console/api/${name}`
        const response = await handle(new Request(url, { method: 'POST', headers, body }))
        expect(response.status).toBe(400)
      }
      const operation = `/_platform/projects/${given}/interface/iam/v4/iam/organizations`
      expect([400, 404]).toContain((await get(handle, operation, headers)).status)
    },
  )

  it('refuses a body that is larger than that of any request', async () => {
    const body = new Uint8Array(16 * 1024 * 1024 + 1)
    const url = `${origin}/console/api/sign-in`
    const request = new Request(url, { method: 'POST', headers: { origin }, body })
    expect((await handle(request)).status).toBe(413)
  })

  it('does not accept a token instead of the cookies of a session', async () => {
    const headers = { authorization: `Bearer ${controlToken}` }
    expect((await get(handle, keys, headers)).status).toBe(401)
  })

  it('names the missing client before anyone can sign in', async () => {
    const url = `${origin}/console/api/sign-in`
    const body = JSON.stringify({ project: key })
    const response = await handle(new Request(url, { method: 'POST', headers: { origin }, body }))
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
      const browser = createBrowser(handle, origin)
      const page = await signIn(browser, key, 'ines@storefront.example', 'storefront')
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(browser.setCookies.every((line) => /; HttpOnly/i.test(line))).toBe(true)
      const session = await browser.send(`/console/api/session?project=${key}`)
      expect(await session.json()).toEqual({
        isThisMachine: false,
        projects: [{ key, name: 'Storefront' }],
        denied: [],
      })
      expect((await browser.send(keys)).status).toBe(200)
      const refreshed = await browser.send('/console/api/refresh', { project: key })
      expect(refreshed.status).toBe(204)
      // Mails contain the codes of other users.
      for (const path of ['/inbox', '/requests', '/clock', '/faults', '/export']) {
        const response = await browser.send(`/console/api/projects/${key}${path}`)
        expect(response.status, path).toBe(403)
      }
      for (const path of ['/clock', '/faults', '/projects', '/inbox/a/sign-in']) {
        const response = await browser.send(`/console/api/projects/${key}${path}`, {})
        expect(response.status, path).toBe(403)
      }
    })

    it('records the administrator in the audit log, and as the author of records', async () => {
      const browser = createBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const path = `/console/api/projects/${key}/interface/iam/v4/iam/organizations/create`
      const created = await browser.send(path, { name: 'Retail' }, { 'x-service-key': key })
      expect(await created.json()).toMatchObject({ isSuccess: true })
      const headers = { authorization: `Bearer ${controlToken}` }
      const audit = await get(handle, `/_platform/audit?project=${key}`, headers)
      const entries = (await audit.json()) as { actor: string; operation: string; kind: string }[]
      const entry = entries.find(({ operation }) => operation === 'iam.createOrganization')
      expect(entry?.actor).toMatch(/^user:(?!undefined)./)
      const listed = await browser.send(
        `/console/api/projects/${key}/interface/iam/v4/iam/organizations?Page=0&PageSize=100`,
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
      const browser = createBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const path = `/console/api/projects/${key}`
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
      const browser = createBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      expect((await browser.send(keys)).status).toBe(200)
      expect((await browser.send('/console/api/sign-out', { project: key })).status).toBe(204)
      expect((await browser.send(keys)).status).toBe(401)
      expect((await browser.send('/console/api/refresh', { project: key })).status).toBe(401)
    })

    it('gives nothing to a user without the role, and names the project that it denies', async () => {
      const browser = createBrowser(handle, origin)
      await signIn(browser, key, 'tom@storefront.example', 'storefront')
      const response = await browser.send(keys)
      expect(response.status).toBe(403)
      expect(await response.json()).toEqual({
        title: 'Only administrators of the project may use the console.',
        status: 403,
      })
      const data = `/console/api/projects/${key}`
      const query = { query: '{ Customers { items { Email } } }' }
      const read = await browser.send(`${data}/interface/data/v4/gateway`, query)
      expect(read.status).toBe(403)
      expect((await browser.send(`${data}/schemas`)).status).toBe(403)
      for (const [method, path, body] of changesOfSchemas) {
        const { status } = await browser.send(`${data}${path}`, body, {}, method)
        expect(status, `${method} ${path}`).toBe(403)
      }
      const session = await browser.send(`/console/api/session?project=${key}`)
      expect(await session.json()).toEqual({ isThisMachine: false, projects: [], denied: [key] })
    })

    it('changes schemas as the signed-in administrator', async () => {
      const anonymous = createBrowser(handle, origin)
      const browser = createBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const data = `/console/api/projects/${key}`
      for (const [method, path, body] of changesOfSchemas) {
        const refused = await anonymous.send(`${data}${path}`, body, {}, method)
        expect(refused.status, `${method} ${path}`).toBe(401)
        const response = await browser.send(`${data}${path}`, body, {}, method)
        expect(response.ok, `${method} ${path}`).toBe(true)
      }
      for (const [method, path] of [
        ['POST', '/schemas/Note'],
        ['PUT', '/schemas'],
        ['DELETE', '/schemas/Note/fields'],
      ] as const) {
        const { status } = await browser.send(`${data}${path}`, {}, {}, method)
        expect(status, `${method} ${path}`).toBe(404)
      }
      const headers = { authorization: `Bearer ${controlToken}` }
      const audit = await get(handle, `/_platform/audit?project=${key}`, headers)
      const entries = (await audit.json()) as { actor: string; operation: string }[]
      const actors = entries.filter(({ operation }) => operation.includes('schemas'))
      expect(actors.length).toBeGreaterThanOrEqual(changesOfSchemas.length)
      expect(new Set(actors.map(({ actor }) => actor))).toEqual(new Set(['user:user-ines']))
    })

    it('changes records as the signed-in administrator', async () => {
      const browser = createBrowser(handle, origin)
      await signIn(browser, key, 'ines@storefront.example', 'storefront')
      const gateway = `/console/api/projects/${key}/interface/data/v4/gateway`
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
    const console = consoleOf(limited, { allowThisMachine: false })
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await get(console, keys)).status)
    statuses.push((await get(console, `/console/api/session?project=${key}`)).status)
    await limited.close()
    expect(statuses).toEqual([401, 401, 429, 429])
  })
})
