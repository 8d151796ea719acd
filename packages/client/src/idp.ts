import type { idp as contract, userRecords as records } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { OperationError } from './errors.ts'
import { readUser, type User } from './user.ts'
import { listing, type Listing, type ListOptions } from './listing.ts'
import { type Known, listIn, operate, pick, wrongShape } from './operate.ts'

export type { Membership, User } from './user.ts'
/** Permission of the calling account (section 2.3). */
export type AccountPermission = Known<records.AccountPermission>
/** Input for creating a user (section 4.3). */
export type NewUser = Readonly<contract.CreateUser>
/** Changes to a user; omitted members keep their value. */
export type UserChanges = Readonly<contract.UpdateUser>
/** Input for enabling an invited account (section 4.3). */
export type Activation = Readonly<contract.ActivateUser>

/** Filter and order of {@link listUsers} and {@link listAccounts}. */
export interface ListUsersOptions extends ListOptions {
  /** A user must match every given member. Dates are in ISO 8601. */
  readonly filter?: NonNullable<contract.UsersRequest['filter']>
}

/**
 * Lists users, including their sign-ins.
 *
 * @throws RequestError, OperationError
 * @see section 4.3
 */
export function listUsers(
  core: Core,
  { filter, ...options }: ListUsersOptions = {},
): Listing<User> {
  const { projectKey } = core
  return listing(
    core,
    {
      route: routes.idpListUsers,
      intent: 'list the users',
      first: 1,
      input: (request) => ({ json: { ...request, filter, projectKey } }),
      read: readUser,
    },
    options,
  )
}

/**
 * Lists accounts: users without their sign-ins.
 *
 * @throws RequestError, OperationError
 * @see section 4.3
 */
export function listAccounts(
  core: Core,
  { filter, ...options }: ListUsersOptions = {},
): Listing<User> {
  return listing(
    core,
    {
      route: routes.idpListAccounts,
      intent: 'list the accounts',
      first: 1,
      input: (request) => ({ json: { ...request, filter } }),
      read: readUser,
    },
    options,
  )
}

/**
 * Creates a user, who is active and not verified.
 *
 * @throws RequestError, OperationError, for example if the user name is taken.
 * @see section 4.3
 */
export async function createUser(core: Core, user: NewUser, call: CallOptions = {}): Promise<User> {
  const json = { projectKey: core.projectKey, ...user }
  const input = { ...call, json, intent: 'create the user', secrets: [user.password] }
  return readUser(await operate(core, routes.idpCreateUser, input))
}

/**
 * Changes a user. Omitted members keep their value.
 *
 * @throws RequestError, OperationError
 * @see section 4.3
 */
export async function updateUser(
  core: Core,
  changes: UserChanges,
  call: CallOptions = {},
): Promise<User> {
  const json = { projectKey: core.projectKey, ...changes }
  const body = await operate(core, routes.idpUpdateUser, {
    ...call,
    json,
    intent: 'change the user',
  })
  return readUser(pick(body, 'data'))
}

/**
 * Returns a user, or undefined for an unknown id.
 *
 * @throws RequestError, OperationError
 * @see section 4.3
 */
export async function getUser(
  core: Core,
  id: string,
  call: CallOptions = {},
): Promise<User | undefined> {
  const query = { Id: id, ProjectKey: core.projectKey }
  try {
    const input = { ...call, query, intent: 'read the user' }
    const data = pick(await operate(core, routes.idpGetUser, input), 'data')
    return data === undefined ? undefined : readUser(data)
  } catch (error) {
    // The service reports an unknown id as an error of the field Id.
    if (error instanceof OperationError && pick(pick(error.body, 'errors'), 'id', 'itemId')) return
    throw error
  }
}

/**
 * Returns the account of the caller with its permissions.
 *
 * @throws RequestError 401 if nobody is signed in.
 * @see section 4.3
 */
export async function getAccount(
  core: Core,
  call: CallOptions = {},
): Promise<{ readonly user: User; readonly permissions: readonly AccountPermission[] }> {
  const intent = 'read the account of the caller'
  const body = await operate(core, routes.idpGetAccount, { ...call, intent })
  const data = pick(body, 'data')
  if (data === undefined) throw wrongShape(core, routes.idpGetAccount, intent, 'an account in data')
  const permissions = listIn(pick(body, 'permissions') ?? []) as readonly AccountPermission[]
  return { user: readUser(data), permissions }
}

/**
 * Enables an account and sets its password.
 *
 * @throws RequestError, OperationError if the code is wrong, used or expired.
 * @see section 4.3
 */
export async function activate(
  core: Core,
  activation: Activation,
  call: CallOptions = {},
): Promise<User> {
  const json = { projectKey: core.projectKey, ...activation }
  const secrets = [activation.code, activation.password, activation.captchaCode]
  const input = { ...call, json, intent: 'activate the account', secrets }
  return readUser(pick(await operate(core, routes.idpActivate, input), 'data'))
}
