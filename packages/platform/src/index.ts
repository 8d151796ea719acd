/**
 * Local platform: the service's interface, backed by an embedded database or PostgreSQL.
 *
 * This entry creates a platform in the running process, for tests;
 * `@servicekit/platform/node` listens on a port. Start reading at `src/app/app.ts` for
 * request handling, and at `src/platform.ts` for composition.
 */
export type { PlatformEvent } from './webhooks/events.ts'
export type { Fault, FaultRule, Faults } from './control/fault-rules.ts'
export type { LogEntry, LoggedRequest } from './control/request-log.ts'
export { PlatformError, type PlatformErrorCode } from './errors.ts'
export type { OutgoingMail } from './identity/mails.ts'
export {
  type GatewayOptions,
  optionSchemas,
  type PlatformOptions,
  type Trace,
  type WebhookOptions,
} from './options.ts'
export type { DatabaseFacts } from './database/inspect-database.ts'
export { inspectDatabase, migrateDatabase } from './database/open-database.ts'
export { appRole, backupRole } from './database/role.ts'
export { createPlatform, type Platform } from './platform.ts'
export type { Dialect } from '@servicekit/contract/control'
export type { LoadedProject } from './projects/load-project.ts'
export type {
  FileSource,
  LanguageSource,
  ModuleSource,
  Problem,
  ProjectSource,
  RecordSource,
} from './project-source.ts'
export type { StorageSetUp, StoredBytes } from './storage/backend.ts'
export { inspectStorage, type InspectedStorage } from './storage/inspect-storage.ts'
export type { SettledUploads } from './storage/settle-uploads.ts'
export {
  type AzureStorage,
  type LocalStorage,
  type S3Storage,
  type StorageMember,
  storageMembers,
  type StorageOptions,
} from './storage/storage-options.ts'
export { openStores, type Query, type StoredFile, type Stores } from './stores.ts'
export { parseProject } from './projects/parse-project.ts'
export { uploadPath } from './projects/project-path.ts'
export {
  projectFiles,
  type ProjectFolderFile,
  readProject,
  readProjectFolder,
} from './projects/project-folder.ts'
