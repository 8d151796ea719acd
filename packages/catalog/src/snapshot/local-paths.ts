import { dirname, join } from 'node:path'
import { rejectLinkedFolders } from '../files/inside.ts'
import type { SnapshotPaths } from './snapshot.ts'

/** Paths of a snapshot and of files that are not committed. */
export interface LocalPaths extends SnapshotPaths {
  readonly cacheDir: string
}

/** Folders and files that commands write for a project. */
export interface WrittenPaths extends SnapshotPaths {
  readonly root: string
  readonly outDir: string
}

/**
 * Returns the paths of a project, to write to them.
 *
 * @throws ServicekitError READ_FAILED if a link leads from one of them out of the project.
 */
export function localPathsOf({ root, outDir, snapshotDir, lockFile }: WrittenPaths): LocalPaths {
  const cacheDir = join(outDir, 'cache')
  rejectLinkedFolders(root, [snapshotDir, dirname(lockFile), cacheDir])
  return { snapshotDir, lockFile, cacheDir }
}
