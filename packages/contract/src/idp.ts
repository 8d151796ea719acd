import { z } from 'zod'
import { FieldErrors, Rejection } from './errors.ts'
import {
  Account,
  AccountPermission,
  listOf,
  Membership,
  User,
  WriteResult,
} from './user-records.ts'
import { pageRequest } from './listing.ts'
import { access, defineOperation, rejections } from './operation.ts'
import * as routes from './routes.ts'
import { optionalBoolean, optionalCode, optionalString, strings } from './values.ts'

/** Parameters of GetAccounts; every member is optional. */
export const AccountsRequest = z
  .object({
    ...pageRequest(1),
    filter: z
      .object({
        email: optionalString,
        name: optionalString,
        userIds: strings.nullish(),
        status: z.object({ active: optionalBoolean, inactive: optionalBoolean }).nullish(),
        mfa: z.object({ enabled: optionalBoolean, disabled: optionalBoolean }).nullish(),
        joinedOn: optionalString.describe('ISO 8601'),
        lastLogin: optionalString.describe('ISO 8601'),
        organizationId: optionalString,
      })
      .nullish(),
  })
  .meta({ id: 'AccountsRequest' })
export type AccountsRequest = z.infer<typeof AccountsRequest>

/** Parameters of GetUsers. */
export const UsersRequest = AccountsRequest.extend({ projectKey: optionalString }).meta({
  id: 'UsersRequest',
})
export type UsersRequest = z.infer<typeof UsersRequest>

export const listUsers = defineOperation(routes.idpListUsers, {
  section: '4.3',
  summary: 'One page of the users',
  access: access.administrator,
  body: UsersRequest,
  responses: { 200: { description: 'The users', schema: listOf('UserList', User) }, ...rejections },
})

export const listAccounts = defineOperation(routes.idpListAccounts, {
  section: '4.3',
  summary: 'One page of the accounts, without their sign-ins',
  access: access.administrator,
  body: AccountsRequest,
  responses: {
    200: { description: 'The accounts', schema: listOf('AccountList', Account) },
    ...rejections,
  },
})

/** Input for creating a user; `varifiedType` is the interface's spelling. */
export const CreateUser = z
  .object({
    email: z.string().min(1),
    userName: z.string().min(1).describe('Unique'),
    password: z.string().min(1),
    language: optionalString,
    salutation: optionalString,
    firstName: optionalString,
    lastName: optionalString,
    phoneNumber: optionalString,
    tags: strings.nullish(),
    mailPurpose: optionalString.describe('Purpose of the e-mail that is sent'),
    userPassType: optionalCode,
    userCreationType: optionalCode,
    varifiedType: optionalCode,
    userMfaType: optionalCode,
    platform: optionalString.describe('web, mobile …'),
    profileImageUrl: optionalString,
    profileImageId: optionalString,
    mfaEnabled: optionalBoolean,
    allowedLogInType: z.array(z.int32()).nullish(),
    memberships: z.array(Membership).nullish(),
    projectKey: optionalString,
    organizationId: optionalString,
  })
  .meta({ id: 'CreateUser' })
export type CreateUser = z.infer<typeof CreateUser>

/** The created user: active but not yet verified (section 3). */
export const UserCreated = z
  .looseObject({
    itemId: z.string(),
    email: z.string(),
    userName: optionalString,
    firstName: optionalString,
    lastName: optionalString,
    active: z.boolean(),
    isVarified: z.boolean().optional(),
    isVerified: z.boolean().optional(),
    mfaEnabled: z.boolean().optional(),
    memberships: z.array(Membership).nullish(),
  })
  .meta({ id: 'UserCreated' })
export type UserCreated = z.infer<typeof UserCreated>

export const createUser = defineOperation(routes.idpCreateUser, {
  section: '4.3',
  summary: 'Create a user',
  access: access.administrator,
  body: CreateUser,
  responses: {
    200: {
      description: 'The user; or `isSuccess: false` with `errors`',
      schema: z.union([UserCreated, WriteResult]),
    },
    ...rejections,
  },
})

/** Changes to a user; omitted members keep their values. */
export const UpdateUser = z
  .object({
    itemId: z.string().min(1),
    salutation: optionalString,
    firstName: optionalString,
    lastName: optionalString,
    phoneNumber: optionalString,
    tags: strings.nullish(),
    profileImageUrl: optionalString,
    profileImageId: optionalString,
    userMfaType: optionalCode,
    mfaEnabled: optionalBoolean,
    roles: strings.nullish(),
    permissions: strings.nullish(),
    projectKey: optionalString,
    memberships: z.array(Membership).nullish(),
  })
  .meta({ id: 'UpdateUser' })
export type UpdateUser = z.infer<typeof UpdateUser>

export const UserUpdated = WriteResult.extend({
  data: z
    .looseObject({
      itemId: z.string(),
      salutation: optionalString,
      firstName: optionalString,
      lastName: optionalString,
      phoneNumber: optionalString,
      mfaEnabled: z.boolean().optional(),
      userMfaType: z.int().optional(),
      roles: z.union([strings, z.record(z.string(), strings)]).nullish(),
      memberships: z.array(Membership).nullish(),
    })
    .nullish(),
}).meta({ id: 'UserUpdated' })
export type UserUpdated = z.infer<typeof UserUpdated>

export const updateUser = defineOperation(routes.idpUpdateUser, {
  section: '4.3',
  summary: 'Update a user',
  access: access.self,
  body: UpdateUser,
  responses: { 200: { description: 'The updated user', schema: UserUpdated }, ...rejections },
})

export const getUser = defineOperation(routes.idpGetUser, {
  section: '4.3',
  summary: 'One user',
  access: access.self,
  query: z.object({ Id: z.string().min(1), ProjectKey: z.string().min(1) }),
  responses: {
    200: {
      description: 'The user; or null with `errors` if there is none',
      schema: z.looseObject({ data: User.nullable(), errors: FieldErrors.optional() }),
    },
    ...rejections,
  },
})

export const AccountResponse = z
  .looseObject({
    data: User.nullable(),
    errors: FieldErrors.optional(),
    permissions: z.array(AccountPermission).nullish(),
  })
  .meta({ id: 'AccountResponse' })
export type AccountResponse = z.infer<typeof AccountResponse>

export const getAccount = defineOperation(routes.idpGetAccount, {
  section: '4.3',
  summary: 'Account of the caller',
  access: access.user,
  responses: {
    200: { description: 'The account and its permissions', schema: AccountResponse },
    ...rejections,
  },
})

/** Activation of an account. */
export const ActivateUser = z
  .object({
    code: z.string().min(1),
    password: z.string().min(1),
    captchaCode: optionalString,
    mailPurpose: optionalString,
    preventPostEvent: optionalBoolean.describe('True suppresses the events of an activation'),
    projectKey: optionalString,
  })
  .meta({ id: 'ActivateUser' })
export type ActivateUser = z.infer<typeof ActivateUser>

export const UserActivated = WriteResult.extend({
  data: z
    .looseObject({
      itemId: z.string(),
      email: z.string(),
      active: z.boolean(),
      isVarified: z.boolean().optional(),
      isVerified: z.boolean().optional(),
    })
    .nullish(),
}).meta({ id: 'UserActivated' })
export type UserActivated = z.infer<typeof UserActivated>

export const activate = defineOperation(routes.idpActivate, {
  section: '4.3',
  summary: 'Enable an account and set its password',
  access: access.key,
  body: ActivateUser,
  responses: {
    200: { description: 'The account is enabled; or `isSuccess: false`', schema: UserActivated },
    429: { description: 'Too many wrong codes', schema: Rejection },
    ...rejections,
  },
})
