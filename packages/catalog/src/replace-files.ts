import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readBytes, temporaryNameOf, writeError, writeIfChanged } from './write.ts'

/** New content of a file; a file without text is removed. */
export interface FileChange {
  readonly path: string
  readonly text: string | undefined
  /** Whether it can be generated again, so that nothing waits for the disk. */
  readonly isGenerated?: boolean
}

interface Staged {
  readonly path: string
  readonly before: Buffer | undefined
  /** File that holds the new content; undefined for a file that is removed. */
  readonly temporary: string | undefined
}

/**
 * Replaces files together: a failure of any of them leaves all as they were. New
 * content is first written beside each file, where a full disk or a missing
 * permission shows, and takes its place by a rename then. A process that is killed
 * between two renames leaves some files new and others old, never a part of one.
 *
 * @returns paths of the files that changed.
 * @throws ServicekitError EMIT_FAILED
 */
export async function replaceFiles(changes: Iterable<FileChange>): Promise<ReadonlySet<string>> {
  const staged: Staged[] = []
  const done: Staged[] = []
  let path = ''
  try {
    for (const change of changes) {
      path = change.path
      const one = await stage(change)
      if (one) staged.push(one)
    }
    for (const one of staged) {
      path = one.path
      // Pushed first: a rename that fails half-way is undone too.
      done.push(one)
      if (one.temporary === undefined) await rm(one.path, { force: true })
      else await rename(one.temporary, one.path)
    }
  } catch (cause) {
    for (const one of done.reverse()) await restore(one)
    for (const { temporary } of staged) {
      if (temporary !== undefined) await discard(temporary)
    }
    throw writeError(path, cause)
  }
  // A folder without files is not kept.
  for (const one of staged) if (one.temporary === undefined) await removeIfEmpty(one.path)
  return new Set(staged.map((one) => one.path))
}

/** Writes the new content beside a file; undefined where it already has that content. */
async function stage({ path, text, isGenerated }: FileChange): Promise<Staged | undefined> {
  const before = await readBytes(path)
  if (text === undefined) return before && { path, before, temporary: undefined }
  const bytes = Buffer.from(text)
  if (before?.equals(bytes)) return undefined
  const temporary = temporaryNameOf(path)
  await mkdir(dirname(path), { recursive: true })
  try {
    const handle = await open(temporary, 'wx')
    try {
      await handle.writeFile(bytes)
      if (!isGenerated) await handle.datasync()
    } finally {
      await handle.close()
    }
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

async function discard(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined)
  await removeIfEmpty(path)
}

const removeIfEmpty = (path: string): Promise<void> => rmdir(dirname(path)).catch(() => undefined)
