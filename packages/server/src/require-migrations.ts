import { migrateDatabase, PlatformError } from '@servicekit/platform'
import type { Settings } from './config/settings.ts'

/** @throws PlatformError `DATABASE_INCOMPATIBLE` if migrations are pending and not applied here. */
export async function requireMigrations({
  migrations,
  databaseUrl,
}: Pick<Settings, 'migrations' | 'databaseUrl'>): Promise<void> {
  if (migrations !== 'require' || databaseUrl === undefined) return
  const pending = await migrateDatabase(databaseUrl, { dryRun: true })
  if (pending.length === 0) return
  throw new PlatformError('DATABASE_INCOMPATIBLE', 'The database has pending migrations.', {
    details: { pending: pending.join(', ') },
    help: 'Run `servicekit migrate-database` first, or set migrations to apply.',
  })
}
