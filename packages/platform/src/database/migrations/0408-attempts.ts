import type { Migration } from './migration.ts'

/**
 * Adds failed attempts to guess a secret, which all instances count together and
 * a crash may forget. They replace the lock of an account.
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
