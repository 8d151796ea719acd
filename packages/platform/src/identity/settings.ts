import { eq } from 'drizzle-orm'
import { type JsonWebKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database, Tables } from '../database/database.ts'
import type { IdentityFile } from './parse-identity.ts'
import { createSecret } from '@servicekit/core/node'
import { secrets } from '../database/tables.ts'

/** Secrets of a project: `jwks` signs id tokens, the keys sign cookies and URLs. */
export interface ProjectSecrets {
  readonly jwks: { readonly keys: readonly JsonWebKey[] }
  readonly cookieKey: string
  readonly addressKey: string
}

async function readValue<T>(tables: Tables, name: 'signing' | 'settings'): Promise<T | undefined> {
  const [row] = await tables.select().from(secrets).where(eq(secrets.name, name))
  return row?.value as T | undefined
}

/** Returns the secrets of a project. They are created on first use, by one of the instances. */
export async function projectSecrets(
  database: Database,
  projectId: number,
): Promise<ProjectSecrets> {
  const find = () =>
    database.scoped(projectId, (tables) => readValue<ProjectSecrets>(tables, 'signing'))
  const known = await find()
  if (known) return known
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
  const value: ProjectSecrets = {
    jwks: { keys: [key] },
    cookieKey: createSecret(),
    addressKey: createSecret(),
  }
  await database.scoped(projectId, (tables) =>
    tables.insert(secrets).values({ projectId, name: 'signing', value }).onConflictDoNothing(),
  )
  return (await find())!
}

export type IdentitySettings = NonNullable<IdentityFile['settings']>

export const defaultAdministratorRoles: readonly string[] = ['admin']

export const readSettings = async (tables: Tables): Promise<IdentitySettings> =>
  (await readValue<IdentitySettings>(tables, 'settings')) ?? {}

/** Reads the roles that make a member of an organization its administrator. */
export async function readAdministratorRoles(tables: Tables): Promise<readonly string[]> {
  const { administratorRoles = defaultAdministratorRoles } = await readSettings(tables)
  return administratorRoles
}

export const saveSettings = (
  tables: Tables,
  projectId: number,
  value: IdentitySettings,
): Promise<unknown> =>
  tables
    .insert(secrets)
    .values({ projectId, name: 'settings', value })
    .onConflictDoUpdate({ target: [secrets.projectId, secrets.name], set: { value } })
