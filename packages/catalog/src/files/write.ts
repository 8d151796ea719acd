import { mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServicekitError } from '@servicekit/client'
import { decodeUtf8, readIfExists, readIfExistsSync, writeFileAtomic } from '@servicekit/core/node'
import { linkGuard, pathInside, readError } from './inside.ts'
import { writeFileAtomicSync } from './write-file-sync.ts'

/** File to be written, with its final content. */
export interface EmittedFile {
  /** Absolute path. */
  readonly path: string
  readonly text: string
  /** Folder that the file belongs to. It is not written if a link leads out of it. */
  readonly folder?: string
}

/** Result of writing files. */
export interface WriteReport {
  readonly files: number
  readonly written: number
  readonly bytes: number
}

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
  try {
    // Compare bytes: lone surrogates change when they are encoded.
    if ((await readIfExists(file))?.equals(bytes)) return false
    await mkdir(dirname(file), { recursive: true })
    await writeFileAtomic(file, bytes)
    return true
  } catch (cause) {
    throw writeError(file, cause)
  }
}

/**
 * Writes the generated files that changed, each atomically like {@link writeIfChanged}.
 * Does not sync to disk, because files lost in a power failure are generated again.
 * Sequential, which is four times as fast for small files as the thread pool.
 *
 * @throws ServicekitError EMIT_FAILED; READ_FAILED for a link out of the folder of a file.
 */
export async function writeFiles(files: Iterable<EmittedFile>): Promise<WriteReport> {
  let [count, written, sum] = [0, 0, 0]
  const rejectLinkOut = linkGuard()
  for (const file of files) {
    if (file.folder !== undefined) rejectLinkOut(file.folder, file.path)
    // Read `text` only once: it may be generated on access.
    const bytes = Buffer.from(file.text)
    count++
    sum += bytes.length
    try {
      if (readIfExistsSync(file.path)?.equals(bytes)) continue
      mkdirSync(dirname(file.path), { recursive: true })
      writeFileAtomicSync(file.path, bytes)
      written++
    } catch (cause) {
      throw writeError(file.path, cause)
    }
  }
  return { files: count, written, bytes: sum }
}

export const writeError = (file: string, cause: unknown): ServicekitError =>
  new ServicekitError(`Cannot write ${file}`, {
    code: 'EMIT_FAILED',
    cause,
    details: { reason: cause instanceof Error ? cause.message : String(cause) },
    help: 'Check that the folder is writable and that the disk is not full.',
  })

/**
 * Reads a file as UTF-8. Returns undefined if it does not exist.
 *
 * @throws ServicekitError READ_FAILED if it exists and cannot be read, or is not UTF-8: written
 * back, it would lose characters.
 */
export async function readText(file: string): Promise<string | undefined> {
  try {
    const bytes = await readIfExists(file)
    return bytes && decodeUtf8(bytes)
  } catch (cause) {
    throw readError(file, cause)
  }
}

/**
 * Synchronous version of {@link readText}.
 *
 * @throws ServicekitError READ_FAILED
 */
export function readTextSync(file: string): string | undefined {
  try {
    const bytes = readIfExistsSync(file)
    return bytes && decodeUtf8(bytes)
  } catch (cause) {
    throw readError(file, cause)
  }
}

/**
 * Reads the bytes of a file. Returns undefined if it does not exist.
 *
 * @throws ServicekitError READ_FAILED if it exists and cannot be read.
 */
export const readBytes = (file: string): Promise<Buffer | undefined> =>
  readIfExists(file).catch((cause: unknown) => {
    throw readError(file, cause)
  })

/**
 * Reads the bytes of a file of a folder. Returns undefined if it does not exist.
 *
 * @param path Relative to the folder.
 * @throws ServicekitError READ_FAILED if it cannot be read, or a link leads out of the folder.
 */
export function readBytesInside(folder: string, path: string): Buffer | undefined {
  const file = pathInside(folder, join(folder, path))
  try {
    return file === undefined ? undefined : readIfExistsSync(file)
  } catch (cause) {
    throw readError(join(folder, path), cause)
  }
}
