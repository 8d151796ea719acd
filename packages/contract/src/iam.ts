import { z } from 'zod'
import { FieldErrors, Rejection } from './errors.ts'
import { listOf, Organization, Permission, Role, User, WriteResult } from './user-records.ts'
import { pageRequest } from './listing.ts'
import { access, defineOperation, rejections } from './operation.ts'
import * as routes from './routes.ts'
import { optionalCode, optionalString, strings } from './values.ts'

const OneUser = z.looseObject({ data: User.nullable(), errors: FieldErrors.optional() }).meta({
  id: 'OneUser',
})

export const getMe = defineOperation(routes.iamGetMe, {
  section: '4.2',
  summary: 'Profile of the signed-in user',
  access: access.userByCookie,
  responses: { 200: { description: 'The profile', schema: OneUser }, ...rejections },
})

export const OrganizationList = z
  .looseObject({
    organizations: z.array(Organization),
    totalCount: z.int().optional(),
    errors: FieldErrors.optional(),
  })
  .meta({ id: 'OrganizationList' })
export type OrganizationList = z.infer<typeof OrganizationList>

export const listOrganizations = defineOperation(routes.iamListOrganizations, {
  section: '4.2',
  summary: 'One page of the organizations',
  access: access.userByCookie,
  query: z.object({
    Page: z.coerce.number().int().min(0).default(0).describe('Page number, from 0'),
    PageSize: z.coerce.number().int().min(1).max(1000).default(10),
    'Sort.Property': z.string().optional(),
    'Sort.IsDescending': z.stringbool().optional(),
  }),
  responses: { 200: { description: 'The organizations', schema: OrganizationList }, ...rejections },
})

export const CreateOrganization = z
  .object({
    name: z.string().min(1),
    description: optionalString,
    defaultRoleForMembers: strings.nullish(),
    defaultPermissionsForMembers: strings.nullish(),
    createdFrom: optionalCode,
  })
  .meta({ id: 'CreateOrganization' })
export type CreateOrganization = z.infer<typeof CreateOrganization>

export const createOrganization = defineOperation(routes.iamCreateOrganization, {
  section: '4.2',
  summary: 'Create an organization',
  access: access.projectAdministratorByCookie,
  body: CreateOrganization,
  responses: {
    200: { description: 'Id of the created record', schema: WriteResult },
    ...rejections,
  },
})

/**
 * Request for a page of users. `org_id` restricts it to an organization; some instances
 * read `organizationId` instead.
 */
export const IamUsersRequest = z
  .object({
    ...pageRequest(0),
    filter: z
      .object({
        email: optionalString,
        name: optionalString,
        userIds: strings.nullish(),
        org_id: optionalString,
        organizationId: optionalString,
      })
      .nullish(),
  })
  .meta({ id: 'IamUsersRequest' })
export type IamUsersRequest = z.infer<typeof IamUsersRequest>

export const listUsers = defineOperation(routes.iamListUsers, {
  section: '4.2',
  summary: 'One page of the users',
  access: access.administratorByCookie,
  body: IamUsersRequest,
  responses: {
    200: { description: 'The users', schema: listOf('IamUserList', User) },
    ...rejections,
  },
})

export const getUser = defineOperation(routes.iamGetUser, {
  section: '4.2',
  summary: 'A user, with roles and permissions',
  access: access.selfByCookie,
  path: z.object({ userId: z.string().min(1) }),
  query: z.object({
    organizationId: z.string().min(1).describe('Access within this organization').optional(),
  }),
  responses: {
    200: { description: 'The user', schema: OneUser },
    ...rejections,
    404: { description: 'Project or user unknown', schema: Rejection },
  },
})

/**
 * Input for creating a user. An empty password invites the user with a link that holds a
 * one-time code.
 */
export const IamCreateUser = z
  .object({
    email: z.string().min(1),
    userName: optionalString,
    password: optionalString.describe('If empty, an invitation is sent'),
    firstName: optionalString,
    lastName: optionalString,
    phoneNumber: optionalString,
    organizationId: optionalString,
    userPassType: optionalCode,
    userCreationType: optionalCode,
    verifiedType: optionalCode,
    userMfaType: optionalCode,
    mfaEnabled: z.boolean().nullish(),
    allowedLogInType: z.array(z.int32()).nullish(),
    roles: strings.nullish(),
    permissions: strings.nullish(),
    attributes: z.record(z.string(), z.unknown()).nullish(),
  })
  .meta({ id: 'IamCreateUser' })
export type IamCreateUser = z.infer<typeof IamCreateUser>

export const createUser = defineOperation(routes.iamCreateUser, {
  section: '4.2',
  summary: 'Create or invite a user',
  access: access.administratorByCookie,
  body: IamCreateUser,
  responses: { 200: { description: 'The user’s identifier', schema: WriteResult }, ...rejections },
})

export const deactivateUser = defineOperation(routes.iamDeactivateUser, {
  section: '4.2',
  summary: 'Deactivate a user',
  access: access.administratorByCookie,
  body: z.object({ userId: z.string().min(1) }).meta({ id: 'DeactivateUser' }),
  responses: {
    200: { description: 'The user is not active', schema: WriteResult },
    ...rejections,
    404: { description: 'Project or user unknown', schema: Rejection },
  },
})

export const RolesRequest = z
  .object({
    ...pageRequest(0),
    filter: z.object({ search: optionalString, slugs: strings.nullish() }).nullish(),
  })
  .meta({ id: 'RolesRequest' })
export type RolesRequest = z.infer<typeof RolesRequest>

export const listRoles = defineOperation(routes.iamListRoles, {
  section: '4.2',
  summary: 'One page of the roles',
  access: access.administratorByCookie,
  body: RolesRequest,
  responses: { 200: { description: 'The roles', schema: listOf('RoleList', Role) }, ...rejections },
})

export const PermissionsRequest = z
  .object({
    ...pageRequest(0),
    filter: z.record(z.string(), z.unknown()).nullish(),
    roles: strings.nullish().describe('Only permissions of these roles'),
  })
  .meta({ id: 'PermissionsRequest' })
export type PermissionsRequest = z.infer<typeof PermissionsRequest>

export const listPermissions = defineOperation(routes.iamListPermissions, {
  section: '4.2',
  summary: 'One page of the permissions',
  access: access.administratorByCookie,
  body: PermissionsRequest,
  responses: {
    200: { description: 'The permissions', schema: listOf('PermissionList', Permission) },
    ...rejections,
  },
})

/** Complete sets of roles and permissions: those left out are revoked. */
export const SetAccess = z
  .object({ userId: z.string().min(1), roles: strings, permissions: strings })
  .meta({ id: 'SetAccess' })
export type SetAccess = z.infer<typeof SetAccess>

export const setAccess = defineOperation(routes.iamSetAccess, {
  section: '4.2',
  summary: 'Replace the roles and permissions of a user',
  access: access.administratorByCookie,
  body: SetAccess,
  responses: {
    200: { description: 'Both sets are replaced', schema: WriteResult },
    ...rejections,
    404: { description: 'Project or user unknown', schema: Rejection },
  },
})
