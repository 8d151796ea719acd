import { hashOf, migrations } from '../src/database/migrations/index.ts'

/** Statements that create the database of an earlier version, with the first `count` migrations. */
export const earlierSchema = (count: number): string => `
  create schema servicekit;
  create table servicekit.migrations (
    id text primary key, hash text not null, applied_at timestamptz not null default now()
  );
  ${migrations
    .slice(0, count)
    .map(
      (migration) => `${migration.sql};
        insert into servicekit.migrations (id, hash)
        values ('${migration.id}', '${hashOf(migration)}');`,
    )
    .join('\n')}`

/** Statements that add the project P with 1,000 languages to any version. */
export const manyLanguages = `
  insert into servicekit.projects (key, name, organization_id, fallback, dialect)
  values ('P', 'Shop', 'org', 'en', '{}');
  insert into servicekit.languages (project_id, item_id, name, code, position, is_default)
  select p.id, 'l' || n, 'Language ' || n, 'l' || n, n, n = 0
  from servicekit.projects p, generate_series(0, 999) n;`
