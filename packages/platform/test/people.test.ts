import { iam, userRecords, idp, Rejection } from '@servicekit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Platform } from '../src/index.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { type Browser, browserOn } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, control, origin, password, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

onEachEngine((engine) => {
  let platform: Platform
  let admin: Browser
  const now = Date.parse('2026-01-01T00:00:00Z')
  beforeAll(async () => {
    platform = await engine.open({
      clock: () => new Date(now),
      projects: [
        project('P'),
        project('Q'),
        project(
          'D',
          {},
          {
            dialect: {
              redirectName: 'authorizationUrl',
              tokenNames: 'camelCase',
              verifiedName: 'isVerified',
              access: 'byOrganization',
            },
          },
        ),
      ],
    })
    for (const key of ['P', 'Q', 'D']) await control(platform, key, 'PUT', '/identity', people)
    admin = (await signIn(platform, 'P')).browser
  })
  afterAll(() => platform?.close())

  const headers = { 'x-service-key': 'P', 'content-type': 'application/json' }
  const call = async (path: string, body?: unknown, key = 'P') => {
    // The browser is signed in to P; requests to other projects come from a machine.
    const sender = key === 'P' ? admin : browserOn(asAdministrator(platform))
    const response = await sender.send(path, {
      headers: { ...headers, 'x-service-key': key },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it requested
    return { status: response.status, body: (await response.json()) as any }
  }
  const inbox = async (recipient: string) => {
    const response = await control(platform, 'P', 'GET', `/inbox?recipient=${recipient}`)
    return (await response.json()) as {
      purpose: string
      code: string
      link: string
      body: string
    }[]
  }
  const user = async (id: string, within = '') =>
    (await call(`/iam/v4/iam/users/${id}${within && `?organizationId=${within}`}`)).body.data

  describe('organizations', () => {
    it('are created, and listed in pages from 0 together with the default one', async () => {
      const created = await call('/iam/v4/iam/organizations/create', {
        name: 'New',
        description: 'd',
        defaultRoleForMembers: ['member'],
        defaultPermissionsForMembers: ['orders.read'],
        createdFrom: 3,
      })
      expect(userRecords.WriteResult.parse(created.body)).toMatchObject({ isSuccess: true })
      const query = 'Page=0&PageSize=2&Sort.Property=Name&Sort.IsDescending=true'
      const { body } = await call(`/iam/v4/iam/organizations?${query}`)
      const list = iam.OrganizationList.parse(body)
      expect(list.organizations.map(({ name }) => name)).toEqual(['P', 'Other'])
      expect(list.totalCount).toBe(3)
      const second = await call(`/iam/v4/iam/organizations?${query.replace('Page=0', 'Page=1')}`)
      expect(second.body.organizations).toMatchObject([
        { itemId: created.body.itemId, defaultRoleForMembers: ['member'], createdFrom: 3 },
      ])
      const member = await call('/iam/v4/iam/users/create', {
        email: 'member@example.com',
        password,
        organizationId: created.body.itemId,
      })
      expect(await user(member.body.itemId)).toMatchObject({
        roles: ['member'],
        permissions: ['orders.read'],
      })
    })
  })

  describe('users', () => {
    it('are invited with an empty password, and activated with the code in the link', async () => {
      const created = await call('/iam/v4/iam/users/create', {
        email: 'eve@example.com',
        userName: 'eve',
        password: '',
        firstName: 'Eve',
        roles: ['member'],
        permissions: [],
        attributes: { team: 1 },
        allowedLogInType: [1, 3],
      })
      expect(created.body).toMatchObject({ isSuccess: true, errors: {} })
      const id = created.body.itemId as string
      expect(await user(id)).toMatchObject({
        active: false,
        isVarified: false,
        attributes: { team: 1 },
      })
      const [mail] = await inbox('eve@example.com')
      expect(new URL(mail!.link).searchParams.get('code')).toBe(mail!.code)
      const page = await platform.fetch(new Request(mail!.link))
      expect(await page.text()).toContain('Choose a password')
      const activate = (body: object) => call('/iam/v4/auth/activate', body)
      const weak = await activate({ code: mail!.code, password: 'short' })
      expect([weak.status, weak.body.errors]).toEqual([400, { password: expect.any(String) }])
      const done = await activate({ code: mail!.code, password, lastName: 'X' })
      expect(done.body).toEqual({
        isSuccess: true,
        itemId: id,
        active: true,
        isVarified: true,
        errors: {},
      })
      const again = await activate({ code: mail!.code, password })
      expect([again.status, again.body]).toEqual([
        400,
        { isSuccess: false, itemId: null, errors: { code: expect.any(String) } },
      ])
      expect(await user(id)).toMatchObject({ firstName: 'Eve', lastName: 'X', active: true })
      expect((await inbox('eve@example.com'))[0]).toBeDefined()
      expect((await signIn(platform, 'P', 'eve')).callback.status).toBe(200)
    })

    it('are invited again until they are activated, with the last link only', async () => {
      const created = await call('/iam/v4/iam/users/create', {
        email: 'ivy@example.com',
        password: '',
      })
      const { itemId } = created.body as { itemId: string }
      const invite = async (id = itemId) =>
        (await control(platform, 'P', 'POST', `/users/${id}/invitation`)).status
      const codes = async () => (await inbox('ivy@example.com')).map(({ code }) => code)
      const [former] = await codes()
      expect(await invite()).toBe(204)
      const latest = (await codes()).filter((code) => code !== former)
      expect(latest).toHaveLength(1)
      const activate = async (code = '') =>
        (await call('/iam/v4/auth/activate', { code, password })).body.isSuccess
      expect([await activate(former), await activate(latest[0])]).toEqual([false, true])
      expect([await invite(), await invite('nobody')]).toEqual([404, 404])
    })

    it('can activate their account on the page of the link', async () => {
      await call('/iam/v4/iam/users/create', { email: 'fay@example.com', password: '' })
      const [mail] = await inbox('fay@example.com')
      const send = (secret: string) =>
        platform.fetch(
          new Request(mail!.link, {
            method: 'POST',
            headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ password: secret }).toString(),
          }),
        )
      expect((await send('short')).status).toBe(400)
      expect((await send(password)).status).toBe(200)
      expect((await signIn(platform, 'P', 'fay@example.com')).callback.status).toBe(200)
    })

    it('are created active and not verified by the other route family', async () => {
      const { body } = await call('/idp/v1/Iam/Create', {
        email: 'gil@example.com',
        userName: 'gil',
        password,
        firstName: 'Gil',
        tags: ['a'],
        varifiedType: 1,
        mailPurpose: 'Welcome',
        memberships: [
          { organizationId: 'org-other', roles: ['admin'], permissions: ['orders.write'] },
        ],
      })
      expect(idp.UserCreated.parse(body)).toEqual({
        itemId: expect.any(String),
        email: 'gil@example.com',
        userName: 'gil',
        firstName: 'Gil',
        lastName: null,
        active: true,
        isVarified: false,
        mfaEnabled: false,
        memberships: [
          { organizationId: 'org-other', roles: ['admin'], permissions: ['orders.write'] },
        ],
      })
      const [mail] = await inbox('gil@example.com')
      expect(mail!.purpose).toBe('Welcome')
      const done = await call('/idp/v1/Iam/Activate', {
        code: mail!.code,
        password,
        preventPostEvent: true,
      })
      expect(idp.UserActivated.parse(done.body)).toEqual({
        isSuccess: true,
        data: { itemId: body.itemId, email: 'gil@example.com', active: true, isVarified: true },
        errors: {},
      })
      expect((await inbox('gil@example.com')).length).toBe(1)
      const email = 'purpose@example.com'
      await call('/idp/v1/Iam/Create', { email, userName: 'purpose', password })
      const { code } = (await inbox(email))[0]!
      await call('/idp/v1/Iam/Activate', { code, password, mailPurpose: 'Hello' })
      const purposes = (await inbox(email)).map(({ purpose }) => purpose)
      expect(purposes.sort()).toEqual(['AccountCreated', 'Hello'])
      const wrong = await call('/idp/v1/Iam/Activate', { code: 'nothing', password })
      expect([wrong.status, wrong.body.isSuccess, Object.keys(wrong.body.errors)]).toEqual([
        200,
        false,
        ['code'],
      ])
    })

    it.each([
      [
        'an address that somebody has',
        { email: 'ADA@example.com', userName: 'x1', password },
        'email',
      ],
      [
        'a name that somebody has',
        { email: 'x@example.com', userName: 'Ada', password },
        'userName',
      ],
      ['what is no address', { email: 'x', userName: 'x2', password }, 'email'],
      [
        'a short password',
        { email: 'x@example.com', userName: 'x3', password: 'short' },
        'password',
      ],
      [
        'an unknown organization',
        { email: 'x@example.com', userName: 'x4', password, organizationId: 'none' },
        'organizationId',
      ],
    ])('are not created with %s', async (_, body, field) => {
      for (const path of ['/idp/v1/Iam/Create', '/iam/v4/iam/users/create']) {
        const answer = await call(path, body)
        expect(answer.status).toBe(200)
        expect(userRecords.WriteResult.parse(answer.body)).toMatchObject({ isSuccess: false })
        expect(Object.keys(answer.body.errors)).toEqual([field])
      }
    })

    it('are changed only in the expected version, if a request names one', async () => {
      const version = async () => (await user('bob')).lastUpdatedDate as string
      const update = async (firstName: string, expected: string) => {
        const response = await admin.send('/idp/v1/Iam/Update', {
          method: 'POST',
          headers: { ...headers, 'if-match': `"${expected}"` },
          body: JSON.stringify({ itemId: 'bob', firstName, projectKey: 'P' }),
        })
        return (await response.json()) as { isSuccess: boolean; errors: object }
      }
      const outdated = await update('Three', '2020-01-02T03:04:05.000Z')
      expect([outdated.isSuccess, Object.keys(outdated.errors)]).toEqual([
        false,
        ['lastUpdatedDate'],
      ])
      expect((await update('Four', await version())).isSuccess).toBe(true)
      expect((await user('bob')).firstName).toBe('Four')
    })

    it('are created once by concurrent requests', async () => {
      const body = { email: 'race@example.com', userName: 'race', password }
      const all = await Promise.all(
        Array.from({ length: 4 }, () => call('/idp/v1/Iam/Create', body)),
      )
      expect(all.filter(({ body: created }) => created.itemId).length).toBe(1)
    })

    it('lose roles and permissions that a request omits', async () => {
      const created = await call('/iam/v4/iam/users/create', {
        email: 'hal@example.com',
        password,
        roles: ['admin', 'member'],
        permissions: ['orders.read', 'orders.write'],
      })
      const userId = created.body.itemId as string
      const done = await call('/iam/v4/iam/users/roles-and-permissions', {
        userId,
        roles: ['member'],
        permissions: [],
      })
      expect(done.body).toMatchObject({ isSuccess: true })
      expect(await user(userId)).toMatchObject({ roles: ['member'], permissions: [] })
      const unknown = await call('/iam/v4/iam/users/roles-and-permissions', {
        userId: 'nobody',
        roles: [],
        permissions: [],
      })
      expect([unknown.status, Rejection.safeParse(unknown.body).success]).toEqual([404, true])
      const updated = await call('/idp/v1/Iam/Update', {
        itemId: userId,
        firstName: 'Hal',
        mfaEnabled: true,
        userMfaType: 1,
        roles: ['admin'],
        memberships: [
          { organizationId: 'org-P', roles: [], permissions: ['orders.read'] },
          { organizationId: 'org-other', roles: ['member'], permissions: [] },
        ],
      })
      expect(idp.UserUpdated.parse(updated.body)).toMatchObject({
        isSuccess: true,
        errors: {},
        data: {
          itemId: userId,
          firstName: 'Hal',
          mfaEnabled: true,
          userMfaType: 1,
          roles: ['admin'],
          memberships: [
            { organizationId: 'org-P', roles: ['admin'], permissions: ['orders.read'] },
            { organizationId: 'org-other', roles: ['member'], permissions: [] },
          ],
        },
      })
      expect(await user(userId, 'org-other')).toMatchObject({ roles: ['member'], permissions: [] })
      expect(await user(userId, 'elsewhere')).toMatchObject({ roles: [], permissions: [] })
      const byName = await call('/idp/v1/Iam/Update', {
        itemId: userId,
        memberships: [
          { organizationId: 'default', roles: ['member'] },
          { organizationId: 'org-other' },
        ],
      })
      expect(byName.body.data.memberships).toEqual([
        { organizationId: 'org-P', roles: ['member'], permissions: [] },
        { organizationId: 'org-other', roles: [], permissions: [] },
      ])
      const missing = await call('/idp/v1/Iam/Update', { itemId: 'nobody' })
      expect(missing.body).toMatchObject({
        isSuccess: false,
        errors: { itemId: expect.any(String) },
      })
    })

    it('are listed by both route families, each with its first page, filters and order', async () => {
      const first = await call('/iam/v4/iam/users', {
        page: 0,
        pageSize: 1,
        sort: { property: 'email', isDescending: false },
        filter: { org_id: 'default' },
      })
      expect(first.body.data).toMatchObject([{ email: 'ada@example.com', logInCount: 1 }])
      expect(first.body.totalCount).toBeGreaterThan(2)
      const same = await call('/idp/v1/Iam/GetUsers', {
        page: 2,
        pageSize: 1,
        sort: { property: 'Email', isDescending: false },
      })
      expect(same.body).toMatchObject({ errors: {}, data: [{ email: 'bob@example.com' }] })
      const accounts = await call('/idp/v1/Iam/GetAccounts', { filter: { userIds: ['ada'] } })
      expect(accounts.body.totalCount).toBe(1)
      expect(userRecords.Account.safeParse(accounts.body.data[0]).success).toBe(true)
      expect(Object.keys(accounts.body.data[0])).not.toContain('logInCount')
      const count = async (filter: object) =>
        (await call('/idp/v1/Iam/GetUsers', { filter })).body.totalCount as number
      expect(await count({ email: 'ADA@' })).toBe(1)
      expect(await count({ name: 'ada l' })).toBe(1)
      expect(await count({ email: '%' })).toBe(0)
      expect(await count({ organizationId: 'org-other', status: { active: true } })).toBe(3)
      expect(await count({ status: { inactive: true } })).toBe(0)
      expect(await count({ mfa: { enabled: true } })).toBe(1)
      expect(await count({ joinedOn: '2026-01-02T00:00:00Z' })).toBe(0)
      expect(await count({ lastLogin: '2025-12-31' })).toBeGreaterThan(0)
      for (const name of ['joinedOn', 'lastLogin'])
        for (const date of ['soon', '0000-01-01', '-000001-01-01T00:00:00Z', '99999-01-01']) {
          const bad = await call('/idp/v1/Iam/GetUsers', { filter: { [name]: date } })
          expect([date, bad.status]).toEqual([date, 400])
          expect(Rejection.safeParse(bad.body).success).toBe(true)
        }
      const negative = await call('/idp/v1/Iam/GetUsers', { page: -1 })
      expect(negative.status).toBe(400)
      const odd = await call('/idp/v1/Iam/GetUsers', { filter: { email: 'a\0' } })
      expect(odd.status).toBe(400)
    })

    it('are read by id', async () => {
      const found = await call('/idp/v1/Iam/GetUser?Id=ada&ProjectKey=P')
      expect(userRecords.User.parse(found.body.data)).toMatchObject({
        isVarified: true,
        lastLoggedInTime: new Date(now).toISOString(),
        memberships: expect.arrayContaining([
          { organizationId: 'org-P', roles: ['admin'], permissions: [] },
          { organizationId: 'org-other', roles: ['admin'], permissions: [] },
        ]),
      })
      const none = await call('/idp/v1/Iam/GetUser?Id=nobody&ProjectKey=P')
      expect(none.body).toEqual({ data: null, errors: { Id: expect.any(String) } })
      expect((await call('/iam/v4/iam/users/nobody')).status).toBe(404)
    })

    it('read their own account with the permissions of their roles, with cookies or a token', async () => {
      const { body } = await call('/idp/v1/Iam/GetAccount')
      expect(idp.AccountResponse.parse(body)).toMatchObject({
        data: { itemId: 'ada' },
        permissions: [
          { name: 'orders.read', type: 1, resource: 'orders' },
          { name: 'orders.write', type: 1, resource: 'orders' },
        ],
      })
      const nobody = await platform.fetch(
        new Request(`${origin}/idp/v1/Iam/GetAccount`, { headers: { 'x-service-key': 'P' } }),
      )
      expect(nobody.status).toBe(401)
      const wrong = await platform.fetch(
        new Request(`${origin}/idp/v1/Iam/GetAccount`, {
          headers: { 'x-service-key': 'P', authorization: 'Bearer wrong' },
        }),
      )
      expect(wrong.status).toBe(401)
    })
  })

  describe('roles and permissions', () => {
    it('are listed with filters', async () => {
      const all = await call('/iam/v4/iam/roles', { filter: {} })
      expect(all.body).toMatchObject({ totalCount: 2, errors: {} })
      const one = await call('/iam/v4/iam/roles', {
        filter: { search: 'ADMINI', slugs: ['admin'] },
      })
      expect(userRecords.Role.parse(one.body.data[0])).toMatchObject({
        slug: 'admin',
        ancestorRoleSlugs: ['member'],
        count: expect.any(Number),
      })
      expect(one.body.data[0].count).toBeGreaterThan(0)
      const held = await call('/iam/v4/iam/permissions', { roles: ['admin'], filter: { type: 1 } })
      expect(held.body.data.map(({ name }: { name: string }) => name)).toEqual(['orders.write'])
      const none = await call('/iam/v4/iam/permissions', { filter: { isArchived: true } })
      expect(none.body).toMatchObject({ data: [], totalCount: 0 })
      expect(
        (await call('/iam/v4/iam/permissions', { filter: { search: 'read' } })).body.totalCount,
      ).toBe(1)
    })

    it('can be required for changes', async () => {
      const settings = { settings: { administratorRoles: ['admin'] } }
      await control(platform, 'P', 'PUT', '/identity', settings)
      const { browser } = await signIn(platform, 'P', 'bob@example.com')
      const send = (from: Browser) =>
        from.send('/iam/v4/iam/organizations/create', {
          method: 'POST',
          headers,
          body: '{"name":"Mine"}',
        })
      const refused = await send(browser)
      expect([refused.status, Rejection.safeParse(await refused.json()).success]).toEqual([
        403,
        true,
      ])
      expect((await send(admin)).status).toBe(200)
      await control(platform, 'P', 'PUT', '/identity', { settings: {} })
      expect((await send(browser)).status).toBe(403)
      const members = { settings: { administratorRoles: ['member'] } }
      await control(platform, 'P', 'PUT', '/identity', members)
      expect((await send(browser)).status).toBe(200)
      await control(platform, 'P', 'PUT', '/identity', { settings: {} })
    })
  })

  it('responds in the format of the dialect', async () => {
    const { body } = await call('/idp/v1/Iam/GetUser?Id=ada&ProjectKey=D', undefined, 'D')
    expect(userRecords.User.parse(body.data)).toMatchObject({
      isVerified: true,
      roles: { 'org-D': ['admin'] },
      permissions: { 'org-D': [] },
    })
    expect(Object.keys(body.data)).not.toContain('isVarified')
    const query = new URLSearchParams({
      'x-service-key': 'D',
      clientId: 'web',
      redirectUri: appUri,
    })
    const begun = await admin.send(`/iam/v4/idp/initiate?${query}`)
    expect(Object.keys((await begun.json()) as object)).toEqual(['authorizationUrl'])
    const token = await admin.send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: { 'x-service-key': 'D', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'job',
        client_secret: 'the secret of the job',
        org_id: 'default',
      }).toString(),
    })
    expect(Object.keys((await token.json()) as object)).toEqual([
      'accessToken',
      'tokenType',
      'expiresIn',
      'expiresUtc',
    ])
  })

  it('isolates projects from each other', async () => {
    expect((await call('/iam/v4/iam/users', {}, 'Q')).status).toBe(401)
    const theirs = await call('/idp/v1/Iam/GetUsers', { pageSize: 100 }, 'Q')
    expect(theirs.body.totalCount).toBe(2)
    const mail = (await inbox('eve@example.com')).find(({ code }) => code)
    const used = await call('/idp/v1/Iam/Activate', { code: mail?.code ?? 'x', password }, 'Q')
    expect(used.body.isSuccess).toBe(false)
  })
})
