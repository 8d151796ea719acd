import { eq } from 'drizzle-orm'
import { generateKeyPair, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from '../database/database.ts'
import { createSecret } from './secrets.ts'
import { secrets } from './tables.ts'

/**
 * Signing secrets of a project: `jwks` for id tokens, the other keys for cookies and
 * signed URLs.
 */
export interface ProjectSecrets {
  readonly jwks: { readonly keys: readonly JsonWebKey[] }
  readonly cookieKey: string
  readonly addressKey: string
}

const name = 'signing'

/** Returns the secrets of a project. They are created on first use, by one of the instances. */
export async function projectSecrets(
  database: Database,
  projectId: number,
): Promise<ProjectSecrets> {
  const find = async () => {
    const [row] = await database.scoped(projectId, (tables) =>
      tables.select().from(secrets).where(eq(secrets.name, name)),
    )
    return row?.value as ProjectSecrets | undefined
  }
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
    tables.insert(secrets).values({ projectId, name, value }).onConflictDoNothing(),
  )
  return (await find())!
}
