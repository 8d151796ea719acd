import type pg from 'pg'
import { PlatformError } from '../errors.ts'
import { changeTables, type OnNotice } from './lock-timeout.ts'
import { hashOf, type Migration, migrations as all } from './migrations/index.ts'

/** Arbitrary key that other programs are unlikely to lock; the same in every version. */
const lockKey = 7_303_014_926

export interface MigrateOptions {
  /** Only looks for migrations. */
  readonly dryRun?: boolean
  /** Called while a migration waits for other sessions. */
  readonly onNotice?: OnNotice | undefined
}

/**
 * Applies pending migrations. Instances that start concurrently wait for each other. Each
 * migration is one transaction, so an interrupted start never leaves a partial one.
 *
 * @returns the ids of the pending migrations.
 * @throws PlatformError `DATABASE_INCOMPATIBLE` if a newer version changed the database, or
 * a migration was edited after it was applied.
 */
export async function migrate(
  client: pg.ClientBase,
  { dryRun = false, onNotice = () => {} }: MigrateOptions = {},
): Promise<readonly string[]> {
  // Most databases are up to date, which one query without a lock finds out.
  const found = pendingMigrations(all, await readApplied(client))
  if (dryRun || found.length === 0) return found.map(({ id }) => id)
  return withMigrationLock(client, async () => {
    await client.query(`
      create schema if not exists servicekit;
      create table if not exists servicekit.migrations (
        id text primary key, hash text not null, applied_at timestamptz not null default now()
      );
    `)
    const applied = await readApplied(client)
    const pending = pendingMigrations(all, applied)
    const replacement = replacedBy(all, applied)
    for (const migration of pending) {
      await apply(client, migration, migration === replacement, onNotice)
    }
    return pending.map(({ id }) => id)
  })
}

/** Changes tables and privileges while no other instance does. */
export async function withMigrationLock<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`select pg_advisory_lock(${lockKey})`)
  try {
    return await work()
  } finally {
    await client.query(`select pg_advisory_unlock(${lockKey})`)
  }
}

async function readApplied(client: pg.ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows: found } = await client.query(`
    select from pg_tables where schemaname = 'servicekit' and tablename = 'migrations'`)
  if (found.length === 0) return new Map()
  const { rows } = await client.query<{ id: string; hash: string }>(
    'select id, hash from servicekit.migrations',
  )
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

/**
 * Returns the migrations that are not applied.
 *
 * @param applied hashes of the applied migrations by id.
 * @throws PlatformError `DATABASE_INCOMPATIBLE`
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): readonly Migration[] {
  if (replacedBy(migrations, applied)) return migrations
  const known = new Map(migrations.map((migration) => [migration.id, hashOf(migration)]))
  const former = migrations.flatMap(({ replaces }) => [...(replaces?.hashes ?? [])])
  const isFormer = former.some(([id, hash]) => applied.get(id) === hash)
  if (isFormer) {
    throw new PlatformError(
      'DATABASE_INCOMPATIBLE',
      'A version before the first release wrote this database, and not the last one.',
      {
        details: { lastMigration: [...applied.keys()].toSorted().at(-1)! },
        help: 'Export its projects with the version that wrote it (`servicekit export`), and import them into an empty database with this one (`servicekit import`).',
      },
    )
  }
  const unknown = [...applied.keys()].filter((id) => !known.has(id))
  if (unknown.length > 0) {
    throw new PlatformError(
      'DATABASE_INCOMPATIBLE',
      'A newer version of Servicekit changed this database.',
      {
        details: { unknownMigrations: unknown.join(', ') },
        help: 'Install that version or a later one. To go back, restore a backup from before the upgrade: migrations are not reverted.',
      },
    )
  }
  for (const [id, hash] of applied) {
    if (hash !== known.get(id)) {
      throw new PlatformError(
        'DATABASE_INCOMPATIBLE',
        'A migration differs from the one that was applied to this database.',
        {
          details: { migration: id },
          help: 'Start the version that created it, or use an empty database or data folder.',
        },
      )
    }
  }
  return migrations.filter(({ id }) => !applied.has(id))
}

/** Returns the migration that replaces the applied ones, if exactly those are applied. */
const replacedBy = (
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Migration | undefined =>
  migrations.find(
    ({ replaces }) =>
      replaces?.hashes.size === applied.size &&
      [...replaces.hashes].every(([id, hash]) => applied.get(id) === hash),
  )

async function apply(
  client: pg.ClientBase,
  migration: Migration,
  isReplacement: boolean,
  onNotice: OnNotice,
): Promise<void> {
  try {
    await changeTables(client, `Migration ${migration.id}`, onNotice, async () => {
      // Extensions are created in the first schema, by default that with the name of the user.
      await client.query('set local search_path to public')
      if (isReplacement) await client.query('delete from servicekit.migrations')
      await client.query(isReplacement ? migration.replaces!.sql : migration.sql)
      await client.query('insert into servicekit.migrations (id, hash) values ($1, $2)', [
        migration.id,
        hashOf(migration),
      ])
    })
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause
    throw new PlatformError('DATABASE_FAILED', 'Cannot apply a migration.', {
      cause,
      details: { migration: migration.id, reason: (cause as Error).message },
    })
  }
}
