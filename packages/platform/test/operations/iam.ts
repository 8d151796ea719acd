import { expect } from 'vitest'
import type { OperationCase, OperationCases } from './operation-case.ts'
import { wrongKeys } from './project-key.ts'
import type { Sent, World } from './world.ts'

/** Matches any string. */
const text = expect.any(String) as string
const page = { page: 0, pageSize: 10 }

/** Returns the cases that all operations of section 4.2 share, and further ones. */
function casesOf(sent: Sent, ...more: readonly OperationCase[]): readonly OperationCase[] {
  return [
    ...(more.some(({ status }) => status === 200)
      ? []
      : [
          {
            when: 'for a signed-in user',
            status: 200,
            send: (world: World) => world.send({ ...sent, by: world.admin }),
          },
        ]),
    ...more,
    {
      when: 'without a role that the project requires',
      status: 403,
      send: (world) => world.send({ ...sent, by: world.outsider, key: 'R' }),
    },
    ...(sent.body === undefined
      ? []
      : [
          {
            when: 'with a body that is not an object',
            status: 400,
            send: (world: World) => world.send({ ...sent, body: 1, by: world.admin }),
          },
        ]),
    ...wrongKeys(sent),
  ]
}

const at = (path: string, body?: unknown): Sent => ({
  path: `/iam/v4/iam${path}`,
  ...(body === undefined ? {} : { body }),
})
const unknownUser = (sent: Sent): OperationCase => ({
  when: 'for an unknown user',
  status: 404,
  send: (world) => world.send({ ...sent, by: world.admin }),
})
const newUser = { email: 'new@example.com', userName: 'new', password: '' }

/** Cases of section 4.2. */
export const iamCases: OperationCases = {
  'iam.getMe': casesOf(at('/me'), {
    when: 'for a signed-in user',
    status: 200,
    body: { data: { itemId: 'ada', roles: ['admin'] } },
    send: (world) => world.send({ ...at('/me'), by: world.admin }),
  }),
  'iam.listOrganizations': casesOf(at('/organizations'), {
    when: 'sorted by name',
    status: 200,
    body: { organizations: [{ name: 'P' }, { name: 'Other' }], totalCount: 2 },
    send: (world) =>
      world.send({
        ...at('/organizations'),
        query: { Page: '0', PageSize: '2', 'Sort.Property': 'name', 'Sort.IsDescending': 'true' },
        by: world.admin,
      }),
  }),
  'iam.createOrganization': casesOf(at('/organizations/create', { name: 'New' })),
  'iam.listUsers': casesOf(at('/users', page), {
    when: 'within an organization',
    status: 200,
    body: { data: [{ itemId: 'ada' }], totalCount: 1 },
    send: (world) =>
      world.send({
        ...at('/users', { ...page, filter: { org_id: 'org-other' } }),
        by: world.admin,
      }),
  }),
  'iam.getUser': casesOf(
    at('/users/bob'),
    {
      when: 'within an organization that the user is not in',
      status: 200,
      body: { data: { itemId: 'bob', roles: [] } },
      send: (world) =>
        world.send({
          ...at('/users/bob'),
          query: { organizationId: 'org-other' },
          by: world.admin,
        }),
    },
    unknownUser(at('/users/nobody')),
  ),
  'iam.createUser': casesOf(
    at('/users/create', newUser),
    {
      when: 'with an empty password, which invites',
      status: 200,
      body: { isSuccess: true },
      send: (world) => world.send({ ...at('/users/create', newUser), by: world.admin }),
    },
    {
      when: 'with an e-mail address that is taken',
      status: 200,
      body: { isSuccess: false, errors: { email: text } },
      send: (world) => {
        const body = { ...newUser, email: 'ada@example.com' }
        return world.send({ ...at('/users/create', body), by: world.admin })
      },
    },
  ),
  'iam.deactivateUser': casesOf(
    at('/users/deactivate', { userId: 'bob' }),
    {
      when: 'for another user, whose sessions end',
      status: 200,
      body: { isSuccess: true },
      send: async (world) => {
        const { userId } = await world.invite()
        return world.send({ ...at('/users/deactivate', { userId }), by: world.admin })
      },
    },
    unknownUser(at('/users/deactivate', { userId: 'nobody' })),
  ),
  'iam.listRoles': casesOf(at('/roles', page), {
    when: 'by slug',
    status: 200,
    body: { data: [{ slug: 'member', name: 'Member' }], totalCount: 1 },
    send: (world) =>
      world.send({ ...at('/roles', { ...page, filter: { slugs: ['member'] } }), by: world.admin }),
  }),
  'iam.listPermissions': casesOf(at('/permissions', page), {
    when: 'by role',
    status: 200,
    body: { data: [{ name: 'orders.write' }], totalCount: 1 },
    send: (world) =>
      world.send({ ...at('/permissions', { ...page, roles: ['admin'] }), by: world.admin }),
  }),
  'iam.setAccess': casesOf(
    at('/users/roles-and-permissions', { userId: 'bob', roles: ['member'], permissions: [] }),
    {
      when: 'for the account of the caller',
      status: 403,
      send: (world) => {
        const body = { userId: 'ada', roles: ['admin'], permissions: [] }
        return world.send({ ...at('/users/roles-and-permissions', body), by: world.admin })
      },
    },
    unknownUser(
      at('/users/roles-and-permissions', { userId: 'nobody', roles: [], permissions: [] }),
    ),
  ),
}
