import { z } from 'zod'
import { FieldErrors, Rejection } from './errors.ts'
import { optionalString, strings } from './values.ts'

/** Members that every stored record has in addition to its own fields (seen on instances). */
const stored = {
  itemId: z.string(),
  createdDate: optionalString.describe('ISO 8601'),
  lastUpdatedDate: optionalString.describe('ISO 8601'),
  createdBy: optionalString,
  lastUpdatedBy: optionalString,
  language: optionalString,
  organizationId: optionalString,
  tags: strings.nullish(),
}

/** Roles and permissions of a user within one organization (section 2.2). */
export const Membership = z
  .object({
    organizationId: z.string(),
    roles: strings.default([]),
    permissions: strings.default([]),
  })
  .meta({ id: 'Membership' })
export type Membership = z.infer<typeof Membership>

/**
 * Roles or permissions of a user: a list, or on newer instances an object from organization
 * to list.
 */
export const Access = z.union([strings, z.record(z.string(), strings)]).meta({ id: 'Access' })
export type Access = z.infer<typeof Access>

/**
 * Account, as GetAccounts returns it: a user without sign-in data (section 2.1). The
 * interface spells `isVarified` this way; newer instances send `isVerified`.
 */
export const Account = z
  .looseObject({
    ...stored,
    salutation: optionalString,
    firstName: optionalString,
    lastName: optionalString,
    email: z.string(),
    userName: optionalString,
    phoneNumber: optionalString,
    memberships: z.array(Membership).nullish(),
    roles: Access.nullish(),
    permissions: Access.nullish(),
    active: z.boolean(),
    isVarified: z.boolean().optional(),
    isVerified: z.boolean().optional(),
    profileImageUrl: optionalString,
    mfaEnabled: z.boolean().optional(),
    isMfaVerified: z.boolean().optional(),
    userMfaType: z.int().optional(),
    userCreationType: z.int().optional(),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

/** User (section 2.1). */
export const User = Account.extend({
  lastLoggedInTime: optionalString.describe('ISO 8601'),
  lastLoggedInDeviceInfo: optionalString,
  logInCount: z.int().optional(),
}).meta({ id: 'User' })
export type User = z.infer<typeof User>

/** Permission of the caller, as GetAccount lists it (section 2.3). */
export const AccountPermission = z
  .looseObject({
    itemId: z.string(),
    name: z.string(),
    type: z.int(),
    description: optionalString,
    resource: optionalString,
  })
  .meta({ id: 'AccountPermission' })
export type AccountPermission = z.infer<typeof AccountPermission>

/** Permission of the project; the interface does not list its fields (section 2.11). */
export const Permission = z
  .looseObject({
    ...stored,
    name: z.string(),
    type: z.int().optional(),
    description: optionalString,
    resource: optionalString,
    resourceGroup: optionalString,
    isBuiltIn: z.boolean().optional(),
    isArchived: z.boolean().optional(),
    roles: strings.nullish(),
  })
  .meta({ id: 'Permission' })
export type Permission = z.infer<typeof Permission>

/** Role, referenced by its slug; the interface does not list its fields (section 2.11). */
export const Role = z
  .looseObject({
    ...stored,
    name: z.string(),
    slug: z.string(),
    description: optionalString,
    ancestorRoleSlugs: strings.nullish(),
    count: z.int().optional(),
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

/** Organization; the interface does not list its fields (section 2.11). */
export const Organization = z
  .looseObject({
    ...stored,
    name: z.string(),
    description: optionalString,
    parentOrganizationId: optionalString,
    shortCode: optionalString,
    isDisabled: z.boolean().optional(),
    defaultRoleForMembers: strings.nullish(),
    defaultPermissionsForMembers: strings.nullish(),
    email: optionalString,
    phoneNumber: optionalString,
    websiteUrl: optionalString,
    logoUrl: optionalString,
    industry: optionalString,
    timeZone: optionalString,
    currency: optionalString,
    locale: optionalString,
    attributes: z.record(z.string(), z.unknown()).nullish(),
    createdFrom: z.int().optional(),
  })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof Organization>

/** Response to a write. `isSuccess: false` with status 200 is a failure. */
export const WriteResult = z
  .looseObject({
    isSuccess: z.boolean(),
    itemId: optionalString,
    errors: FieldErrors.optional(),
  })
  .meta({ id: 'WriteResult' })
export type WriteResult = z.infer<typeof WriteResult>

/** Response to a write that cannot be parsed or has no project key. */
export const WriteRefused = z.union([WriteResult, Rejection]).meta({ id: 'WriteRefused' })
export type WriteRefused = z.infer<typeof WriteRefused>

/** Creates the schema of a list response: one page and the total count. */
export const listOf = <S extends z.ZodType>(id: string, row: S) =>
  z
    .looseObject({ data: z.array(row), errors: FieldErrors.optional(), totalCount: z.int() })
    .meta({ id })
