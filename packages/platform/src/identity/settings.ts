import { eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { secrets } from './tables.ts'

/** Identity settings of a project. */
export interface IdentitySettings {
  /** Activation page of the application; a page of the platform by default. */
  readonly activationUrl?: string | undefined
  /**
   * Roles that make a member an administrator of an organization; `['admin']` by default.
   * With `[]` there are no administrators.
   */
  readonly administratorRoles?: readonly string[] | undefined
  /**
   * Roles of which one is required for `/iam/v4/iam`; by default any authenticated caller
   * has access.
   */
  readonly accessRoles?: readonly string[] | undefined
}

/** Default administrator roles of an organization. */
export const defaultAdministratorRoles: readonly string[] = ['admin']

const name = 'settings'

/** Reads the settings of the scope's project. */
export async function readSettings(tables: Tables): Promise<IdentitySettings> {
  const [row] = await tables.select().from(secrets).where(eq(secrets.name, name))
  return (row?.value as IdentitySettings | undefined) ?? {}
}

/** Reads the roles that make a member of an organization its administrator. */
export async function readAdministratorRoles(tables: Tables): Promise<readonly string[]> {
  const { administratorRoles = defaultAdministratorRoles } = await readSettings(tables)
  return administratorRoles
}

/** Saves the settings of a project, replacing existing ones. */
export const saveSettings = (
  tables: Tables,
  projectId: number,
  value: IdentitySettings,
): Promise<unknown> =>
  tables
    .insert(secrets)
    .values({ projectId, name, value })
    .onConflictDoUpdate({ target: [secrets.projectId, secrets.name], set: { value } })
