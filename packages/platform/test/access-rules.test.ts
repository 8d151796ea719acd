import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '../src/index.ts'
import { type LogEntry } from '../src/control/request-log.ts'
import { machineToken } from '@servicekit/testing/administrator'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { control, origin, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import { identityWith, post, type Send } from './access-project.ts'

/** Access rules whose outcome is more than the status, which the matrix of docs/operations/access.md has. */
const identity = identityWith([
  { itemId: 'ada', email: 'ada@example.com', password, roles: ['admin'] },
  { itemId: 'bob', email: 'bob@example.com', password, roles: ['member', 'owner'] },
  { itemId: 'nora', email: 'nora@example.com', memberships: [] },
  {
    itemId: 'late',
    email: 'late@example.com',
    memberships: [
      { organizationId: 'org-other', roles: ['owner'], permissions: ['orders.burn'] },
      { organizationId: 'default', roles: ['member'], permissions: [] },
    ],
  },
  {
    itemId: 'both',
    email: 'both@example.com',
    password,
    memberships: [
      { organizationId: 'default', roles: ['member'], permissions: ['orders.burn'] },
      { organizationId: 'org-other', roles: ['admin', 'owner'], permissions: [] },
    ],
  },
  {
    itemId: 'olga',
    email: 'olga@example.com',
    password,
    organizationId: 'org-other',
    roles: ['admin'],
  },
])

const withToken =
  (platform: Pick<Platform, 'fetch'>, token: string): Send =>
  (path, init) =>
    platform.fetch(
      new Request(new URL(path, origin), {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` },
      }),
    )

const get = async (send: Send, path: string) => {
  const response = await send(path, { headers: { 'x-service-key': 'P' } })
  return { status: response.status, text: await response.text() }
}
const webhook = {
  url: 'https://example.org/',
  contentType: 'application/json',
  isDisabled: true,
  projectKey: 'P',
}

onEachEngine((engine) => {
  let platform: Platform
  let ada: Browser
  let both: Browser
  let olga: Browser
  let machine: Send
  let plain: Send
  const anonymous: Send = (path, init) => platform.fetch(new Request(new URL(path, origin), init))
  beforeAll(async () => {
    platform = await engine.open({ projects: [project('P', { en: { m: { A: 'a' } } })] })
    await control(platform, 'P', 'PUT', '/identity', identity)
    ;[ada, both, olga] = (await Promise.all(
      ['ada', 'both', 'olga'].map(
        async (name) => (await signIn(platform, 'P', `${name}@example.com`)).browser,
      ),
    )) as [Browser, Browser, Browser]
    machine = withToken(platform, await machineToken(platform, 'P'))
    plain = withToken(platform, await machineToken(platform, 'P', ['member']))
  })
  afterAll(() => platform?.close())

  const update = (by: Send, body: object) => post(by, '/idp/v1/Iam/Update', body)

  describe('a refused request', () => {
    it('says who may do this', async () => {
      const deactivate = (userId: string) => ({ userId })
      const expected: readonly (readonly [
        () => Promise<{ status: number; text: string }>,
        string,
      ])[] = [
        [
          () => get(machine, '/idp/v1/Iam/GetAccount'),
          'A machine has no account. Sign in as a user.',
        ],
        [
          () => update(plain, { itemId: 'bob', firstName: 'B' }),
          'Only an administrator may do this. Use an account or a machine client with an administrator role.',
        ],
        [
          () => post(olga.send, '/iam/v4/iam/organizations/create', { name: 'N' }),
          'Only an administrator of the default organization may do this. Use an account or a machine client with an administrator role there.',
        ],
        [
          () => post(ada.send, '/iam/v4/iam/users/deactivate', deactivate('both')),
          'Only an administrator of every organization of this user may do this.',
        ],
        [
          () => update(olga.send, { itemId: 'bob', firstName: 'B' }),
          'Only an administrator of an organization of this user may do this.',
        ],
        [
          () =>
            update(ada.send, {
              itemId: 'both',
              memberships: [{ organizationId: 'org-other', roles: [] }],
            }),
          'Only an administrator of the organization org-other may do this.',
        ],
        [
          () => update(ada.send, { itemId: 'nora', roles: ['owner'] }),
          'The caller cannot grant the role owner without having it.',
        ],
        [
          () => update(ada.send, { itemId: 'nora', permissions: ['orders.burn'] }),
          'The caller cannot grant the permission orders.burn without having it.',
        ],
      ]
      for (const [send, message] of expected) {
        const { status, text } = await send()
        expect({ status, text }).toEqual({ status: 403, text: expect.stringContaining(message) })
      }
    })

    it('is refused before its parameters are read, if no parameters would be allowed', async () => {
      expect((await update(plain, {})).status).toBe(403)
      expect((await update(machine, {})).status).toBe(400)
      expect((await update(ada.send, {})).status).toBe(400)
    })

    it('says how to sign in, by the proofs that the operation accepts', async () => {
      const session = 'Sign in (GET /iam/v4/idp/initiate) and send the cookies of the session'
      const token = 'send Authorization: Bearer with a token from POST /iam/v4/oidc/token'
      const open = ' For development, `servicekit dev --open` lets everyone on this machine in.'
      const either = await get(anonymous, '/idp/v1/Iam/GetAccount')
      expect(either).toMatchObject({ status: 401 })
      expect(either.text).toContain(`${session}, or ${token}.${open}`)
      const cookies = await get(anonymous, '/iam/v4/iam/me')
      // The message ends there.
      expect(cookies.text).toContain(`${session}."`)
      const bearer = await post(anonymous, '/uilm/v1/Config/SaveWebHook', webhook)
      expect(bearer.text).toContain(` S${token.slice(1)}.`)
      expect(bearer.text).not.toContain('--open')
      // A browser sends cookies with requests of other sites, too.
      expect((await post(ada.send, '/uilm/v1/Config/SaveWebHook', webhook)).status).toBe(401)
      const none = await get(
        withToken(platform, 'wrong'),
        '/localization/v4/Language/Gets?ProjectKey=P',
      )
      expect(none).toMatchObject({ status: 401 })
      expect(none.text).toContain('Leave the header out, or send a valid token.')
    })
  })

  describe('a grant', () => {
    it('may keep roles and permissions that the user has in that organization already', async () => {
      const kept = { roles: ['member', 'owner'], permissions: ['orders.read'] }
      expect((await update(ada.send, { itemId: 'bob', ...kept })).status).toBe(200)
      const member = { organizationId: 'org-P', roles: ['member'], permissions: ['orders.burn'] }
      expect((await update(ada.send, { itemId: 'both', memberships: [member] })).status).toBe(200)
      // The user is an owner of the other organization only.
      const owner = { ...member, roles: ['owner'] }
      const refused = await update(ada.send, { itemId: 'both', memberships: [owner] })
      expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('role owner') })
      const late = await update(ada.send, { itemId: 'late', memberships: [owner] })
      expect(late).toMatchObject({ status: 403, text: expect.stringContaining('role owner') })
      const more = { ...member, permissions: ['orders.burn', 'orders.sell'] }
      const unknown = await update(ada.send, { itemId: 'both', memberships: [more] })
      expect(unknown.text).toContain('permission orders.sell')
    })

    it('shows nothing of the organizations that the caller does not administer', async () => {
      const changed = await update(olga.send, { itemId: 'late', firstName: 'L' })
      const { data } = JSON.parse(changed.text) as {
        data: { roles: unknown; memberships: unknown }
      }
      expect(changed.status).toBe(200)
      expect(data.memberships).toEqual([
        { organizationId: 'org-other', roles: ['owner'], permissions: ['orders.burn'] },
      ])
      expect(data.roles).toEqual([])
      const read = await get(olga.send, '/idp/v1/Iam/GetUser?Id=late&ProjectKey=P')
      expect(JSON.parse(read.text)).toMatchObject({
        data: { itemId: 'late', organizationId: null },
      })
      const own = await get(olga.send, '/idp/v1/Iam/GetUser?Id=olga&ProjectKey=P')
      expect(JSON.parse(own.text)).toMatchObject({ data: { organizationId: 'org-other' } })
    })

    it('by a machine is limited to the permissions of its roles', async () => {
      const change = (permissions: string[]) => update(machine, { itemId: 'nora', permissions })
      expect((await change(['orders.read'])).status).toBe(200)
      expect(await change(['orders.read', 'orders.burn'])).toMatchObject({
        status: 403,
        text: expect.stringContaining('permission orders.burn'),
      })
      expect((await change([])).status).toBe(200)
    })

    it('by the holder of the control token is not limited', async () => {
      const granted = await control(platform, 'P', 'POST', '/interface/idp/v1/Iam/Update', {
        itemId: 'nora',
        roles: ['owner'],
        permissions: ['orders.burn'],
      })
      expect(granted.status).toBe(200)
      const own = await control(platform, 'P', 'GET', '/interface/iam/v4/iam/organizations')
      expect(own.status).toBe(200)
      const removed = await control(platform, 'P', 'POST', '/interface/idp/v1/Iam/Update', {
        itemId: 'nora',
        roles: [],
        permissions: [],
      })
      expect(removed.status).toBe(200)
    })
  })

  describe('a list of users', () => {
    const list = async (by: Send, path: string, body: object = {}) => {
      const { text } = await post(by, path, body)
      const { data } = JSON.parse(text) as {
        data: { itemId: string; memberships?: { organizationId: string }[] }[]
      }
      return data
    }
    const users = '/idp/v1/Iam/GetUsers'
    const ids = async (...given: Parameters<typeof list>) =>
      (await list(...given)).map(({ itemId }) => itemId).sort()

    it('has those of the administered organizations, and those without one in the default organization', async () => {
      expect(await ids(ada.send, users)).toEqual(['ada', 'bob', 'both', 'late', 'nora'])
      expect(await ids(olga.send, users)).toEqual(['both', 'late', 'olga'])
    })

    it('is limited to an organization by its filter', async () => {
      const of = (organizationId: string) => ({ filter: { organizationId } })
      expect(await ids(both.send, users, of('org-other'))).toEqual(['both', 'late', 'olga'])
      expect(await ids(ada.send, users, of('default'))).toContain('bob')
      expect(await ids(ada.send, users, of('org-P'))).toContain('bob')
    })

    it('is empty for an organization that the caller does not administer', async () => {
      const of = (organizationId: string) => ({ filter: { organizationId } })
      expect(await ids(ada.send, users, of('org-other'))).toEqual([])
      expect(await ids(olga.send, users, of('default'))).toEqual([])
    })

    it('shows only memberships in organizations that the caller administers, except of the own account', async () => {
      const membershipsOf = async (by: Send, itemId: string) => {
        const found = (await list(by, users)).find((one) => one.itemId === itemId)!
        return found.memberships!.map(({ organizationId }) => organizationId).sort()
      }
      expect(await membershipsOf(ada.send, 'both')).toEqual(['org-P'])
      expect(await membershipsOf(olga.send, 'both')).toEqual(['org-other'])
      expect(await membershipsOf(both.send, 'both')).toEqual(['org-P', 'org-other'])
    })
  })
})

describe('an open project', () => {
  const open = async (options: PlatformOptions = {}) => {
    const platform = await createPlatform({
      openProjects: true,
      ...options,
      projects: [
        project(
          'P',
          {},
          {
            identity,
            schemas: [
              {
                schemaName: 'Thing',
                schemaType: 1,
                querySchema: 'Things',
                readAccessLevel: 1,
                writeAccessLevel: 1,
                fields: [{ name: 'Name', type: 'String' }],
              },
            ],
          },
        ),
      ],
    })
    const anonymous: Send = (path, init) => platform.fetch(new Request(new URL(path, origin), init))
    return { platform, anonymous }
  }

  it('lets everyone in, except where an operation concerns the own account or one kind of proof', async () => {
    const { platform, anonymous } = await open()
    await using _ = platform
    expect((await post(anonymous, '/idp/v1/Iam/GetUsers')).status).toBe(200)
    expect((await get(anonymous, '/idp/v1/Iam/GetAccount')).status).toBe(401)
    expect((await get(anonymous, '/iam/v4/iam/me')).status).toBe(401)
    expect((await post(anonymous, '/iam/v4/iam/users')).status).toBe(401)
    expect((await post(anonymous, '/uilm/v1/Config/SaveWebHook', webhook)).status).toBe(401)
    const stale: Send = (path, init) =>
      anonymous(path, {
        ...init,
        headers: { ...(init?.headers as object), cookie: 'sk_access_0123456789ab=wrong' },
      })
    expect((await post(stale, '/idp/v1/Iam/GetUsers')).status).toBe(200)
  })

  it('gives every caller the access of an administrator, and still knows who it is', async () => {
    const { platform } = await open()
    await using _ = platform
    const { browser: both } = await signIn(platform, 'P', 'both@example.com')
    expect((await post(both.send, '/iam/v4/iam/users', { page: 0, pageSize: 10 })).status).toBe(200)
    const me = await get(both.send, '/iam/v4/iam/me')
    expect(me.text).toContain('both@example.com')
    const plain = withToken(platform, await machineToken(platform, 'P', ['member']))
    expect((await post(plain, '/uilm/v1/Config/SaveWebHook', webhook)).status).toBe(200)
    const query = 'mutation { insertThing(input: {Name: "n"}) { itemId } }'
    expect((await post(both.send, '/data/v4/gateway', { query })).status).toBe(200)
    await control(platform, 'P', 'POST', '/interface/data/v4/gateway', { query })
    const exported = await (await control(platform, 'P', 'GET', '/export')).json()
    const { records } = exported as { records: { Thing: { CreatedBy: string }[] } }
    expect(records.Thing.map(({ CreatedBy }) => CreatedBy)).toEqual(
      expect.arrayContaining(['both', 'control']),
    )
  })
})

it('names the administrator roles that a project without an administrator needs', async () => {
  const log: LogEntry[] = []
  const withRoles = (key: string, administratorRoles: string[]) =>
    project(key, {}, { identity: { settings: { administratorRoles } } })
  await using platform = await createPlatform({
    onLog: (entry) => log.push(entry),
    projects: [withRoles('P', ['boss', 'chief']), withRoles('Q', [])],
  })
  await platform.projectKeys()
  const notices = log.flatMap((entry) => (entry.event === 'notice' ? [entry.message] : []))
  expect(notices).toEqual([
    expect.stringContaining('the role boss or chief in identity.json'),
    expect.stringContaining('the role of administratorRoles (there are none) in identity.json'),
  ])
})
