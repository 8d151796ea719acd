import { ConfigError } from '@servicekit/client'
import { FolderLockedError, lockFolder } from '@servicekit/core/node'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Time to wait for a platform that is just closing, in ms. */
const maxWaitMs = 1000

/**
 * Removes the database and the files of a data folder, if it is one.
 *
 * @throws ConfigError if another process uses it.
 */
export async function resetData(folder: string): Promise<void> {
  const database = join(folder, 'pgdata')
  if (!existsSync(join(database, 'PG_VERSION'))) return
  const release = await lockFolder(folder, maxWaitMs).catch((error: unknown) => {
    if (!(error instanceof FolderLockedError)) throw error
    throw new ConfigError(`Cannot use --reset: process ${error.process} uses the data folder`, {
      details: { folder },
      help: 'End that process first.',
    })
  })
  const removed = join(folder, 'removed')
  try {
    await rm(join(folder, 'files'), { recursive: true, force: true })
    // At once: a database of which a part is missing would not start.
    await rm(removed, { recursive: true, force: true })
    await rename(database, removed)
    await rm(removed, { recursive: true, force: true })
  } finally {
    await release()
  }
}
