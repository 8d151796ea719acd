import { ConfigError } from '@servicekit/client'
import type { ControlResult } from '@servicekit/client/control'
import {
  type Action,
  type AdminCall,
  nameOf,
  readAllPages,
  requireSuccess,
  table,
  valuesOf,
} from './action.ts'

const listing = 'POST /projects/{project}/interface/iam/v4/iam/users'

type User = ControlResult<typeof listing>['data'][number]

/** Lists the users of a project. */
async function readUsers(call: AdminCall, filter: object = {}): Promise<readonly User[]> {
  const path = await call.path()
  return readAllPages('users', async (paging) =>
    requireSuccess(await call.control.send(listing, { path, body: { ...paging, filter } })),
  )
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
    (memberships ?? []).flatMap(({ roles }) => roles).join(' '),
  ])
  return { value, lines: table(['id', 'email', 'state', 'roles'], rows) }
}

const inviteUser: Action = async (call) => {
  const email = nameOf(call, 'email address')
  const roles = valuesOf(call, 'role')
  const body = { email, password: '', ...(roles === undefined ? {} : { roles }) }
  const address = 'POST /projects/{project}/interface/iam/v4/iam/users/create'
  const { itemId } = requireSuccess(
    await call.control.send(address, { path: await call.path(), body }),
  )
  return { value: { itemId, email }, lines: [`${email}: invited as ${itemId}`] }
}

const deactivateUser: Action = async (call) => {
  const { itemId, email } = await findUser(call)
  const address = 'POST /projects/{project}/interface/iam/v4/iam/users/deactivate'
  const body = { userId: itemId }
  requireSuccess(await call.control.send(address, { path: await call.path(), body }))
  const line = `${email}: deactivated, and signed out everywhere`
  return { value: { itemId, email, active: false }, lines: [line] }
}

/** Lets a deactivated user sign in again. Sessions that ended stay so. */
const activateUser: Action = async (call) => {
  const { itemId, email } = await findUser(call)
  const path = { ...(await call.path()), id: itemId }
  await call.control.send('POST /projects/{project}/users/{id}/activate', { path })
  return { value: { itemId, email, active: true }, lines: [`${email}: activated`] }
}

const signOutUser: Action = async (call) => {
  const { itemId, email } = await findUser(call)
  const path = { ...(await call.path()), id: itemId }
  await call.control.send('DELETE /projects/{project}/users/{id}/sessions', { path })
  return { value: { itemId, email, isSignedOut: true }, lines: [`${email}: signed out everywhere`] }
}

/** Replaces the roles of a user in its own organization; its permissions stay. */
const setRoles: Action = async (call) => {
  const { itemId, email, memberships } = await findUser(call)
  const roles = valuesOf(call, 'role')
  if (roles === undefined) {
    throw new ConfigError('--role is required', {
      help: 'Use --role SLUG for each role. The roles of the user are replaced.',
    })
  }
  const permissions = memberships?.[0]?.permissions ?? []
  const body = { userId: itemId, roles, permissions }
  const address = 'POST /projects/{project}/interface/iam/v4/iam/users/roles-and-permissions'
  requireSuccess(await call.control.send(address, { path: await call.path(), body }))
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
