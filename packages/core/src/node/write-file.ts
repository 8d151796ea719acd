import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/**
 * Replaces a file atomically: readers, other writers or a kill at any moment see the old or
 * the new content, never a partial file. Syncs the content to disk first, so that a power
 * failure leaves no empty file.
 *
 * @param mode permissions of the file, such as `0o600` for a secret.
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  mode = 0o666,
): Promise<void> {
  const temporary = temporaryNameOf(file)
  try {
    // A file handle of Yarn PnP cannot be synced, but `flush` works there.
    await writeFile(temporary, content, { flag: 'wx', mode, flush: true })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Returns an unused name next to `file`, on the same disk, for content to be renamed to it. */
export const temporaryNameOf = (file: string): string =>
  `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
