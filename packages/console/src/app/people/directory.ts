import type { Core } from '@servicekit/client/core'
import { listOrganizations, listRoles, type Organization, type Role } from '@servicekit/client/iam'
import { run } from '../state/interface-core.ts'

/** Organizations and roles that a user can get. */
export interface Directory {
  readonly organizations: readonly Organization[]
  readonly roles: readonly Role[]
}

/** Largest page of the lists. A project has few organizations and roles. */
const pageSize = 1000

/** Reads the organizations and roles of the project. @throws ApiError */
export async function readDirectory(core: Core, signal?: AbortSignal): Promise<Directory> {
  const options = { pageSize, ...(signal && { signal }) }
  const [organizations, roles] = await Promise.all([
    run(listOrganizations(core, options).page()),
    run(listRoles(core, options).page()),
  ])
  return { organizations: organizations.items, roles: roles.items }
}

/** Access of a user by organization. */
export type Memberships = Readonly<
  Record<string, { readonly roles: readonly string[]; readonly permissions: readonly string[] }>
>
