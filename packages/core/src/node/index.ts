/** Helpers for files, requests and secrets that several packages share. */
export { findInstalled, type Installed } from './find-installed.ts'
export { isInside, linkOut, realPathIfExists } from './link-out.ts'
export { FolderLockedError, lockFolder } from './lock-folder.ts'
export { decodeUtf8, encodingProblem } from './decode-utf8.ts'
export {
  readIfExists,
  readIfExistsSync,
  readTextIfExists,
  readTextIfExistsSync,
} from './read-file.ts'
export { statIfExists } from './stat-if-exists.ts'
export { BodyTooLarge, readText } from './read-text.ts'
export { isEqualSecret } from './is-equal-secret.ts'
export {
  objectPath,
  objectsPath,
  type SignedRequest,
  signPath,
  verifySignature,
} from './signed-url.ts'
export { temporaryNameOf, writeFileAtomic } from './write-file.ts'
