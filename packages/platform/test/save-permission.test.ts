import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, origin, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import type { Platform } from '../src/index.ts'
import { removeProject } from './control-client.ts'

const controlToken = 'the-token-of-the-operator'

const identity = {
  settings: { administratorRoles: ['admin'] },
  clients: [
    { clientId: 'web', redirectUris: [appUri] },
    { clientId: 'job', clientSecret: 'secret of the job', organizations: ['west', 'default'] },
  ],
  roles: [{ slug: 'admin', ancestorRoleSlugs: ['member'] }, { slug: 'member' }, { slug: 'vault' }],
  permissions: [
    { name: 'orders.read', roles: ['member'] },
    { name: 'vault.open', roles: ['vault'] },
  ],
  organizations: [
    { itemId: 'west', name: 'West', defaultRoleForMembers: ['member', 'vault'] },
    { itemId: 'east', name: 'East', defaultPermissionsForMembers: ['east.read'] },
  ],
  users: [
    {
      itemId: 'ada',
      email: 'ada@example.com',
      password,
      memberships: [
        { organizationId: 'default', roles: ['admin'], permissions: [] },
        { organizationId: 'west', roles: ['admin'], permissions: [] },
      ],
    },
    {
      itemId: 'bob',
      email: 'bob@example.com',
      password,
      organizationId: 'west',
      memberships: [{ organizationId: 'west', roles: ['admin'], permissions: ['orders.read'] }],
    },
    {
      itemId: 'eve',
      email: 'eve@example.com',
      password,
      memberships: [{ organizationId: 'east', roles: ['admin'], permissions: [] }],
    },
  ],
}

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1, controlToken })
  })
  beforeEach(async () => {
    await platform.loadProject(project('P', { 'en-US': { m: { A: 'a' } } }, { identity }))
  })
  afterEach(() => removeProject(platform, 'P', controlToken))

  type Send = (method: string, path: string, body?: unknown) => Promise<Sent>
  interface Sent {
    readonly status: number
    readonly title: string | undefined
    readonly body: unknown
  }
  const read = async (response: Response): Promise<Sent> => {
    const text = await response.text()
    const body = text === '' ? undefined : (JSON.parse(text) as { title?: string })
    return { status: response.status, title: body?.title, body }
  }
  const operator: Send = async (method, path, body) =>
    read(
      await platform.fetch(
        new Request(`${origin}/_platform/projects/P${path}`, {
          method,
          headers: { authorization: `Bearer ${controlToken}` },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    )
  const as = async (name: string): Promise<Send> => {
    const { browser } = await signIn(platform, 'P', `${name}@example.com`)
    return async (method, path, body) =>
      read(
        await browser.send(`/_platform/projects/P${path}`, {
          method,
          headers: { origin },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
  }
  const exported = async () => {
    const { body } = await operator('GET', '/export')
    return (body as { rows: Record<string, readonly Record<string, unknown>[]> }).rows
  }
  const permissionsOf = async () => {
    const { permissions } = await exported()
    return Object.fromEntries(permissions!.map((row) => [row['name'], row['roles']]))
  }
  const permission = (more: object = {}) => ({
    description: null,
    resource: null,
    roles: [],
    ...more,
  })
  const refusals = async (
    send: Send,
    requests: readonly (readonly [string, string, unknown?])[],
  ): Promise<readonly unknown[]> => {
    const sent = []
    for (const request of requests) {
      const { status, title } = await send(...request)
      sent.push([status, title])
    }
    return sent
  }

  it('an administrator creates a permission, gives it to a role, and removes it', async () => {
    const ada = await as('ada')
    const wanted = permission({ resource: 'orders', roles: ['member'] })
    expect((await ada('PUT', '/permissions/orders.write', wanted)).status).toBe(204)
    expect(await permissionsOf()).toMatchObject({ 'orders.write': ['member', 'admin'] })
    const without = permission({ roles: ['admin'] })
    expect((await ada('PUT', '/permissions/orders.write', without)).status).toBe(204)
    expect(await permissionsOf()).toMatchObject({ 'orders.write': ['admin'] })
    expect((await ada('DELETE', '/permissions/orders.read')).status).toBe(204)
    const { memberships, permissions } = await exported()
    expect(permissions!.map((row) => row['name'])).toEqual(['vault.open', 'orders.write'])
    expect(JSON.stringify(memberships)).not.toContain('orders.read')
    expect((await ada('DELETE', '/permissions/orders.read')).status).toBe(404)
  })

  it('an administrator changes no permission and no role that they lack', async () => {
    const ada = await as('ada')
    const before = await permissionsOf()
    expect(
      await refusals(ada, [
        ['PUT', '/permissions/vault.open', permission({ roles: ['vault'] })],
        ['PUT', '/permissions/vault.open', permission({ roles: ['vault', 'admin'] })],
        ['PUT', '/permissions/orders.read', permission({ roles: ['member', 'vault'] })],
        ['PUT', '/permissions/new', permission({ roles: ['none'] })],
        ['PUT', '/permissions/east.read', permission()],
        ['DELETE', '/permissions/vault.open'],
      ]),
    ).toEqual([
      [403, 'The caller cannot change the permission vault.open without having it.'],
      [403, 'The caller cannot change the permission vault.open without having it.'],
      [403, 'The caller cannot change the permissions of the role vault without having it.'],
      [400, 'There is no role none.'],
      [
        409,
        'Members or organizations refer to the permission east.read already. Only the operator can create it.',
      ],
      [403, 'The caller cannot change the permission vault.open without having it.'],
    ])
    expect(await permissionsOf()).toEqual(before)
    expect((await operator('PUT', '/permissions/east.read', permission())).status).toBe(204)
    expect(await permissionsOf()).toMatchObject({ 'east.read': [] })
  })

  it('saves a role with its permissions', async () => {
    const ada = await as('ada')
    const role = { name: 'Sales', description: null, ancestorRoleSlugs: [], consoleRole: null }
    const save = (permissions?: readonly string[]) =>
      ada('PUT', '/roles/sales', { ...role, ...(permissions && { permissions }) })
    expect((await save(['orders.read'])).status).toBe(204)
    expect((await save()).status).toBe(204)
    expect(await permissionsOf()).toMatchObject({ 'orders.read': ['member', 'sales'] })
    expect((await save([])).status).toBe(204)
    expect(await permissionsOf()).toMatchObject({ 'orders.read': ['member'] })
    const lacking = await save(['vault.open'])
    expect([lacking.status, lacking.title]).toEqual([
      403,
      'The caller cannot change the permission vault.open without having it.',
    ])
    const unknown = await save(['none'])
    expect([unknown.status, unknown.title]).toEqual([400, 'There is no permission none.'])
  })

  it('a removed role is no longer given to new members of an organization', async () => {
    expect((await operator('DELETE', '/roles/vault')).status).toBe(204)
    const { organizations } = await exported()
    expect(organizations).toContainEqual(
      expect.objectContaining({ item_id: 'west', default_roles: ['member'] }),
    )
    const ada = await as('ada')
    await operator('PUT', '/identity', {
      organizations: [{ itemId: 'west', name: 'West', defaultRoleForMembers: ['ghost'] }],
    })
    const role = { name: 'Ghost', description: null, ancestorRoleSlugs: [], consoleRole: null }
    expect((await ada('PUT', '/roles/ghost', role)).status).toBe(409)
  })

  const organization = (more: object = {}) => ({
    name: 'West coast',
    description: 'Shops',
    defaultRoleForMembers: ['member', 'vault'],
    defaultPermissionsForMembers: [],
    ...more,
  })

  it('an administrator changes an organization, with roles that they have there', async () => {
    const ada = await as('ada')
    expect((await ada('PUT', '/organizations/west', organization())).status).toBe(204)
    const { organizations } = await exported()
    expect(organizations).toContainEqual(
      expect.objectContaining({
        item_id: 'west',
        name: 'West coast',
        description: 'Shops',
        default_roles: ['member', 'vault'],
      }),
    )
    expect(
      await refusals(ada, [
        ['PUT', '/organizations/east', organization({ defaultRoleForMembers: ['member'] })],
        ['PUT', '/organizations/west', organization({ defaultRoleForMembers: ['none'] })],
        [
          'PUT',
          '/organizations/west',
          organization({ defaultPermissionsForMembers: ['vault.open'] }),
        ],
        ['PUT', '/organizations/none', organization()],
        ['PUT', '/organizations/west', organization({ name: ' ' })],
      ]),
    ).toEqual([
      [403, 'The caller cannot grant the role member without having it.'],
      [400, 'There is no role none.'],
      [403, 'The caller cannot grant the permission vault.open without having it.'],
      [404, 'There is no such organization.'],
      [400, expect.stringContaining('name')],
    ])
  })

  it('an administrator removes an organization with its memberships, and its users stay', async () => {
    const ada = await as('ada')
    const bob = await as('bob')
    expect((await bob('DELETE', '/organizations/west')).status).toBe(403)
    expect(
      await refusals(ada, [
        ['DELETE', '/organizations/east'],
        ['DELETE', '/organizations/org-P'],
        ['DELETE', '/organizations/none'],
      ]),
    ).toEqual([
      [403, 'The caller cannot take away the role admin without having it.'],
      [409, 'The default organization of a project cannot be removed.'],
      [404, 'There is no such organization.'],
    ])
    expect((await ada('DELETE', '/organizations/west')).status).toBe(204)
    const { users, memberships, organizations, clients } = await exported()
    expect(JSON.stringify([users, memberships, organizations, clients])).not.toContain('west')
    expect(users!.map((row) => row['item_id'])).toEqual(['ada', 'bob', 'eve'])
    // Without a membership there are no roles, also in the default organization.
    const again = await as('bob')
    expect((await again('GET', '/console-roles')).status).toBe(403)
    expect((await operator('DELETE', '/organizations/east')).status).toBe(204)
  })
})
