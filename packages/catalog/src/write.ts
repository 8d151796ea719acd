import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ServicekitError } from '@servicekit/client'

/**
 * Writes `text` to `file` unless the file already has that content. The file is replaced
 * atomically: readers, other writers or a kill at any moment see the old or the new
 * content, never a partial file.
 *
 * @returns `true` if the file was written.
 * @throws ServicekitError EMIT_FAILED
 */
export async function writeIfChanged(file: string, text: string | Buffer): Promise<boolean> {
  const bytes = Buffer.from(text)
  const temporary = temporaryNameOf(file)
  try {
    // Compare bytes: lone surrogates change when they are encoded.
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

/** Result of writing files. */
export interface WriteReport {
  readonly files: number
  readonly written: number
  readonly bytes: number
}

/**
 * Writes the generated files that changed, each atomically like {@link writeIfChanged}.
 * Does not sync to disk, because files lost in a power failure are generated again.
 * Sequential, which is four times as fast for small files as the thread pool.
 *
 * @throws ServicekitError EMIT_FAILED
 */
export function writeEmitted(
  files: Iterable<{ readonly path: string; readonly text: string }>,
): WriteReport {
  const folders = new Set<string>()
  let [count, written, sum] = [0, 0, 0]
  for (const file of files) {
    // Read `text` only once: it may be generated on access.
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
    details: { reason: cause instanceof Error ? cause.message : String(cause) },
    help: 'Check that the folder can be written to and the disk is not full.',
  })

/**
 * Reads a file as text; undefined if it does not exist.
 *
 * @throws ServicekitError READ_FAILED if it exists and cannot be read.
 */
export async function readOrUndefined(file: string): Promise<string | undefined> {
  try {
    return (await readBytes(file))?.toString('utf8')
  } catch (cause) {
    throw readError(file, cause)
  }
}

/**
 * Synchronous version of {@link readOrUndefined}.
 *
 * @throws ServicekitError READ_FAILED
 */
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
    details: { reason: cause instanceof Error ? cause.message : String(cause) },
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
