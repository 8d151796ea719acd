import type { Project } from '../projects/project-directory.ts'
import type { Membership } from './user-record.ts'

/** User record of either route family. */
interface UserRecord {
  readonly isVarified: boolean
  readonly memberships: readonly Membership[]
}

/** Converts a user record to the format of the project's dialect. */
export function spelled<R extends UserRecord>(
  { dialect }: Project,
  record: R,
): Readonly<Record<string, unknown>> {
  const { isVarified, ...rest } = record
  return {
    ...rest,
    [dialect.verifiedName]: isVarified,
    ...(dialect.access === 'byOrganization'
      ? {
          roles: byOrganization(record, 'roles'),
          permissions: byOrganization(record, 'permissions'),
        }
      : {}),
  }
}

const byOrganization = ({ memberships }: UserRecord, member: 'roles' | 'permissions') =>
  Object.fromEntries(memberships.map((one) => [one.organizationId, one[member]]))
