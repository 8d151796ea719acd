import type { iam } from '@servicekit/contract'
import { and, eq, inArray } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { type PageRequest, readPage } from '../database/list-page.ts'
import type { Project } from '../database/project-directory.ts'
import type { Caller } from '../http/caller.ts'
import { organizations } from '../database/tables.ts'

export const defaultOrganizationId = ({
  organizationId,
}: Pick<Project, 'organizationId'>): string => organizationId || 'default'

/** Resolves an organization id; absent or `default` means the default organization. */
export const organizationIdOf = (
  project: Pick<Project, 'organizationId'>,
  given: string | null | undefined,
): string => (!given || given === 'default' ? defaultOrganizationId(project) : given)

/** Creates the default organization of a project if it does not exist. */
export const ensureDefaultOrganization = (
  tables: Tables,
  project: Pick<Project, 'id' | 'name' | 'organizationId'>,
  now: Date,
): Promise<unknown> =>
  tables
    .insert(organizations)
    .values({
      projectId: project.id,
      itemId: defaultOrganizationId(project),
      createdDate: now,
      lastUpdatedDate: now,
      name: project.name,
    })
    .onConflictDoNothing()

const { name, createdDate, lastUpdatedDate } = organizations

export async function listOrganizations(
  tables: Tables,
  project: Project,
  { administered, roles }: Pick<Caller, 'administered' | 'roles'>,
  page: PageRequest,
) {
  const ids = roles.size > 0 ? [...roles.keys()] : [defaultOrganizationId(project)]
  const where = administered === 'all' ? undefined : inArray(organizations.itemId, ids)
  const all = tables.select().from(organizations).$dynamic()
  const sortable = { name, createdDate, lastUpdatedDate }
  const { rows, totalCount } = await readPage(tables, all, organizations, where, page, sortable)
  return { organizations: rows.map(toOrganization), totalCount }
}

/** Converts a row to a record, whose members are the columns of the row. */
export const toRecord = <R extends { seq: number; projectId: number }>({
  seq: _,
  projectId: _projectId,
  ...row
}: R) => ({ ...row, language: null, organizationId: null, tags: [] })

const toOrganization = (row: typeof organizations.$inferSelect) => ({
  ...toRecord(row),
  lastUpdatedBy: row.lastUpdatedBy ?? row.createdBy,
  organizationId: row.itemId,
  parentOrganizationId: null,
})

export async function saveOrganization(
  tables: Tables,
  projectId: number,
  { itemId, ...given }: iam.CreateOrganization & { readonly itemId: string },
  now: Date,
  createdBy: string | null = null,
): Promise<void> {
  const values = {
    name: given.name,
    description: given.description ?? null,
    defaultRoleForMembers: given.defaultRoleForMembers ?? [],
    defaultPermissionsForMembers: given.defaultPermissionsForMembers ?? [],
    createdFrom: given.createdFrom ?? 0,
  }
  await tables
    .insert(organizations)
    .values({ projectId, itemId, createdDate: now, lastUpdatedDate: now, createdBy, ...values })
    .onConflictDoUpdate({ target: [organizations.projectId, organizations.itemId], set: values })
}

/** Returns the initial access of members; undefined for an unknown or disabled organization. */
export async function memberDefaults(tables: Tables, id: string) {
  const { defaultRoleForMembers: roles, defaultPermissionsForMembers: permissions } = organizations
  const [found] = await tables
    .select({ roles, permissions })
    .from(organizations)
    .where(and(eq(organizations.itemId, id), eq(organizations.isDisabled, false)))
  return found
}
