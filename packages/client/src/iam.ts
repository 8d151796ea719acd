import type { iam as contract, userRecords } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core, SendInput } from './core.ts'
import { readUser, type User } from './user.ts'
import { listing, type Listing, type ListOptions } from './listing.ts'
import { type Known, operate, pick, nonEmptyString, wrongShape } from './operate.ts'

export type { Membership, User } from './user.ts'
/** Organization; members not declared here are in `raw`. */
export type Organization = Known<userRecords.Organization>
/** Role; other records refer to it by its `slug`. */
export type Role = Known<userRecords.Role>
/** Permission (section 2.3). */
export type Permission = Known<userRecords.Permission>
/** Input for creating an organization. */
export type NewOrganization = Readonly<contract.CreateOrganization>
/** Input for creating a user. Without a password the user is invited (section 3). */
export type NewUser = Readonly<contract.IamCreateUser>
/** Complete sets of roles and permissions; any that are not listed are removed. */
export type AccessOfUser = Readonly<contract.SetAccess>

/** Result of a write. */
export interface Written {
  /** Id of the created or changed record; undefined if the instance does not return it. */
  readonly itemId: string | undefined
  /** Response as received. */
  readonly raw: unknown
}

/**
 * Returns the profile of the signed-in user.
 *
 * @throws RequestError 401 if nobody is signed in.
 * @see section 4.2
 */
export async function getMe(core: Core, call: CallOptions = {}): Promise<User> {
  return oneUser(core, routes.iamGetMe, { ...call, intent: 'read the profile of the caller' })
}

/**
 * Lists organizations.
 *
 * @throws RequestError 401 if nobody is signed in.
 * @see section 4.2
 */
export function listOrganizations(core: Core, options: ListOptions = {}): Listing<Organization> {
  return listing(
    core,
    {
      route: routes.iamListOrganizations,
      intent: 'list the organizations',
      first: 0,
      rows: 'organizations',
      input: ({ page, pageSize, sort }) => ({
        query: {
          Page: page,
          PageSize: pageSize,
          'Sort.Property': sort?.property,
          'Sort.IsDescending': sort?.isDescending,
        },
      }),
    },
    options,
  )
}

/**
 * Creates an organization.
 *
 * @throws RequestError, OperationError
 * @see section 4.2
 */
export async function createOrganization(
  core: Core,
  json: NewOrganization,
  call: CallOptions = {},
): Promise<Written> {
  const intent = 'create the organization'
  return written(operate(core, routes.iamCreateOrganization, { ...call, json, intent }))
}

/** Filter and order of {@link listUsers}. */
export interface ListUsersOptions extends ListOptions {
  /** A user must match every given member. */
  readonly filter?: {
    readonly email?: string
    readonly name?: string
    readonly userIds?: readonly string[]
    /** Limits the list to one organization. */
    readonly organizationId?: string
  }
}

/**
 * Lists users.
 *
 * ```ts
 * for await (const user of listUsers(core, { filter: { name: 'ada' } })) console.log(user.email)
 * ```
 *
 * @throws RequestError 401 if nobody is signed in.
 * @see section 4.2
 */
export function listUsers(
  core: Core,
  { filter, ...options }: ListUsersOptions = {},
): Listing<User> {
  // The interface names it `org_id`, some instances read `organizationId`: send both.
  const requestFilter = filter && { ...filter, org_id: filter.organizationId }
  return listing(
    core,
    {
      route: routes.iamListUsers,
      intent: 'list the users',
      first: 0,
      input: (request) => ({ json: { ...request, filter: requestFilter } }),
      read: readUser,
    },
    options,
  )
}

/**
 * Returns a user with roles and permissions, limited to one organization if
 * `organizationId` is given.
 *
 * @throws RequestError 401 if nobody is signed in; OperationError or RequestError 404 for
 *   an unknown user.
 * @see section 4.2
 */
export async function getUser(
  core: Core,
  { userId, organizationId }: { readonly userId: string; readonly organizationId?: string },
  call: CallOptions = {},
): Promise<User> {
  const input = { ...call, path: { userId }, query: { organizationId }, intent: 'read the user' }
  return oneUser(core, routes.iamGetUser, input)
}

/**
 * Creates a user. Without a password the user is invited by a link with a one-time code.
 *
 * @throws RequestError, OperationError, for example if the e-mail address is taken.
 * @see section 4.2
 */
export async function createUser(
  core: Core,
  user: NewUser,
  call: CallOptions = {},
): Promise<Written> {
  const json = { ...user, password: user.password ?? '' }
  const input = { ...call, json, intent: 'create the user', secrets: [json.password] }
  return written(operate(core, routes.iamCreateUser, input))
}

/**
 * Deactivates a user without deleting anything.
 *
 * @throws RequestError, OperationError
 * @see section 4.2
 */
export async function deactivateUser(
  core: Core,
  userId: string,
  call: CallOptions = {},
): Promise<Written> {
  const input = { ...call, json: { userId }, intent: 'deactivate the user' }
  return written(operate(core, routes.iamDeactivateUser, input))
}

/** Filter and order of {@link listRoles}. */
export interface ListRolesOptions extends ListOptions {
  /** Matches part of the name, or slugs. */
  readonly filter?: { readonly search?: string; readonly slugs?: readonly string[] }
}

/**
 * Lists roles.
 *
 * @throws RequestError 401 if nobody is signed in.
 * @see section 4.2
 */
export function listRoles(
  core: Core,
  { filter, ...options }: ListRolesOptions = {},
): Listing<Role> {
  return listing(
    core,
    {
      route: routes.iamListRoles,
      intent: 'list the roles',
      first: 0,
      rows: 'roles',
      input: (request) => ({ json: { ...request, filter } }),
    },
    options,
  )
}

/** Filter and order of {@link listPermissions}. */
export interface ListPermissionsOptions extends ListOptions {
  /** Passed to the instance as is: the interface does not define its members. */
  readonly filter?: Readonly<Record<string, unknown>>
  /** Limits the list to the permissions of these roles. */
  readonly roles?: readonly string[]
}

/**
 * Lists permissions.
 *
 * @throws RequestError 401 if nobody is signed in.
 * @see section 4.2
 */
export function listPermissions(
  core: Core,
  { filter, roles, ...options }: ListPermissionsOptions = {},
): Listing<Permission> {
  return listing(
    core,
    {
      route: routes.iamListPermissions,
      intent: 'list the permissions',
      first: 0,
      rows: 'permissions',
      input: (request) => ({ json: { ...request, filter, roles } }),
    },
    options,
  )
}

/**
 * Replaces all roles and permissions of a user. Both sets must be complete.
 *
 * ```ts
 * await setAccess(core, { userId, roles: ['admin'], permissions: [] })
 * ```
 *
 * @throws RequestError, OperationError
 * @see section 4.2
 */
export async function setAccess(
  core: Core,
  json: AccessOfUser,
  call: CallOptions = {},
): Promise<Written> {
  const intent = 'replace the roles and permissions'
  return written(operate(core, routes.iamSetAccess, { ...call, json, intent }))
}

async function oneUser(core: Core, route: routes.Route, input: SendInput): Promise<User> {
  const data = pick(await operate(core, route, input), 'data')
  if (data === undefined) throw wrongShape(core, route, input.intent, 'a user in data')
  return readUser(data)
}

async function written(response: Promise<unknown>): Promise<Written> {
  const raw = await response
  return { itemId: nonEmptyString(pick(raw, 'itemId', 'id')), raw }
}
