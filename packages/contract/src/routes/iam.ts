import type { Route } from '../route.ts'

/** Returns the profile of the signed-in user. @see section 4.2 */
export const iamGetMe = {
  id: 'iam.getMe',
  method: 'GET',
  path: '/iam/v4/iam/me',
  effect: 'read',
} as const satisfies Route

/** Returns one page of the organizations; the first page is 0. @see section 4.2 */
export const iamListOrganizations = {
  id: 'iam.listOrganizations',
  method: 'GET',
  path: '/iam/v4/iam/organizations',
  query: ['Page', 'PageSize', 'Sort.Property', 'Sort.IsDescending'],
  effect: 'read',
} as const satisfies Route

/** Creates an organization. @see section 4.2 */
export const iamCreateOrganization = {
  id: 'iam.createOrganization',
  method: 'POST',
  path: '/iam/v4/iam/organizations/create',
  body: 'json',
  effect: 'create',
} as const satisfies Route

/** Returns one page of the users; the first page is 0. @see section 4.2 */
export const iamListUsers = {
  id: 'iam.listUsers',
  method: 'POST',
  path: '/iam/v4/iam/users',
  body: 'json',
  effect: 'read',
} as const satisfies Route

/** Returns a user with the access within one organization. @see section 4.2 */
export const iamGetUser = {
  id: 'iam.getUser',
  method: 'GET',
  path: '/iam/v4/iam/users/{userId}',
  query: ['organizationId'],
  effect: 'read',
} as const satisfies Route

/** Creates a user, or invites one if the password is empty. @see section 4.2 */
export const iamCreateUser = {
  id: 'iam.createUser',
  method: 'POST',
  path: '/iam/v4/iam/users/create',
  body: 'json',
  effect: 'create',
} as const satisfies Route

/** Deactivates a user; nothing is deleted. @see section 4.2 */
export const iamDeactivateUser = {
  id: 'iam.deactivateUser',
  method: 'POST',
  path: '/iam/v4/iam/users/deactivate',
  body: 'json',
  effect: 'replace',
} as const satisfies Route

/** Returns one page of the roles; the first page is 0. @see section 4.2 */
export const iamListRoles = {
  id: 'iam.listRoles',
  method: 'POST',
  path: '/iam/v4/iam/roles',
  body: 'json',
  effect: 'read',
} as const satisfies Route

/** Returns one page of the permissions; the first page is 0. @see section 4.2 */
export const iamListPermissions = {
  id: 'iam.listPermissions',
  method: 'POST',
  path: '/iam/v4/iam/permissions',
  body: 'json',
  effect: 'read',
} as const satisfies Route

/** Replaces the roles and the permissions of a user. @see section 4.2 */
export const iamSetAccess = {
  id: 'iam.setAccess',
  method: 'POST',
  path: '/iam/v4/iam/users/roles-and-permissions',
  body: 'json',
  effect: 'replace',
} as const satisfies Route
