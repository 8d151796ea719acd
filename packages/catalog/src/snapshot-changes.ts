import { join } from 'node:path'
import { byCodePoint } from './names.ts'
import type { FileChange } from './replace-files.ts'
import { type Lock, type SnapshotPaths, withoutCarriageReturns } from './snapshot.ts'
import { readOrUndefined } from './write.ts'

/** A translation file as it was fetched. */
interface SnapshotFile {
  readonly path: string
  readonly content: string
  readonly unchanged: boolean
  readonly isElsewhere?: boolean
}

/** Languages, modules and files of a snapshot, to be compared. */
export const shapeOf = (lock: Lock | undefined): string =>
  JSON.stringify([
    lock?.defaultLanguage,
    // The service's order is not that of the file.
    Object.entries(lock?.languages ?? {}).sort(([a], [b]) => byCodePoint(a, b)),
    [...(lock?.modules ?? [])].sort(byCodePoint),
    Object.keys(lock?.files ?? {}).sort(byCodePoint),
  ])

/** Files of the snapshot before that this one has not. */
export const goneFrom = (previous: Lock | undefined, lock: Lock): readonly string[] =>
  Object.keys(previous?.files ?? {}).filter((path) => !Object.hasOwn(lock.files, path))

/** What has to change in the snapshot beside its lock. */
export async function snapshotChanges(
  options: SnapshotPaths,
  files: readonly SnapshotFile[],
  lock: Lock,
  previous: Lock | undefined,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = []
  for (const file of files) {
    if (file.unchanged && !file.isElsewhere) continue
    changes.push(...(await textChange(join(options.snapshotDir, file.path), file.content)))
  }
  for (const path of goneFrom(previous, lock)) {
    changes.push({ path: join(options.snapshotDir, path), text: undefined })
  }
  return changes
}

/** New content of a file; nothing for a checkout that differs in its line ends alone. */
export async function textChange(path: string, text: string): Promise<readonly FileChange[]> {
  const before = await readOrUndefined(path)
  return before !== undefined && withoutCarriageReturns(before) === text ? [] : [{ path, text }]
}
