import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecret } from '../identity/secrets.ts'
import type { ResolvedOptions } from '../options.ts'

/**
 * Returns the secret that encrypts tokens and the secrets of tools and webhooks: the
 * option; for data in a folder, a secret in a file beside it; for data in memory, one that
 * is never stored.
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
  try {
    const found = await readFile(path, 'utf8')
    // A power failure may have left the file empty.
    if (found !== '') return found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = createSecret()
  await writeWhole(path, made)
  return made
}

/** Writes a file atomically and flushes it to disk. */
async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`
  try {
    const file = await open(unfinished, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}
