import { ConfigError } from '@servicekit/client'
import { readPages } from '@servicekit/core'
import { valuesOf } from '../../flags.ts'
import { type Action, type AdminCall, callInterface, nameOf, table } from './action.ts'

interface User {
  readonly itemId: string
  readonly email: string
  readonly active: boolean
  readonly memberships: readonly {
    readonly organizationId: string
    readonly roles: readonly string[]
    readonly permissions: readonly string[]
  }[]
}

interface UserPage {
  readonly data: readonly User[]
  readonly totalCount: number
}

const pageSize = 1000

/** Lists the users of a project, page by page. */
async function readUsers(call: AdminCall, filter: object = {}): Promise<readonly User[]> {
  const users: User[] = []
  const read = async (page: number) => {
    const body = { page: page - 1, pageSize, filter }
    const { data, totalCount } = await callInterface<UserPage>(call, '/iam/v4/iam/users', body)
    return { items: data, total: totalCount }
  }
  const contradiction = (reason: string): Error => new Error(`Cannot list the users: ${reason}`)
  for await (const { items } of readPages(read, contradiction)) users.push(...items)
  return users
}

/** Finds the user of the last argument by id or email address. @throws ConfigError */
async function findUser(call: AdminCall): Promise<User> {
  const name = nameOf(call, 'user id or email address')
  const isEmail = name.includes('@')
  const found = await readUsers(call, isEmail ? { email: name } : { userIds: [name] })
  const isSame = ({ itemId, email }: User): boolean =>
    itemId === name || email.toLowerCase() === name.toLowerCase()
  const user = found.find(isSame)
  if (user) return user
  throw new ConfigError(`There is no user ${name}`, {
    help: 'List them with servicekit admin users list.',
  })
}

const listUsers: Action = async (call) => {
  const value = await readUsers(call, call.name === undefined ? {} : { email: call.name })
  const rows = value.map(({ itemId, email, active, memberships }) => [
    itemId,
    email,
    active ? 'active' : 'inactive',
    memberships.flatMap(({ roles }) => roles).join(' '),
  ])
  return { value, lines: table(['id', 'email', 'state', 'roles'], rows) }
}

const inviteUser: Action = async (call) => {
  const email = nameOf(call, 'email address')
  const roles = valuesOf(call.rawArgs, 'role')
  const body = { email, password: '', ...(roles === undefined ? {} : { roles }) }
  const { itemId } = await callInterface<{ itemId: string }>(call, '/iam/v4/iam/users/create', body)
  return { value: { itemId, email }, lines: [`${email}: invited as ${itemId}`] }
}

const deactivateUser: Action = async (call) => {
  const { itemId, email } = await findUser(call)
  await callInterface(call, '/iam/v4/iam/users/deactivate', { userId: itemId })
  const line = `${email}: deactivated, and signed out everywhere`
  return { value: { itemId, email, active: false }, lines: [line] }
}

/** Returns the control route of a user. */
const routeOf = async (call: AdminCall, itemId: string): Promise<string> =>
  `${await call.project()}/users/${encodeURIComponent(itemId)}`

/** Lets a deactivated user sign in again. Sessions that ended stay so. */
const activateUser: Action = async (call) => {
  const { itemId, email } = await findUser(call)
  await call.send(`${await routeOf(call, itemId)}/activate`, 'POST')
  return { value: { itemId, email, active: true }, lines: [`${email}: activated`] }
}

const signOutUser: Action = async (call) => {
  const { itemId, email } = await findUser(call)
  await call.send(`${await routeOf(call, itemId)}/sessions`, 'DELETE')
  return { value: { itemId, email, isSignedOut: true }, lines: [`${email}: signed out everywhere`] }
}

/** Replaces the roles of a user in its own organization; its permissions stay. */
const setRoles: Action = async (call) => {
  const { itemId, email, memberships } = await findUser(call)
  const roles = valuesOf(call.rawArgs, 'role')
  if (roles === undefined) {
    throw new ConfigError('--role is required', {
      help: 'Use --role SLUG for each role. The roles of the user are replaced.',
    })
  }
  const permissions = memberships[0]?.permissions ?? []
  const body = { userId: itemId, roles, permissions }
  await callInterface(call, '/iam/v4/iam/users/roles-and-permissions', body)
  return { value: { itemId, email, roles }, lines: [`${email}: ${roles.join(' ')}`] }
}

export const userActions = {
  list: listUsers,
  invite: inviteUser,
  deactivate: deactivateUser,
  activate: activateUser,
  'sign-out': signOutUser,
  roles: setRoles,
} satisfies Record<string, Action>
