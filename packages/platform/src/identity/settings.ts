import { eq, sql } from 'drizzle-orm'
import { type JsonWebKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { callFunction } from '../database/call-function.ts'
import type { Database, Tables } from '../database/database.ts'
import type { IdentityFile } from '@servicekit/contract/control'
import { secrets } from '../database/tables.ts'
import { bumpVersion } from '../database/versions.ts'
import { createSecret } from '../secrets.ts'

/** Key that signs id tokens. One that was replaced is published until an instant, in ms. */
type SigningKey = JsonWebKey & { readonly kid?: string; readonly until?: number }

/** Secrets of a project: the first key of `jwks` signs id tokens, the others cookies and URLs. */
export interface ProjectSecrets {
  readonly jwks: { readonly keys: readonly SigningKey[] }
  readonly cookieKey: string
  readonly addressKey: string
}

async function readValue<T>(tables: Tables, name: 'signing' | 'settings'): Promise<T | undefined> {
  const [row] = await tables.select().from(secrets).where(eq(secrets.name, name))
  return row?.value as T | undefined
}

async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: createSecret(), use: 'sig', alg: 'RS256' }
}

/** Returns the secrets of a project. They are created on first use, by one of the instances. */
export async function projectSecrets(
  database: Database,
  projectId: number,
): Promise<ProjectSecrets> {
  const find = () =>
    callFunction<ProjectSecrets>(database.unscoped, sql`find_secret(${projectId}, 'signing')`)
  let known = await find()
  if (!known) {
    const value: ProjectSecrets = {
      jwks: { keys: [await createSigningKey()] },
      cookieKey: createSecret(),
      addressKey: createSecret(),
    }
    await database.scoped(projectId, (tables) =>
      tables.insert(secrets).values({ projectId, name: 'signing', value }).onConflictDoNothing(),
    )
    known = (await find())!
  }
  return known
}

/** Returns secrets without the signing keys that are no longer published. */
export function currentSecrets(known: ProjectSecrets, now: Date): ProjectSecrets {
  const keys = known.jwks.keys.filter(({ until = Infinity }) => until > now.getTime())
  return { ...known, jwks: { keys: keys.map(({ until: _, ...key }) => key) } }
}

/**
 * Adds a key that signs id tokens from now on. Those before are published until an instant, so
 * that clients can verify the tokens that they signed.
 *
 * @returns the id of the new key.
 */
export async function rotateSigningKey(
  database: Database,
  projectId: number,
  now: Date,
  until: Date,
): Promise<string> {
  await projectSecrets(database, projectId)
  const key = await createSigningKey()
  await database.scoped(projectId, async (tables) => {
    const row = eq(secrets.name, 'signing')
    const [found] = await tables.select().from(secrets).where(row).for('update')
    const { jwks, ...others } = found!.value as ProjectSecrets
    const before = jwks.keys
      .map((one) => ({ ...one, until: Math.min(one.until ?? Infinity, until.getTime()) }))
      .filter((one) => one.until > now.getTime())
    const value = { ...others, jwks: { keys: [key, ...before] } }
    await tables.update(secrets).set({ value }).where(row)
    await bumpVersion(tables, projectId, 'secretsVersion')
  })
  return key.kid!
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
