import { auditLog } from './initial/audit.ts'
import { dataTables } from './initial/data.ts'
import { findToken } from './initial/find-token.ts'
import { identityTables } from './initial/identity.ts'
import { projectTables } from './initial/projects.ts'
import { serviceTables } from './initial/services.ts'
import { singleStatements } from './initial/single-statements.ts'
import { sourceChanges } from './initial/source-changes.ts'
import { translationTables } from './initial/translations.ts'

/**
 * All tables, hand-written: drizzle-kit cannot express `force row level security`, unlogged
 * tables and initial rows. The definitions for typed queries name only the columns that
 * they use; a test compares them with these tables.
 *
 * Everything that belongs to a project is removed with it, by foreign keys: tables refer to the
 * project, or to a table that does. Row-level security leaves to an index only comparisons of columns
 * by operators that are leakproof. An expression such as `lower(email)` and operators such as `@@`
 * are not, so that generated columns are compared instead. Keys and indexes begin with the project,
 * because PostgreSQL may otherwise look for the rows of a project among those of all projects; those
 * named `…_expiry` serve the removal of expired rows.
 */
export const initial = `
  -- Both are part of PostgreSQL and trusted: the owner of a database may create them.
  create extension if not exists pg_trgm;
  create extension if not exists btree_gist;
  ${projectTables}
  ${translationTables}
  ${dataTables}
  ${identityTables}
  ${serviceTables}

  -- Limits each transaction to the rows of its project. "force" includes the owner, for
  -- installations without the application's role. A sub-select runs once for each statement
  -- instead of once for each row.
  do $$ declare name text; begin
    for name in
      select table_name from information_schema.columns
      where table_schema = 'servicekit' and column_name = 'project_id'
    loop
      execute format('alter table servicekit.%I enable row level security', name);
      execute format('alter table servicekit.%I force row level security', name);
      execute format('create policy project on servicekit.%I using (project_id =
        (select nullif(current_setting(''servicekit.project'', true), '''')::int))', name);
    end loop;
  end $$;

  ${sourceChanges}
  ${findToken}
  ${singleStatements}
  ${auditLog}

  -- The project that the uilm routes serve if the project header is absent (section 4.6).
  insert into servicekit.projects (key, name, organization_id, fallback, dialect)
  values ('servicekit-shared', 'Shared', '', 'en-US', '{}');
  select set_config('servicekit.project', id::text, true) from servicekit.projects;
  insert into servicekit.languages (project_id, item_id, name, code, is_default, position)
  select id, '00000000-0000-4000-8000-000000000001', 'English (United States)', 'en-US', true, 1
  from servicekit.projects;
`
