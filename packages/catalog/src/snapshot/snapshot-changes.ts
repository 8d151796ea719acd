import { join } from 'node:path'
import { byCodePoint } from '@servicekit/core'
import type { FetchedFile } from './fetch-file.ts'
import type { FileChange } from '../files/replace-files.ts'
import { type Lock, type SnapshotPaths, withoutCarriageReturns } from './snapshot.ts'
import { readBytes } from '../files/write.ts'

/** Serialises the languages, modules and files of a snapshot for comparison. */
export const shapeOf = (lock: Lock | undefined): string =>
  JSON.stringify([
    lock?.defaultLanguage,
    // The service and the lock file order languages differently.
    Object.entries(lock?.languages ?? {}).sort(([a], [b]) => byCodePoint(a, b)),
    [...(lock?.modules ?? [])].sort(byCodePoint),
    Object.keys(lock?.files ?? {}).sort(byCodePoint),
  ])

/** Returns the files of the previous snapshot that are not in the new one. */
export const removedPaths = (previous: Lock | undefined, lock: Lock): readonly string[] =>
  Object.keys(previous?.files ?? {}).filter((path) => !Object.hasOwn(lock.files, path))

/** Returns the file changes of a snapshot, without its lock. */
export async function snapshotChanges(
  options: SnapshotPaths,
  files: readonly FetchedFile[],
  lock: Lock,
  previous: Lock | undefined,
): Promise<readonly FileChange[]> {
  const { snapshotDir } = options
  const changes: FileChange[] = []
  for (const file of files) {
    if (file.unchanged && !file.isFromSharedCache) continue
    changes.push(...(await snapshotChange(snapshotDir, file.path, file.content)))
  }
  for (const path of removedPaths(previous, lock)) {
    changes.push({ path: join(snapshotDir, path), text: undefined, folder: snapshotDir })
  }
  return changes
}

/**
 * Returns the change of a file of the snapshot.
 *
 * @param path Relative to the snapshot folder.
 */
export const snapshotChange = async (
  folder: string,
  path: string,
  text: string,
): Promise<readonly FileChange[]> =>
  (await fileChange(join(folder, path), text)).map((change) => ({ ...change, folder }))

/** Returns the change of a file; none if it differs only in its line endings. */
export async function fileChange(path: string, text: string): Promise<readonly FileChange[]> {
  const before = (await readBytes(path))?.toString('utf8')
  return before !== undefined && withoutCarriageReturns(before) === text ? [] : [{ path, text }]
}
