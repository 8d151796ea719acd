import { chmod, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import pLimit from 'p-limit'
import { readIfExists, temporaryNameOf } from '@servicekit/core/node'
import { linkGuard } from './inside.ts'
import { writeError, writeIfChanged } from './write.ts'

/** New content of a file. A file without text is removed. */
export interface FileChange {
  readonly path: string
  readonly text: string | undefined
  /** Text that the new one was made from: nothing is written if the file has another one now. */
  readonly from?: string
  /** `true` if the file can be regenerated, so that it need not be synced to disk. */
  readonly isGenerated?: boolean
  /** Folder that the file belongs to. It is not changed if a link leads out of it. */
  readonly folder?: string
}

interface Staged {
  readonly path: string
  readonly before: Buffer | undefined
  /** File with the new content; undefined for a file to remove. */
  readonly temporary: string | undefined
}

/**
 * Replaces files together: if one fails, all keep their previous content. New content is
 * first written next to each file, which detects a full disk or missing permissions, and
 * then renamed into place. If the process is killed between two renames, some files are
 * new and others old, but none is incomplete.
 *
 * @returns the paths of the files that changed.
 * @throws ServicekitError EMIT_FAILED
 */
export async function replaceFiles(changes: Iterable<FileChange>): Promise<ReadonlySet<string>> {
  const staged = await stageAll(changes)
  const done: Staged[] = []
  let path = ''
  try {
    for (const one of staged) {
      path = one.path
      // Push first, so that a rename that fails half-way is undone too.
      done.push(one)
      if (one.temporary === undefined) await rm(one.path, { force: true })
      else await rename(one.temporary, one.path)
    }
  } catch (cause) {
    for (const one of done.reverse()) await restore(one)
    await discardAll(staged)
    throw writeError(path, cause)
  }
  // Remove folders that became empty.
  for (const one of staged) if (one.temporary === undefined) await removeIfEmpty(one.path)
  return new Set(staged.map((one) => one.path))
}

/** Number of files that are written at the same time, whose syncs the disk then combines. */
const concurrency = 32

/**
 * Writes the new content of all files next to them, or of none.
 *
 * @returns the files whose content changes, in the order of `changes`.
 * @throws ServicekitError EMIT_FAILED
 */
async function stageAll(all: Iterable<FileChange>): Promise<readonly Staged[]> {
  const changes = [...all]
  const rejectLinkOut = linkGuard()
  for (const { folder, path } of changes) if (folder !== undefined) rejectLinkOut(folder, path)
  const limit = pLimit(concurrency)
  let failure: { readonly path: string; readonly cause: unknown } | undefined
  const results = await Promise.all(
    changes.map((change) =>
      limit(async () => {
        if (failure) return undefined
        try {
          return await stage(change)
        } catch (cause) {
          failure ??= { path: change.path, cause }
          return undefined
        }
      }),
    ),
  )
  const staged = results.filter((one) => one !== undefined)
  if (!failure) return staged
  await discardAll(staged)
  throw writeError(failure.path, failure.cause)
}

/**
 * Writes the new content next to a file. Returns undefined if the file already has that
 * content.
 */
async function stage(change: FileChange): Promise<Staged | undefined> {
  const { path, isGenerated } = change
  const before = await readIfExists(path)
  // The text may be generated on access.
  const { text } = change
  if (text === undefined) return before && { path, before, temporary: undefined }
  const bytes = Buffer.from(text)
  if (before?.equals(bytes)) return undefined
  if (change.from !== undefined && before?.toString() !== change.from) {
    throw new Error('it was changed meanwhile')
  }
  const temporary = temporaryNameOf(path)
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(temporary, bytes, { flag: 'wx', flush: isGenerated !== true })
    if (before) await chmod(temporary, (await stat(path)).mode)
  } catch (error) {
    await discard(temporary)
    throw error
  }
  return { path, before, temporary }
}

async function restore({ path, before }: Staged): Promise<void> {
  if (before === undefined) await discard(path)
  else await writeIfChanged(path, before).catch(() => undefined)
}

async function discardAll(staged: readonly Staged[]): Promise<void> {
  for (const { temporary } of staged) if (temporary !== undefined) await discard(temporary)
}

async function discard(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined)
  await removeIfEmpty(path)
}

const removeIfEmpty = (path: string): Promise<void> => rmdir(dirname(path)).catch(() => undefined)
