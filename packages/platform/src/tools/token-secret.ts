import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSecret } from '../identity/secrets.ts'
import type { ResolvedOptions } from '../options.ts'

/**
 * What the tokens of tools are encrypted with: the option, or for data in a folder
 * a secret in a file beside it, or for data in memory one that is gone with it.
 *
 * @returns undefined for a database that others may use too, where no one could
 * agree on a secret.
 */
export async function tokenSecret({
  secret,
  dataDir,
  databaseUrl,
  randomBytes,
}: Pick<ResolvedOptions, 'secret' | 'dataDir' | 'databaseUrl' | 'randomBytes'>): Promise<
  string | undefined
> {
  if (secret !== undefined || databaseUrl !== undefined) return secret
  if (dataDir === undefined) return makeSecret(randomBytes)
  const path = join(dataDir, 'secret')
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = makeSecret(randomBytes)
  await writeFile(path, made, { mode: 0o600, flag: 'wx' })
  return made
}
