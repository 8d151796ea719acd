import { throttled } from './auth.ts'
import { expect } from 'vitest'
import { password } from '@servicekit/testing/people'
import type { OperationCase, OperationCases } from './operation-case.ts'
import { wrongKeys } from './project-key.ts'
import type { Sent } from './world.ts'

/** Matches any string. */
const text = expect.any(String) as string
const at = (path: string, body?: unknown): Sent => ({
  path: `/idp/v1/Iam${path}`,
  ...(body === undefined ? {} : { body }),
})
const newUser = { email: 'idp@example.com', userName: 'idp', password }

/** Returns the cases of an operation with a JSON body, including one with an invalid body. */
const casesOf = (
  sent: Sent,
  invalid: unknown,
  ...more: readonly OperationCase[]
): readonly OperationCase[] => [
  ...more,
  {
    when: 'with a member that is invalid',
    status: 400,
    send: (world) => world.send({ ...sent, body: invalid }),
  },
  ...wrongKeys(sent),
]
const ok = (sent: Sent, when: string, body: object): OperationCase => ({
  when,
  status: 200,
  body,
  send: (world) => world.send(sent),
})

/** Cases of section 4.3. A failure is a 200 with `errors` (section 7). */
export const idpCases: OperationCases = {
  'idp.listUsers': casesOf(
    at('/GetUsers', {}),
    { page: -1 },
    ok(at('/GetUsers', { filter: { name: 'ada' } }), 'by name', {
      data: [{ itemId: 'ada', logInCount: expect.any(Number) as number }],
      totalCount: 1,
    }),
  ),
  'idp.listAccounts': casesOf(
    at('/GetAccounts', {}),
    { filter: { joinedOn: 'yesterday' } },
    ok(at('/GetAccounts', { filter: { userIds: ['bob'] } }), 'by id', {
      data: [{ itemId: 'bob' }],
      totalCount: 1,
    }),
  ),
  'idp.createUser': casesOf(
    at('/Create', newUser),
    { userName: 'x' },
    ok(at('/Create', newUser), 'with the required members', { active: true, isVarified: false }),
    ok(at('/Create', { ...newUser, userName: 'ada' }), 'with a name that is taken', {
      isSuccess: false,
      errors: expect.any(Object) as object,
    }),
  ),
  'idp.updateUser': casesOf(
    at('/Update', { itemId: 'ada' }),
    {},
    ok(at('/Update', { itemId: 'ada', lastName: 'M' }), 'with one member', {
      isSuccess: true,
      data: { itemId: 'ada', lastName: 'M', firstName: 'Ada' },
    }),
    ok(
      at('/Update', {
        itemId: 'bob',
        memberships: [{ organizationId: 'none', roles: [], permissions: [] }],
      }),
      'with an organization that there is not',
      { isSuccess: false, errors: { memberships: text } },
    ),
    ok(at('/Update', { itemId: 'nobody' }), 'for an unknown user', {
      isSuccess: false,
      errors: { itemId: text },
    }),
  ),
  'idp.getUser': [
    ok({ ...at('/GetUser'), query: { Id: 'ada', ProjectKey: 'P' } }, 'by id', {
      data: { itemId: 'ada' },
    }),
    ok({ ...at('/GetUser'), query: { Id: 'nobody', ProjectKey: 'P' } }, 'for an unknown user', {
      data: null,
      errors: { Id: text },
    }),
    {
      when: 'without an id',
      status: 400,
      send: (world) => world.send({ ...at('/GetUser'), query: { ProjectKey: 'P' } }),
    },
    ...wrongKeys({ ...at('/GetUser'), query: { Id: 'ada', ProjectKey: 'P' } }),
  ],
  'idp.getAccount': [
    {
      when: 'for a signed-in user',
      status: 200,
      body: {
        data: { itemId: 'ada' },
        permissions: [{ name: 'orders.read' }, { name: 'orders.write' }],
      },
      send: (world) => world.send({ ...at('/GetAccount'), by: world.admin }),
    },
    {
      when: 'with the token of a machine, which has no account',
      status: 403,
      send: (world) => world.send(at('/GetAccount')),
    },
    ...wrongKeys(at('/GetAccount')),
  ],
  'idp.activate': casesOf(
    at('/Activate', { code: 'x', password }),
    { code: 'x' },
    {
      when: 'with the code of an invitation',
      status: 200,
      body: { isSuccess: true, data: { active: true, isVarified: true } },
      send: async (world) => {
        const { code } = await world.invite()
        return world.send(at('/Activate', { code, password }))
      },
    },
    ok(at('/Activate', { code: 'x', password }), 'with an unknown code', {
      isSuccess: false,
      errors: { code: text },
    }),
    {
      when: 'after many wrong codes',
      status: 429,
      send: (world) => throttled(world, at('/Activate', { code: 'x', password })),
    },
  ),
}
