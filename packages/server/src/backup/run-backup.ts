import { openStores, type Stores } from '@servicekit/platform'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConfigOptions, resolveConfig } from '../config/resolve-config.ts'
import type { Settings } from '../config/settings.ts'
import { requireMigrations } from '../require-migrations.ts'
import { platformOptions } from '../platform-options.ts'
import { type BackupInput, type BackupReport, createBackup } from './create-backup.ts'
import type { BackupSecret } from './encryption.ts'
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
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

export type { BackupReport, BackupSecret, RestoreReport, VerifyReport }

async function withStores<T>(
  command: BackupCommand,
  work: (stores: Stores, input: BackupInput, settings: Settings) => Promise<T>,
): Promise<T> {
  const { settings } = await resolveConfig(command)
  const { controlToken: _, ...options } = platformOptions(settings)
  const stores = await openStores(options)
  const { dataDir, secret } = settings
  const ownSecret = dataDir !== undefined && secret === undefined
  try {
    const secretFile = ownSecret ? join(resolve(command.folder, dataDir), 'secret') : undefined
    return await work(stores, { ...inputOf(command), secretFile }, settings)
  } finally {
    await stores.close()
  }
}

const inputOf = ({ folder, backup, secret, signal, onProgress }: BackupCommand): BackupInput => ({
  folder: resolve(folder, backup),
  secret,
  signal,
  ...(onProgress && { onProgress }),
})

/** Saves the database and the files of a server to a folder, or continues to. */
export async function runBackup(command: BackupCommand): Promise<BackupReport> {
  const { settings } = await resolveConfig(command)
  // A backup must not change the database.
  await requireMigrations({ ...settings, migrations: 'require' })
  return withStores(command, createBackup)
}

/** Restores a backup into the database and the storage of a server that does not run. */
export const runRestore = (
  command: BackupCommand & { readonly isForced: boolean },
): Promise<RestoreReport> =>
  withStores(command, (stores, input, { instance = hostname() }) =>
    restoreBackup(stores, { ...input, instance, isForced: command.isForced }),
  )

/** Verifies a backup. It needs no configuration. */
export const runVerify = (command: BackupCommand): Promise<VerifyReport> =>
  verifyBackup(inputOf(command))
