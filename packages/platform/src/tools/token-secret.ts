import { readTextIfExists, writeFileAtomic } from '@servicekit/core/node'
import { join } from 'node:path'
import type { ResolvedOptions } from '../options.ts'
import { createSecret } from '../secrets.ts'

/**
 * Returns the secret that encrypts tokens and the secrets of tools and webhooks: the option; for
 * data in a folder, a secret in a file beside it; for data in memory, one that is never stored.
 *
 * @returns undefined for a database that others may use too, because instances could not
 * agree on a secret.
 */
export async function tokenSecret({
  secret,
  dataDir,
  databaseUrl,
}: Pick<ResolvedOptions, 'secret' | 'dataDir' | 'databaseUrl'>): Promise<string | undefined> {
  if (secret !== undefined || databaseUrl !== undefined) return secret
  if (dataDir === undefined) return createSecret()
  const path = join(dataDir, 'secret')
  const stored = await readTextIfExists(path)
  // A power failure may have left the file empty.
  if (stored) return stored
  const created = createSecret()
  await writeFileAtomic(path, created, 0o600)
  return created
}
