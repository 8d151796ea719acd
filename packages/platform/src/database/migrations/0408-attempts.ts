import type { Migration } from './migration.ts'

/**
 * Adds counters of failed attempts to guess a secret, shared by all instances; they may
 * be lost in a crash. They replace account locking.
 */
export const attempts: Migration = {
  id: '0408-attempts',
  sql: `
    create unlogged table servicekit.failed_attempts (
      hash text primary key,
      failures int not null,
      last_at bigint not null
    );
    create index on servicekit.failed_attempts (last_at);
    alter table servicekit.users drop column failed_count, drop column locked_until;
  `,
}
