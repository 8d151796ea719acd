import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ServicekitError } from '@servicekit/client'

/**
 * Writes `text` to `file` unless it already holds exactly that. The file is
 * replaced in one step: a reader, a second writer or a kill at any moment finds
 * the old content or the new, never a part or nothing.
 *
 * @returns whether something was written.
 * @throws ServicekitError EMIT_FAILED
 */
export async function writeIfChanged(file: string, text: string): Promise<boolean> {
  const bytes = Buffer.from(text)
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  try {
    // Bytes, not text: half a character is written as something else than it was.
    if ((await readBytes(file))?.equals(bytes)) return false
    await mkdir(dirname(file), { recursive: true })
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(bytes)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
    return true
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new ServicekitError(`Could not write ${file}`, {
      code: 'EMIT_FAILED',
      cause,
      facts: { reason: cause instanceof Error ? cause.message : String(cause) },
      help: 'Check that the folder can be written to and the disk is not full.',
    })
  }
}

/**
 * Text of a file; undefined where there is none.
 *
 * @throws ServicekitError READ_FAILED where there is one that cannot be read.
 */
export async function readOrUndefined(file: string): Promise<string | undefined> {
  try {
    return (await readBytes(file))?.toString('utf8')
  } catch (cause) {
    throw new ServicekitError(`Could not read ${file}`, {
      code: 'READ_FAILED',
      cause,
      facts: { reason: cause instanceof Error ? cause.message : String(cause) },
      help: 'Check that it is a file, and that you may read it.',
    })
  }
}

async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
