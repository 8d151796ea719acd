/**
 * The local platform: the interface of the service, answered from a database on
 * this machine or from PostgreSQL.
 *
 * This entry makes a platform in the running process, which is what tests want;
 * `@servicekit/platform/node` listens on a port. `src/http/app.ts` is where a
 * request arrives, `src/platform.ts` where the parts are put together.
 */
export type { PlatformEvent } from './control/event-hub.ts'
export type { Fault, FaultRule, Faults } from './control/faults.ts'
export type { Listener } from './control/listeners.ts'
export type { LogEntry, ObservedRequest } from './control/observer.ts'
export { PlatformError, type PlatformErrorCode } from './errors.ts'
export type { GatewayOptions, ListenerOptions, PlatformOptions, WebhookOptions } from './options.ts'
export { createPlatform, loadProject, type Platform } from './platform.ts'
export type { Dialect } from './projects/dialect.ts'
export type { LoadedProject } from './projects/load-project.ts'
export type { Problem } from './projects/problem.ts'
export type {
  FileSource,
  LanguageSource,
  ModuleSource,
  ProjectSource,
  RecordSource,
} from './projects/project-source.ts'
export type {
  AzureStorage,
  LocalStorage,
  S3Storage,
  StorageOptions,
} from './storage/storage-options.ts'
export { readProject } from './projects/read-project.ts'
export { parseProject } from './projects/parse-project.ts'
export {
  projectFiles,
  type ProjectFolderFile,
  readProjectFolder,
} from './projects/project-folder.ts'
