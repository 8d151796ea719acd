import type { Migration } from './migration.ts'

/**
 * Replaces the counters of requests and of failed attempts with token buckets, shared by all
 * instances; they may be lost in a crash. `full_at` is in ms.
 */
export const rateLimits: Migration = {
  id: '0410-rate-limits',
  sql: `
    create unlogged table servicekit.rate_limits (
      key text primary key,
      full_at double precision not null
    );
    create index on servicekit.rate_limits (full_at);
    drop table servicekit.rate_windows, servicekit.failed_attempts;
  `,
}
