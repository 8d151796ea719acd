import { mkdir } from 'node:fs/promises'
import { ServicekitError } from '@servicekit/client'
import { FolderLockedError, lockFolder } from '@servicekit/core/node'

/** Work under a lock takes milliseconds. */
const maxWaitMs = 30_000

/**
 * Runs work while no other process does with the same folder.
 *
 * @throws ServicekitError EMIT_FAILED if the lock is not free after half a minute.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true })
  const release = await lockFolder(folder, maxWaitMs).catch((cause: unknown) => {
    if (!(cause instanceof FolderLockedError)) throw cause
    throw new ServicekitError(`Cannot lock ${folder}`, {
      code: 'EMIT_FAILED',
      cause,
      details: { folder, process: String(cause.process) },
      help: 'Another process is writing the same files. Try again when it has ended.',
    })
  })
  try {
    return await work()
  } finally {
    await release()
  }
}
