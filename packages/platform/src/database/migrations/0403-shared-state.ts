import type { Migration } from './migration.ts'

/**
 * State shared by instances: rate limit counters, which may be lost in a crash, and fault
 * injection rules.
 */
export const sharedState: Migration = {
  id: '0403-shared-state',
  sql: `
    create unlogged table servicekit.rate_windows (
      kind text not null,
      address text not null,
      window_number bigint not null,
      used int not null,
      primary key (kind, address, window_number)
    );
    create table servicekit.fault_rules (
      id text primary key,
      seq bigint generated always as identity,
      rule json not null,
      times_left int
    );
  `,
}
