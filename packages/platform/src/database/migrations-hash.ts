import { createHash } from 'node:crypto'
import { type Migration, migrations as known } from './migrations/index.ts'

/** Returns the hash of one migration's statements. */
export const hashOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex')

/** Returns the hash of all migrations, used in the names of prepared data directories. */
export const migrationsHash = (migrations: readonly Migration[] = known): string =>
  createHash('sha256').update(migrations.map(hashOf).join()).digest('hex')
