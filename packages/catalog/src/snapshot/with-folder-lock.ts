import { mkdir } from 'node:fs/promises'
import { ServicekitError } from '@servicekit/client'
import { FolderLockedError, lockFolder } from '@servicekit/core/node'
import { writeError } from '../files/write.ts'

/** Work under a lock takes milliseconds. */
const maxWaitMs = 30_000

/**
 * Runs work while no other process does with the same folder.
 *
 * @throws ServicekitError EMIT_FAILED if the folder cannot be written, or the lock is not free after
 * half a minute.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = async (): Promise<() => Promise<void>> => {
    await mkdir(folder, { recursive: true })
    return lockFolder(folder, maxWaitMs)
  }
  const release = await lock().catch((cause: unknown) => {
    if (!(cause instanceof FolderLockedError)) throw writeError(folder, cause)
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
