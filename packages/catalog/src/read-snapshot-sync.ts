import { join } from 'node:path'
import { parseJson } from '@servicekit/core'
import type { Catalog } from './catalog.ts'
import { catalogOf, isLock, parseTranslations, type SnapshotPaths } from './snapshot.ts'
import { readTextSync } from './write.ts'

/**
 * Reads the snapshot at once, for tools such as linters whose rules cannot wait. Files that do not
 * match the lock are read as they are, and files that cannot be parsed as empty.
 *
 * @returns undefined if there is no lock file, or no supported one.
 */
export function readSnapshotSync({ snapshotDir, lockFile }: SnapshotPaths): Catalog | undefined {
  const lock = parseJson(readTextSync(lockFile) ?? '')
  if (!isLock(lock as Parameters<typeof isLock>[0])) return undefined
  return catalogOf(lock as Parameters<typeof catalogOf>[0], (_, path) => {
    const text = readTextSync(join(snapshotDir, path))
    if (text === undefined || parseJson(text) === undefined) return undefined
    return parseTranslations(text)
  })
}
