import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
export async function writeIfChanged(file: string, text: string | Buffer): Promise<boolean> {
  const bytes = Buffer.from(text)
  const temporary = temporaryNameOf(file)
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
    throw writeError(file, cause)
  }
}

/** What writing came to. */
export interface WriteReport {
  readonly files: number
  readonly written: number
  readonly bytes: number
}

/**
 * Writes generated files, those that changed, each in one step as
 * {@link writeIfChanged} does. It does not wait for the disk: what a power cut
 * takes is generated again. Small files go four times as fast one after the other
 * as through the thread pool.
 *
 * @throws ServicekitError EMIT_FAILED
 */
export function writeEmitted(
  files: Iterable<{ readonly path: string; readonly text: string }>,
): WriteReport {
  const folders = new Set<string>()
  let [count, written, sum] = [0, 0, 0]
  for (const file of files) {
    // Once: a text may be made only when it is asked for.
    const bytes = Buffer.from(file.text)
    count++
    sum += bytes.length
    if (writeNow(file.path, bytes, folders)) written++
  }
  return { files: count, written, bytes: sum }
}

function writeNow(file: string, bytes: Buffer, folders: Set<string>): boolean {
  const temporary = temporaryNameOf(file)
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.size === bytes.length && readFileSync(file).equals(bytes)) return false
    const folder = dirname(file)
    if (!folders.has(folder)) {
      mkdirSync(folder, { recursive: true })
      folders.add(folder)
    }
    writeFileSync(temporary, bytes, { flag: 'wx' })
    renameSync(temporary, file)
    return true
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw writeError(file, cause)
  }
}

export const temporaryNameOf = (file: string): string =>
  `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`

export const writeError = (file: string, cause: unknown): ServicekitError =>
  new ServicekitError(`Could not write ${file}`, {
    code: 'EMIT_FAILED',
    cause,
    facts: { reason: cause instanceof Error ? cause.message : String(cause) },
    help: 'Check that the folder can be written to and the disk is not full.',
  })

/**
 * Text of a file; undefined where there is none.
 *
 * @throws ServicekitError READ_FAILED where there is one that cannot be read.
 */
export async function readOrUndefined(file: string): Promise<string | undefined> {
  try {
    return (await readBytes(file))?.toString('utf8')
  } catch (cause) {
    throw readError(file, cause)
  }
}

/** As {@link readOrUndefined}, at once. @throws ServicekitError READ_FAILED */
export function readNow(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw readError(file, cause)
  }
}

const readError = (file: string, cause: unknown): ServicekitError =>
  new ServicekitError(`Could not read ${file}`, {
    code: 'READ_FAILED',
    cause,
    facts: { reason: cause instanceof Error ? cause.message : String(cause) },
    help: 'Check that it is a file, and that you may read it.',
  })

export async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
