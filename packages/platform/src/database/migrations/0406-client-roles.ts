import type { Migration } from './migration.ts'

/** Adds the roles of machine clients: none by default. */
export const clientRoles: Migration = {
  id: '0406-client-roles',
  sql: `alter table servicekit.clients add column roles text[] not null default '{}';`,
}
