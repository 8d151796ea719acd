import { isObject } from '@servicekit/core'
import type { userRecords } from '@servicekit/contract'
import { type Json, type Known } from './operate.ts'

/** Roles and permissions within one organization (section 2.2). */
export type Membership = userRecords.Membership

/** User in one shape for all instances (section 2.1). */
export type User = Omit<
  Known<userRecords.User>,
  'isVarified' | 'isVerified' | 'memberships' | 'roles' | 'permissions'
> & {
  /** True if the e-mail address is verified. */
  readonly isVerified: boolean
  readonly memberships: readonly Membership[]
  /** Union of the roles of all memberships, unless the instance returns its own list. */
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  /** Record as received. */
  readonly raw: unknown
}

/**
 * Normalizes a user: merges `isVarified` and `isVerified` into one flag, and converts an
 * object of roles by organization to memberships.
 */
export function readUser(record: unknown): User {
  const { isVarified, isVerified, memberships, roles, permissions, ...rest } = (
    isObject(record) ? record : {}
  ) as Json
  const given = Array.isArray(memberships)
    ? (memberships.filter(isObject) as Partial<Membership>[])
    : undefined
  const all = given?.map(({ organizationId = '', roles, permissions }) => ({
    organizationId,
    roles: roles ?? [],
    permissions: permissions ?? [],
  }))
  return {
    ...(rest as unknown as User),
    isVerified: (isVerified ?? isVarified) === true,
    memberships: all ?? membershipsOf(roles, permissions),
    roles: flat(roles ?? all?.map((one) => one.roles)),
    permissions: flat(permissions ?? all?.map((one) => one.permissions)),
    raw: record,
  }
}

/** Returns the distinct strings of a list, a list of lists or an object of lists. */
const flat = (access: unknown): string[] => [
  ...new Set((isObject(access) ? Object.values(access) : [access ?? []]).flat(2) as string[]),
]

function membershipsOf(roles: unknown, permissions: unknown): Membership[] {
  const [byRoles, byPermissions] = [roles, permissions].map((access) =>
    isObject(access) ? (access as Readonly<Record<string, string[]>>) : {},
  )
  return [...new Set([byRoles, byPermissions].flatMap((access) => Object.keys(access ?? {})))].map(
    (organizationId) => ({
      organizationId,
      roles: byRoles?.[organizationId] ?? [],
      permissions: byPermissions?.[organizationId] ?? [],
    }),
  )
}
