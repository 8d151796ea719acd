import { isolate, type Migration } from './migration.ts'

/**
 * Project directory. `projects` has no row-level security, because it maps keys to
 * projects, and its version counters tell every process whether its caches are current.
 * `sources` stores the hash of each project file that was loaded, so that a restart
 * applies changes in the folder and keeps edits made elsewhere.
 *
 * No table has foreign keys. Rows are written in the scope of their project, which the
 * policies check, and the triggers of foreign keys would take a third of the time of a
 * first start. Removing a project must therefore empty every table (`projectTables`).
 */
export const projects: Migration = {
  id: '0001-projects',
  sql: `
    create table servicekit.projects (
      id int generated always as identity primary key,
      key text not null unique check (length(key) between 1 and 64),
      name text not null,
      organization_id text not null,
      fallback text not null,
      dialect json not null,
      texts_version bigint not null default 1,
      schemas_version bigint not null default 1,
      created_at timestamptz not null default now()
    );
    create table servicekit.sources (
      project_id int not null,
      path text not null,
      hash text not null,
      primary key (project_id, path)
    );
    ${isolate('sources')}
  `,
}
