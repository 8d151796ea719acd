import type { Migration } from './migration.ts'

/** Adds the row that readiness probes write. */
export const heartbeats: Migration = {
  id: '0409-heartbeats',
  sql: `
    create table servicekit.heartbeats (
      id int primary key,
      beat_at timestamptz not null
    );
  `,
}
