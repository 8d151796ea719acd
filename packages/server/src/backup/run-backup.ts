import { openStores } from '@servicekit/platform'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConfigOptions, resolveConfig } from '../config/resolve-config.ts'
import type { Settings } from '../config/settings.ts'
import { requireMigrations } from '../require-migrations.ts'
import { platformOptions } from '../platform-options.ts'
import { type BackupInput, type BackupReport, createBackup } from './create-backup.ts'
import type { BackupSecret } from './encryption.ts'
import type { OpenStores } from './restore-database.ts'
import {
  restoreBackup,
  type RestoreReport,
  verifyBackup,
  type VerifyReport,
} from './restore-backup.ts'

/** Input of the commands that save and restore a server. */
export interface BackupCommand extends ConfigOptions {
  readonly folder: string
  /** Folder of the backup. */
  readonly backup: string
  readonly secret: BackupSecret | undefined
  /** Folder of an earlier backup, whose unchanged files are linked instead of copied. */
  readonly previous?: string | undefined
  /** Folder of `pg_dump` and `pg_restore`; by default they are found in PATH. */
  readonly postgresBin?: string | undefined
  /** Number of files that are copied at once; 8 by default. */
  readonly concurrency?: number | undefined
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

export type { BackupReport, BackupSecret, RestoreReport, VerifyReport }

const defaultConcurrency = 8

/** Returns the input of a command, and what opens the database and the storages of its settings. */
function partsOf(command: BackupCommand, settings?: Settings) {
  const { folder, backup, previous, secret, postgresBin, signal, onProgress } = command
  const { concurrency = defaultConcurrency } = command
  const { databaseUrl, dataDir: given, secret: ownSecret } = settings ?? {}
  const dataDir = given === undefined ? undefined : resolve(folder, given)
  const hasSecretFile = dataDir !== undefined && ownSecret === undefined
  const input: BackupInput = {
    folder: resolve(folder, backup),
    previous: previous === undefined ? undefined : resolve(folder, previous),
    secret,
    concurrency,
    databaseUrl,
    postgresBin,
    secretFile: hasSecretFile ? join(dataDir, 'secret') : undefined,
    signal,
    ...(onProgress && { onProgress }),
  }
  const open: OpenStores = (archive) => {
    const { controlToken: _, ...options } = platformOptions(settings!)
    return openStores(options, archive)
  }
  return { input, open, dataDir }
}

/** Saves the database and the files of a server to a folder, or continues to. */
export async function runBackup(command: BackupCommand): Promise<BackupReport> {
  const { settings } = await resolveConfig(command)
  // A backup applies no migrations.
  await requireMigrations({ ...settings, migrations: 'require' })
  const { input, open } = partsOf(command, settings)
  const stores = await open()
  return createBackup(stores, input).finally(() => stores.close())
}

/** Restores a backup into the database and the storage of a server that does not run. */
export async function runRestore(
  command: BackupCommand & { readonly isForced: boolean },
): Promise<RestoreReport> {
  const { settings } = await resolveConfig(command)
  const { input, open, dataDir } = partsOf(command, settings)
  const { instance = hostname() } = settings
  return restoreBackup({ ...input, open, dataDir, instance, isForced: command.isForced })
}

/** Verifies a backup. It needs no configuration. */
export const runVerify = (command: BackupCommand): Promise<VerifyReport> =>
  verifyBackup(partsOf(command).input)
