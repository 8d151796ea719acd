import type { identity } from '@servicekit/contract'
import { isObject, type Json, type Known } from './shapes.ts'

/** Roles and permissions within one organization (section 2.2). */
export type Membership = identity.Membership

/** A user in one shape, whatever the instance answers (section 2.1). */
export type User = Omit<
  Known<identity.User>,
  'isVarified' | 'isVerified' | 'memberships' | 'roles' | 'permissions'
> & {
  /** The e-mail address is verified. */
  readonly isVerified: boolean
  readonly memberships: readonly Membership[]
  /** Of all memberships together, where the instance says no more. */
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  /** The record as it came. */
  readonly raw: unknown
}

/**
 * Reads a user: `isVarified` and `isVerified` are one flag, and roles that come
 * as an object from organization to list become memberships.
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

/** Each text once, of a list, of lists, or of an object of lists. */
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
