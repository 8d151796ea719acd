import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { type LogEntry } from '../src/control/request-log.ts'
import { startPlatform } from '../src/node.ts'
import { clientSecret, machineToken } from '@servicekit/testing/administrator'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { control, origin, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { identityWith, post } from './access-project.ts'

const identity = identityWith([
  { itemId: 'ada', email: 'ada@example.com', password, roles: ['admin'] },
  { itemId: 'eve', email: 'eve@example.com', password, roles: ['admin'] },
  { itemId: 'bob', email: 'bob@example.com', password, roles: ['member'] },
  {
    itemId: 'both',
    email: 'both@example.com',
    memberships: [
      { organizationId: 'default', roles: ['member'], permissions: [] },
      { organizationId: 'org-other', roles: ['admin'], permissions: [] },
    ],
  },
])
type User = { memberships: { organizationId: string; roles: string[] }[]; active: boolean }

onEachEngine((engine) => {
  let platform: Platform
  let ada: Browser
  beforeAll(async () => {
    platform = await engine.open({ projects: [project('P'), project('Q')] })
    await control(platform, 'P', 'PUT', '/identity', identity)
    ada = (await signIn(platform, 'P', 'ada@example.com')).browser
  })
  afterAll(() => platform?.close())

  const update = (body: object, by = ada) => post(by.send, '/idp/v1/Iam/Update', body)
  /** Returns all data about users, as exported. */
  const state = async () => {
    const exported = (await (await control(platform, 'P', 'GET', '/export')).json()) as {
      rows: { users: unknown; memberships: unknown }
    }
    return JSON.stringify([exported.rows.users, exported.rows.memberships])
  }
  const outcomeOf = async (send: () => Promise<{ status: number; text: string }>) => {
    const before = await state()
    const { status, text } = await send()
    return { status, text, isUnchanged: (await state()) === before }
  }
  const refused = { status: 403, isUnchanged: true }

  describe('an administrator', () => {
    it.each([
      ['a role', { roles: ['owner'] }],
      ['a role that nobody registered', { roles: ['root'] }],
      ['a permission', { permissions: ['orders.burn'] }],
      [
        'a role within a membership',
        { memberships: [{ organizationId: 'org-P', roles: ['owner'] }] },
      ],
    ])('cannot grant %s without having it', async (_, changes) => {
      const outcome = await outcomeOf(() => update({ itemId: 'bob', ...changes }))
      expect(outcome).toMatchObject({ ...refused, text: expect.stringContaining('grant') })
    })

    it('cannot grant a role to a new user or to new members of an organization without having it', async () => {
      const user = { email: 'n@example.com', userName: 'n', password }
      for (const path of ['/iam/v4/iam/users/create', '/idp/v1/Iam/Create']) {
        const memberships = [{ organizationId: 'default', roles: ['owner'] }]
        expect(
          await outcomeOf(() => post(ada.send, path, { ...user, roles: ['owner'], memberships })),
        ).toMatchObject(refused)
      }
      const organization = { name: 'N', defaultRoleForMembers: ['owner'] }
      expect(
        await outcomeOf(() => post(ada.send, '/iam/v4/iam/organizations/create', organization)),
      ).toMatchObject(refused)
    })

    it.each([
      ['/iam/v4/iam/users', { page: 0, pageSize: 50, filter: { org_id: 'org-other' } }],
      ['/iam/v4/iam/users', { page: 0, pageSize: 50, filter: { organizationId: 'org-other' } }],
      ['/idp/v1/Iam/GetUsers', { filter: { organizationId: 'org-other' } }],
      ['/idp/v1/Iam/GetAccounts', { filter: { organizationId: 'org-other' } }],
      ['/idp/v1/Iam/GetUsers', { filter: { organizationId: 'nowhere' } }],
    ])('cannot find out who belongs to a foreign organization: POST %s %j', async (path, body) => {
      const { status, text } = await post(ada.send, path, body)
      expect([status, JSON.parse(text)]).toMatchObject([200, { data: [], totalCount: 0 }])
    })

    it('grants ancestors of the own role', async () => {
      const changes = { roles: ['member', 'admin'], permissions: ['orders.read'] }
      expect((await update({ itemId: 'bob', ...changes })).status).toBe(200)
      expect((await update({ itemId: 'bob', roles: ['member'], permissions: [] })).status).toBe(200)
    })

    it('replaces memberships in the administered organizations, and keeps and hides all others', async () => {
      const member = { organizationId: 'org-P', roles: ['admin'] }
      const foreign = { organizationId: 'org-other', roles: [] }
      expect(
        await outcomeOf(() => update({ itemId: 'both', memberships: [member, foreign] })),
      ).toMatchObject(refused)
      const done = await update({ itemId: 'both', memberships: [member] })
      expect(done.status).toBe(200)
      // The response shows no membership in other organizations.
      expect((JSON.parse(done.text) as { data: User }).data.memberships).toEqual([
        { ...member, permissions: [] },
      ])
      const exported = await state()
      expect(exported).toContain('"organization_id":"org-other"')
    })

    it('cannot deactivate users of other organizations or change their second factor', async () => {
      expect(
        await outcomeOf(() => post(ada.send, '/iam/v4/iam/users/deactivate', { userId: 'both' })),
      ).toMatchObject(refused)
      expect(await outcomeOf(() => update({ itemId: 'both', mfaEnabled: true }))).toMatchObject(
        refused,
      )
      expect(await outcomeOf(() => update({ itemId: 'both', userMfaType: 1 }))).toMatchObject(
        refused,
      )
      expect((await update({ itemId: 'both', firstName: 'B' })).status).toBe(200)
    })

    it('cannot change the roles, permissions, memberships or second factor of the own account', async () => {
      for (const change of [
        { roles: ['member'] },
        { permissions: [] },
        { memberships: [] },
        { mfaEnabled: false },
        { userMfaType: 0 },
      ]) {
        expect(
          await outcomeOf(() => update({ itemId: 'ada', firstName: 'X', ...change })),
        ).toMatchObject(refused)
      }
    })

    describe('with the role of an administrator', () => {
      const member = { userId: 'zoe', roles: ['member'], permissions: [] }
      beforeAll(async () => {
        const users = [{ itemId: 'zoe', email: 'zoe@example.com', roles: ['owner', 'member'] }]
        expect((await control(platform, 'P', 'PUT', '/identity', { users })).status).toBe(204)
      })
      afterAll(async () => {
        const users = [{ email: 'zoe@example.com', roles: ['member'] }]
        await control(platform, 'P', 'PUT', '/identity', { users })
      })

      it.each([
        ['/idp/v1/Iam/Update', { itemId: 'zoe', roles: ['member'] }],
        ['/idp/v1/Iam/Update', { itemId: 'zoe', roles: ['admin'] }],
        ['/idp/v1/Iam/Update', { itemId: 'zoe', memberships: [] }],
        ['/iam/v4/iam/users/roles-and-permissions', member],
        ['/iam/v4/iam/users/deactivate', { userId: 'zoe' }],
      ])('cannot take away a higher one: POST %s %j', async (path, body) => {
        const outcome = await outcomeOf(() => post(ada.send, path, body))
        expect(outcome).toMatchObject({
          ...refused,
          text: expect.stringContaining('cannot take away the role owner without having it'),
        })
      })

      it('may change other members of the account, and take away the own and lower ones', async () => {
        expect((await update({ itemId: 'zoe', firstName: 'Z' })).status).toBe(200)
        expect((await update({ itemId: 'zoe', roles: ['owner', 'admin'] })).status).toBe(200)
        expect((await update({ itemId: 'zoe', roles: ['owner'] })).status).toBe(200)
      })
    })

    it('administers the organizations it creates', async () => {
      const made = await post(ada.send, '/iam/v4/iam/organizations/create', { name: 'Mine' })
      const { itemId } = JSON.parse(made.text) as { itemId: string }
      const user = { email: 'mine@example.com', password: '', organizationId: itemId }
      const created = await post(ada.send, '/iam/v4/iam/users/create', user)
      expect(JSON.parse(created.text)).toMatchObject({ isSuccess: true })
    })
  })

  describe('the last administrator of an organization', () => {
    it('remains when two administrators remove each other’s role concurrently', async () => {
      const { browser: eve } = await signIn(platform, 'P', 'eve@example.com')
      const path = '/iam/v4/iam/users/roles-and-permissions'
      const none = { roles: [], permissions: [] }
      // Without a lock, only some rounds would remove both.
      for (let round = 0; round < 6; round++) {
        // There is no other administrator of the default organization.
        await control(platform, 'P', 'PUT', '/identity', {
          users: [{ email: 'both@example.com', roles: ['member'] }],
        })
        const both = await Promise.all([
          post(ada.send, path, { userId: 'eve', ...none }),
          post(eve.send, path, { userId: 'ada', ...none }),
        ])
        expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
        await control(platform, 'P', 'PUT', '/identity', { users: identity.users })
      }
    })

    it('cannot lose the role, the membership or the account', async () => {
      await control(platform, 'P', 'PUT', '/identity', {
        users: [
          { email: 'eve@example.com', roles: ['member'] },
          { email: 'both@example.com', roles: ['member'] },
        ],
      })
      const authorization = `Bearer ${await machineToken(platform, 'P')}`
      const byMachine: Browser['send'] = (path, init) =>
        platform.fetch(
          new Request(new URL(path, origin), {
            ...init,
            headers: { ...(init?.headers as Record<string, string>), authorization },
          }),
        )
      const machine = { ...ada, send: byMachine }
      expect(await outcomeOf(() => update({ itemId: 'ada', roles: [] }, machine))).toMatchObject(
        refused,
      )
      expect(
        await outcomeOf(() => update({ itemId: 'ada', memberships: [] }, machine)),
      ).toMatchObject(refused)
      const access = { userId: 'ada', roles: [], permissions: [] }
      const path = '/iam/v4/iam/users/roles-and-permissions'
      expect(await outcomeOf(() => post(ada.send, path, access))).toMatchObject({
        ...refused,
        text: expect.stringContaining('Users cannot change roles of their own account.'),
      })
      // The operator may change every account, but leaves an administrator as well.
      const byOperator = async () => {
        const sent = await control(platform, 'P', 'POST', `/interface${path}`, access)
        return { status: sent.status, text: await sent.text() }
      }
      expect(await outcomeOf(byOperator)).toMatchObject({
        ...refused,
        text: expect.stringContaining(
          'The organization org-P would have no administrator. Give another user the role first.',
        ),
      })
      expect(
        await outcomeOf(() => post(ada.send, '/iam/v4/iam/users/deactivate', { userId: 'ada' })),
      ).toMatchObject(refused)
      await control(platform, 'P', 'PUT', '/identity', { users: identity.users })
    })
  })

  describe('an identity file', () => {
    const demoted = ['ada', 'eve', 'zoe'].map((name) => ({
      email: `${name}@example.com`,
      roles: ['member'],
    }))
    it.each([
      ['the roles of all administrators', { users: demoted }],
      ['their memberships', { users: demoted.map((user) => ({ ...user, memberships: [] })) }],
      ['their accounts', { users: demoted.map((user) => ({ ...user, active: false })) }],
      ['the roles that administer', { settings: { administratorRoles: ['nobody'] } }],
    ])('does not take away the last administrator: %s', async (_, file) => {
      const outcome = await outcomeOf(async () => {
        const sent = await control(platform, 'P', 'PUT', '/identity', file)
        return { status: sent.status, text: await sent.text() }
      })
      expect(outcome).toMatchObject({
        status: 403,
        text: expect.stringContaining('would have no administrator'),
        isUnchanged: true,
      })
    })

    it('may replace the role that administers, together with the users that have it', async () => {
      const save = async (file: object) => {
        const sent = await control(platform, 'Q', 'PUT', '/identity', file)
        return [sent.status, await sent.text()]
      }
      const settings = { administratorRoles: ['chief'] }
      const ada = { email: 'ada@example.com', roles: ['chief'] }
      expect(await save(identity)).toEqual([204, ''])
      expect(await save({ settings })).toEqual([
        403,
        expect.stringContaining('organization org-Q would have no administrator'),
      ])
      expect(await save({ settings, users: [ada] })).toEqual([204, ''])
    })
  })

  it('invalidates the token of a machine when its client or its organization is removed', async () => {
    const token = await machineToken(platform, 'P')
    const ask = async () => {
      const headers = { 'x-service-key': 'P', authorization: `Bearer ${token}` }
      const request = new Request(`${origin}/idp/v1/Iam/GetUsers`, {
        method: 'POST',
        headers,
        body: '{}',
      })
      return (await platform.fetch(request)).status
    }
    expect(await ask()).toBe(200)
    // Another secret would invalidate the token as well.
    const client = { clientId: 'test-admin', clientSecret }
    const give = (changes: object) =>
      control(platform, 'P', 'PUT', '/identity', { clients: [{ ...client, ...changes }] })
    await give({ roles: [] })
    expect(await ask()).toBe(403)
    await give({ roles: ['admin'], organizations: ['org-other'] })
    expect(await ask()).toBe(401)
    await give({ roles: ['admin'] })
    expect(await ask()).toBe(200)
    await control(platform, 'P', 'DELETE', '/clients/test-admin')
    expect(await ask()).toBe(401)
  })
})

describe('an open platform', () => {
  const list = (platform: Pick<Platform, 'fetch'>, headers: Record<string, string> = {}) =>
    platform.fetch(
      new Request(`${origin}/idp/v1/Iam/GetUsers`, {
        method: 'POST',
        headers: { 'x-service-key': 'P', ...headers },
        body: '{}',
      }),
    )

  it('accepts requests of this machine without signing in, but none through a proxy', async () => {
    await using platform = await createPlatform({ openProjects: true, projects: [project('P')] })
    expect((await list(platform)).status).toBe(200)
    expect((await list(platform, { authorization: 'Bearer nothing' })).status).toBe(401)
    expect((await list(platform, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(401)
  })

  it('cannot be used with a public URL or an address that other machines reach', async () => {
    const open = { openProjects: true }
    await expect(
      createPlatform({ ...open, publicUrl: 'https://platform.example.com' }),
    ).rejects.toThrow('Cannot use openProjects together with publicUrl')
    await expect(startPlatform({ ...open, host: '0.0.0.0' })).rejects.toThrow(
      'Cannot use openProjects on 0.0.0.0',
    )
  })

  it('is suggested on this machine in the error that explains how to sign in', async () => {
    await using platform = await createPlatform({ projects: [project('P')] })
    const near = await (await list(platform)).text()
    expect(near).toContain('Sign in (GET /iam/v4/idp/initiate)')
    expect(near).toContain('POST /iam/v4/oidc/token')
    expect(near).toContain('--open')
    const far = await (await list(platform, { 'x-forwarded-for': '192.0.2.1' })).text()
    expect(far).not.toContain('--open')
  })
})

it('warns at startup about projects without an administrator', async () => {
  const log: LogEntry[] = []
  await using platform = await createPlatform({
    onLog: (entry) => log.push(entry),
    projects: [project('P'), project('Q', {}, { identity })],
  })
  expect(await platform.projectKeys()).toContain('P')
  const notices = log.flatMap((entry) => (entry.event === 'notice' ? [entry.message] : []))
  expect(notices).toEqual([expect.stringContaining('Project P has no administrator')])
  expect(notices[0]).toContain('the role admin')
})

describe('an administrator who uses the console', () => {
  const token = 'the control token of this test'
  const open = async () => {
    const platform = await createPlatform({
      controlToken: token,
      projects: [project('P', {}, { identity })],
    })
    const { browser } = await signIn(platform, 'P', 'ada@example.com')
    /** Sends a request to the interface, or as the console does. */
    const by = (door: 'interface' | 'console', headers: Record<string, string> = { origin }) => ({
      post: async (path: string, body: object) => {
        const prefix = door === 'console' ? '/_platform/projects/P/interface' : ''
        const sent = await browser.send(`${prefix}${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'x-service-key': 'P', ...headers },
        })
        return { status: sent.status, text: await sent.text() }
      },
    })
    return { platform, by }
  }
  const member = { organizationId: 'org-P', permissions: [] }
  const newUser = { email: 'n@example.com', userName: 'n', password }

  it.each([
    ['/idp/v1/Iam/Update', { itemId: 'bob', roles: ['owner'] }],
    ['/idp/v1/Iam/Update', { itemId: 'bob', memberships: [{ ...member, roles: ['owner'] }] }],
    ['/idp/v1/Iam/Update', { itemId: 'bob', permissions: ['orders.burn'] }],
    ['/idp/v1/Iam/Update', { itemId: 'ada', roles: ['admin', 'member'] }],
    ['/idp/v1/Iam/Update', { itemId: 'ada', permissions: [] }],
    ['/idp/v1/Iam/Update', { itemId: 'ada', memberships: [] }],
    ['/idp/v1/Iam/Update', { itemId: 'ada', mfaEnabled: false }],
    ['/iam/v4/iam/users/create', { ...newUser, roles: ['owner'] }],
    ['/iam/v4/iam/organizations/create', { name: 'N', defaultRoleForMembers: ['owner'] }],
  ])('is refused like at the interface: POST %s %j', async (path, body) => {
    const { platform, by } = await open()
    await using _ = platform
    const [direct, console] = [
      await by('interface').post(path, body),
      await by('console').post(path, body),
    ]
    expect([direct.status, console.status]).toEqual([403, 403])
    expect(JSON.parse(console.text)).toEqual(JSON.parse(direct.text))
  })

  it.each([
    ['/idp/v1/Iam/Create', { ...newUser, memberships: [{ ...member, roles: ['owner'] }] }],
    [
      '/iam/v4/iam/users/roles-and-permissions',
      { userId: 'bob', roles: ['owner'], permissions: [] },
    ],
  ])('may not call what only the operator may: POST %s %j', async (path, body) => {
    const { platform, by } = await open()
    await using _ = platform
    expect((await by('interface').post(path, body)).status).toBe(403)
    expect((await by('console').post(path, body)).status).toBe(401)
  })

  it('grants the own roles to others', async () => {
    const { platform, by } = await open()
    await using _ = platform
    const changes = { itemId: 'bob', roles: ['admin'] }
    expect((await by('console').post('/idp/v1/Iam/Update', changes)).status).toBe(200)
  })

  it('is not the operator with the control token, who may grant every role', async () => {
    const { platform, by } = await open()
    await using _ = platform
    const changes = { itemId: 'ada', roles: ['admin', 'owner'] }
    expect((await by('console').post('/idp/v1/Iam/Update', changes)).status).toBe(403)
    const operator = by('console', { authorization: `Bearer ${token}` })
    expect((await operator.post('/idp/v1/Iam/Update', changes)).status).toBe(200)
  })
})
