import type { Core } from '@servicekit/client/core'
import {
  listOrganizations,
  listPermissions,
  listRoles,
  type Organization,
  type Permission,
  type Role,
} from '@servicekit/client/iam'
import { run } from '../state/interface-core.ts'

/** Organizations, roles and permissions that a user can get. */
export interface Directory {
  readonly organizations: readonly Organization[]
  readonly roles: readonly Role[]
  readonly permissions: readonly Permission[]
}

/** Largest page of the lists. A project has few organizations, roles and permissions. */
const pageSize = 1000

/** Reads the organizations, roles and permissions of the project. @throws ApiError */
export async function readDirectory(core: Core, signal?: AbortSignal): Promise<Directory> {
  const options = { pageSize, ...(signal && { signal }) }
  const [organizations, roles, permissions] = await Promise.all([
    run(listOrganizations(core, options).page()),
    run(listRoles(core, options).page()),
    run(listPermissions(core, options).page()),
  ])
  return { organizations: organizations.items, roles: roles.items, permissions: permissions.items }
}

/** Returns the roles as choices. */
export const roleChoices = (roles: readonly Role[]) =>
  roles.map(({ slug, name }) => ({ value: slug, label: name }))

/** Returns the permissions as choices. */
export const permissionChoices = (permissions: readonly Permission[]) =>
  permissions.map(({ name }) => ({ value: name, label: name }))

/** Access of a user by organization. */
export type Memberships = Readonly<
  Record<string, { readonly roles: readonly string[]; readonly permissions: readonly string[] }>
>
