/** Helpers for files that several packages share. */
export { FolderLockedError, lockFolder } from './lock-folder.ts'
export { readIfExists, readIfExistsSync, readTextIfExists } from './read-file.ts'
export { temporaryNameOf, writeFileAtomic, writeFileAtomicSync } from './write-file.ts'
