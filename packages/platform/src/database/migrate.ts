import type pg from 'pg'
import { PlatformError } from '../errors.ts'
import { type Migration, migrations as known } from './migrations/index.ts'
import { hashOf } from './migrations-hash.ts'

/** Arbitrary key that other programs are unlikely to lock; the same in every version. */
const lockKey = 7_303_014_926

/**
 * Applies pending migrations. Instances that start concurrently wait for each other. Each
 * migration is one transaction, so an interrupted start never leaves a partial one.
 *
 * @returns true if any migration was applied.
 * @throws PlatformError `DATABASE_INCOMPATIBLE` if a newer version changed the database,
 * or a migration was edited after it was applied.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[] = known,
): Promise<boolean> {
  if (await isCurrent(client, migrations)) return false
  await client.query(`select pg_advisory_lock(${lockKey})`)
  try {
    await client.query(`
      create schema if not exists servicekit;
      create table if not exists servicekit.migrations (
        id text primary key, hash text not null, applied_at timestamptz not null default now()
      );
    `)
    const pending = pendingOf(migrations, await readApplied(client))
    for (const migration of pending) await apply(client, migration)
    return pending.length > 0
  } finally {
    await client.query(`select pg_advisory_unlock(${lockKey})`)
  }
}

/**
 * Checks for pending migrations with one query and without a lock, which suffices for
 * most starts.
 */
async function isCurrent(client: pg.ClientBase, migrations: readonly Migration[]) {
  const applied = await readApplied(client).catch((error: { code?: string }) => {
    if (error.code === undefinedTable || error.code === undefinedSchema) return undefined
    throw error
  })
  return applied !== undefined && pendingOf(migrations, applied).length === 0
}

const undefinedTable = '42P01'
const undefinedSchema = '3F000'

async function readApplied(client: pg.ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; hash: string }>(
    'select id, hash from servicekit.migrations',
  )
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

/** Returns the migrations that are not applied yet. */
export function pendingOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): readonly Migration[] {
  const ids = new Set(migrations.map(({ id }) => id))
  const foreign = [...applied.keys()].filter((id) => !ids.has(id))
  if (foreign.length > 0) {
    throw new PlatformError('DATABASE_INCOMPATIBLE', 'A newer version changed this database.', {
      details: { unknown: foreign.join(', ') },
      help: 'Start that version, or give this one a database of its own.',
    })
  }
  for (const migration of migrations) {
    const hash = applied.get(migration.id)
    if (hash !== undefined && hash !== hashOf(migration)) {
      throw new PlatformError(
        'DATABASE_INCOMPATIBLE',
        'A migration differs from the one that was applied to this database.',
        { details: { migration: migration.id } },
      )
    }
  }
  return migrations.filter(({ id }) => !applied.has(id))
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into servicekit.migrations (id, hash) values ($1, $2)', [
      migration.id,
      hashOf(migration),
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new PlatformError('DATABASE_FAILED', 'A migration could not be applied.', {
      cause,
      details: { migration: migration.id },
    })
  }
}
