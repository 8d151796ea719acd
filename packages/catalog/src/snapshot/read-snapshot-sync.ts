import { ServicekitError } from '@servicekit/client'
import type { Catalog } from '../model/catalog.ts'
import {
  catalogOf,
  parseLock,
  parseTranslations,
  readSnapshotText,
  type SnapshotPaths,
} from './snapshot.ts'
import { readTextSync } from '../files/write.ts'

/**
 * Reads the snapshot at once, for tools such as linters whose rules cannot wait. Files that do not
 * match the lock are read as they are, and invalid ones as empty.
 *
 * @returns undefined if there is no lock file, or an invalid one.
 */
export function readSnapshotSync({ snapshotDir, lockFile }: SnapshotPaths): Catalog | undefined {
  const lock = undefinedIfInvalid(() => parseLock(readTextSync(lockFile) ?? '', lockFile))
  if (!lock) return undefined
  return catalogOf(lock, (_, path) =>
    undefinedIfInvalid(() => {
      const text = readSnapshotText(snapshotDir, path)
      return text === undefined ? undefined : parseTranslations(text, path)
    }),
  )
}

function undefinedIfInvalid<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServicekitError) return undefined
    throw error
  }
}
