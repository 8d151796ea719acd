import { eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { secrets } from './tables.ts'

/** What a project can decide about its identity. */
export interface IdentitySettings {
  /** Page of the application that takes invitations; a page of the platform by default. */
  readonly activationUrl?: string | undefined
  /**
   * Roles of which one makes a member an administrator of an organization; `['admin']` by
   * default, and with `[]` nobody is.
   */
  readonly administratorRoles?: readonly string[] | undefined
  /**
   * Roles of which one is needed to use `/iam/v4/iam` at all; everyone who is signed in may
   * where there is none.
   */
  readonly accessRoles?: readonly string[] | undefined
}

/** Roles that administer an organization, unless the project's settings name others. */
export const defaultAdministratorRoles: readonly string[] = ['admin']

const name = 'settings'

/** The settings of the project in whose scope `tables` is. */
export async function readSettings(tables: Tables): Promise<IdentitySettings> {
  const [row] = await tables.select().from(secrets).where(eq(secrets.name, name))
  return (row?.value as IdentitySettings | undefined) ?? {}
}

/** Replaces the settings of a project. */
export const saveSettings = (
  tables: Tables,
  projectId: number,
  value: IdentitySettings,
): Promise<unknown> =>
  tables
    .insert(secrets)
    .values({ projectId, name, value })
    .onConflictDoUpdate({ target: [secrets.projectId, secrets.name], set: { value } })
