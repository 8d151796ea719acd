/** Helpers for files, requests and secrets that several packages share. */
export { callNodeHandler } from './call-node-handler.ts'
export { type Clock, createClock } from './clock.ts'
export { findInstalled, type Installed } from './find-installed.ts'
export { idGenerator } from './ids.ts'
export { isInside, linkOut, realPathIfExists } from './link-out.ts'
export {
  announceLocalPlatform,
  findLocalPlatform,
  isLocalPlatformUrl,
  localPlatformPort,
  localPlatformUrl,
} from './local-platform.ts'
export { FolderLockedError, lockFolder } from './lock-folder.ts'
export { decodeUtf8, encodingProblem } from './decode-utf8.ts'
export { readIfExists, readIfExistsSync, readTextIfExists } from './read-file.ts'
export { BodyTooLarge, readText } from './read-text.ts'
export {
  createSecret,
  decrypt,
  encrypt,
  hashSecret,
  isEqualSecret,
  type SecretContext,
} from './secrets.ts'
export {
  isObjectPath,
  objectPath,
  objectsPath,
  type SignedRequest,
  signPath,
  verifySignature,
} from './signed-url.ts'
export { createSigningSecret, signatureHeaders } from './webhook-signature.ts'
export { temporaryNameOf, writeFileAtomic, writeFileAtomicSync } from './write-file.ts'
