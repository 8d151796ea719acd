import type { Migration } from './migration.ts'

/** Adds the origins of a project's browser applications. */
export const projectOrigins: Migration = {
  id: '0407-project-origins',
  sql: `
    alter table servicekit.projects add column origins text[] not null default '{}';
  `,
}
