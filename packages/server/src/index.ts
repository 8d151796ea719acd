/**
 * Server for a team: configuration, logs, probes, metrics, traces and graceful stop around the
 * platform. It handles no request of the interface itself; see `@servicekit/platform`.
 *
 * `servicekit serve` runs it. Start reading at `src/start-server.ts`, and at
 * `src/config/settings.ts` for the settings.
 */
export {
  type BackupCommand,
  type BackupReport,
  type BackupSecret,
  type RestoreReport,
  runBackup,
  runRestore,
  runVerify,
  type VerifyReport,
} from './backup/run-backup.ts'
export { type ServeFlag, settingsTable } from './config/describe-settings.ts'
export type { ConfigOptions } from './config/resolve-config.ts'
export { defineServerConfig, type ServerConfig } from './config/settings.ts'
export {
  type CheckedConfig,
  checkConfig,
  type CommandInput,
  runMigrations,
  serve,
  serveFlags,
} from './run.ts'
