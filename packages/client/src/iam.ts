import type { iam as contract, identity } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core, SendInput } from './core.ts'
import { readUser, type User } from './identity-shapes.ts'
import type { Listing, ListOptions } from './listing.ts'
import { pagesOf } from './read-page.ts'
import { type Known, operate, pick, textOf, wrongShape } from './shapes.ts'

export type { Membership, User } from './identity-shapes.ts'
/** An organization; fields that are not named here are in `raw`. */
export type Organization = Known<identity.Organization>
/** A role, which others refer to by its `slug`. */
export type Role = Known<identity.Role>
/** A permission (section 2.3). */
export type Permission = Known<identity.Permission>
/** What an organization is made of. */
export type NewOrganization = Readonly<contract.CreateOrganization>
/** What a user is made of. Without a password the user is invited (section 3). */
export type NewUser = Readonly<contract.IamCreateUser>
/** Both sets, complete: what is not in them is taken away. */
export type AccessOfUser = Readonly<contract.SetAccess>

/** What a write answers. */
export interface Written {
  /** Of the record that was made or changed; undefined where the instance does not say. */
  readonly itemId: string | undefined
  /** The answer as it came. */
  readonly raw: unknown
}

/**
 * Profile of who is signed in.
 *
 * @throws RequestError 401 where nobody is.
 * @see section 4.2
 */
export async function getMe(core: Core, call: CallOptions = {}): Promise<User> {
  return oneUser(core, routes.iamGetMe, { ...call, intent: 'read the own profile' })
}

/** Organizations. @throws RequestError 401 where nobody is signed in. @see section 4.2 */
export function listOrganizations(core: Core, options: ListOptions = {}): Listing<Organization> {
  return pagesOf(
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

/** Makes an organization. @throws RequestError, OperationError @see section 4.2 */
export async function createOrganization(
  core: Core,
  json: NewOrganization,
  call: CallOptions = {},
): Promise<Written> {
  const intent = 'make the organization'
  return written(operate(core, routes.iamCreateOrganization, { ...call, json, intent }))
}

/** Which users are listed, in which order. */
export interface ListUsersOptions extends ListOptions {
  /** All that is given has to fit. */
  readonly filter?: {
    readonly email?: string
    readonly name?: string
    readonly userIds?: readonly string[]
    /** Keeps to one organization. */
    readonly organizationId?: string
  }
}

/** Users. @throws RequestError 401 where nobody is signed in. @see section 4.2 */
export function listUsers(
  core: Core,
  { filter, ...options }: ListUsersOptions = {},
): Listing<User> {
  // The interface has `org_id`, and some instances read `organizationId`: both are sent.
  const wire = filter && { ...filter, org_id: filter.organizationId }
  return pagesOf(
    core,
    {
      route: routes.iamListUsers,
      intent: 'list the users',
      first: 0,
      input: (request) => ({ json: { ...request, filter: wire } }),
      read: readUser,
    },
    options,
  )
}

/**
 * A user with roles and permissions, those within one organization where it is named.
 *
 * @throws RequestError 401 where nobody is signed in; OperationError or RequestError 404 for
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
 * Makes a user; without a password it is invited by a link with a one-time code.
 *
 * @throws RequestError, OperationError, a taken e-mail address for instance.
 * @see section 4.2
 */
export async function createUser(
  core: Core,
  user: NewUser,
  call: CallOptions = {},
): Promise<Written> {
  const json = { ...user, password: user.password ?? '' }
  const input = { ...call, json, intent: 'make the user', secrets: [json.password] }
  return written(operate(core, routes.iamCreateUser, input))
}

/** Deactivates a user; nothing is deleted. @throws RequestError, OperationError @see section 4.2 */
export async function deactivateUser(
  core: Core,
  userId: string,
  call: CallOptions = {},
): Promise<Written> {
  const input = { ...call, json: { userId }, intent: 'deactivate the user' }
  return written(operate(core, routes.iamDeactivateUser, input))
}

/** Which roles are listed, in which order. */
export interface ListRolesOptions extends ListOptions {
  /** By a part of the name, or by slugs. */
  readonly filter?: { readonly search?: string; readonly slugs?: readonly string[] }
}

/** Roles. @throws RequestError 401 where nobody is signed in. @see section 4.2 */
export function listRoles(
  core: Core,
  { filter, ...options }: ListRolesOptions = {},
): Listing<Role> {
  return pagesOf(
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

/** Which permissions are listed, in which order. */
export interface ListPermissionsOptions extends ListOptions {
  /** As the instance knows it: the interface does not show its members. */
  readonly filter?: Readonly<Record<string, unknown>>
  /** Only what these roles hold. */
  readonly roles?: readonly string[]
}

/** Permissions. @throws RequestError 401 where nobody is signed in. @see section 4.2 */
export function listPermissions(
  core: Core,
  { filter, roles, ...options }: ListPermissionsOptions = {},
): Listing<Permission> {
  return pagesOf(
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
 * Replaces the roles and the permissions of a user: both sets, complete.
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

async function written(answer: Promise<unknown>): Promise<Written> {
  const raw = await answer
  return { itemId: textOf(pick(raw, 'itemId', 'id')), raw }
}
