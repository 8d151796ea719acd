import { route } from './define.ts'

/** Returns the profile of the signed-in user. @see section 4.2 */
export const iamGetMe = /* @__PURE__ */ route({
  id: 'iam.getMe',
  method: 'GET',
  path: '/iam/v4/iam/me',
  effect: 'read',
  section: '4.2',
})

/** Returns one page of the organizations; the first page is 0. @see section 4.2 */
export const iamListOrganizations = /* @__PURE__ */ route({
  id: 'iam.listOrganizations',
  method: 'GET',
  path: '/iam/v4/iam/organizations',
  query: ['Page', 'PageSize', 'Sort.Property', 'Sort.IsDescending'],
  effect: 'read',
  section: '4.2',
})

/** Creates an organization. @see section 4.2 */
export const iamCreateOrganization = /* @__PURE__ */ route({
  id: 'iam.createOrganization',
  method: 'POST',
  path: '/iam/v4/iam/organizations/create',
  body: 'json',
  effect: 'create',
  section: '4.2',
})

/** Returns one page of the users; the first page is 0. @see section 4.2 */
export const iamListUsers = /* @__PURE__ */ route({
  id: 'iam.listUsers',
  method: 'POST',
  path: '/iam/v4/iam/users',
  body: 'json',
  effect: 'read',
  section: '4.2',
})

/** Returns a user with the access within one organization. @see section 4.2 */
export const iamGetUser = /* @__PURE__ */ route({
  id: 'iam.getUser',
  method: 'GET',
  path: '/iam/v4/iam/users/{userId}',
  query: ['organizationId'],
  effect: 'read',
  section: '4.2',
})

/** Creates a user, or invites one if the password is empty. @see section 4.2 */
export const iamCreateUser = /* @__PURE__ */ route({
  id: 'iam.createUser',
  method: 'POST',
  path: '/iam/v4/iam/users/create',
  body: 'json',
  effect: 'create',
  section: '4.2',
})

/** Deactivates a user; nothing is deleted. @see section 4.2 */
export const iamDeactivateUser = /* @__PURE__ */ route({
  id: 'iam.deactivateUser',
  method: 'POST',
  path: '/iam/v4/iam/users/deactivate',
  body: 'json',
  effect: 'replace',
  section: '4.2',
})

/** Returns one page of the roles; the first page is 0. @see section 4.2 */
export const iamListRoles = /* @__PURE__ */ route({
  id: 'iam.listRoles',
  method: 'POST',
  path: '/iam/v4/iam/roles',
  body: 'json',
  effect: 'read',
  section: '4.2',
})

/** Returns one page of the permissions; the first page is 0. @see section 4.2 */
export const iamListPermissions = /* @__PURE__ */ route({
  id: 'iam.listPermissions',
  method: 'POST',
  path: '/iam/v4/iam/permissions',
  body: 'json',
  effect: 'read',
  section: '4.2',
})

/** Replaces the roles and the permissions of a user. @see section 4.2 */
export const iamSetAccess = /* @__PURE__ */ route({
  id: 'iam.setAccess',
  method: 'POST',
  path: '/iam/v4/iam/users/roles-and-permissions',
  body: 'json',
  effect: 'replace',
  section: '4.2',
})
