import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { join } from 'node:path'
import { Client } from 'pg'
import { hashOf, migrations } from '../../platform/src/database/migrations/index.ts'
import type { PlatformOptions } from '../../platform/src/index.ts'

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

/**
 * Statement that adds a row of the project P with a value in each column to every table. Not
 * jobs, which the platform would run, and rate limits, which a crash may remove.
 */
export const rowInEveryTable = `
  do $$ declare name text; columns text; row_values text; begin
    for name in
      select table_name from information_schema.tables where table_schema = 'servicekit'
        and table_name not in ('migrations', 'projects', 'jobs', 'rate_limits')
    loop
      select string_agg(format('%I', column_name), ', '), string_agg(format('%L', case
        when column_name = 'project_id'
          then (select id::text from servicekit.projects where key = 'P')
        when data_type = 'ARRAY' then '{1}'
        when data_type in ('json', 'jsonb') then '{"a": 1}'
        when data_type = 'boolean' then 'true'
        when data_type = 'uuid' then '00000000-0000-4000-8000-000000000009'
        when data_type like 'timestamp%' then '2026-01-02T03:04:05Z'
        when data_type = 'text' then column_name
        else '1' end), ', ')
      into columns, row_values
      from information_schema.columns where table_schema = 'servicekit' and table_name = name
        and is_identity = 'NO' and is_generated = 'NEVER';
      execute format('insert into servicekit.%I (%s) values (%s)', name, columns, row_values);
    end loop;
  end $$;`

type Location = Pick<PlatformOptions, 'databaseUrl' | 'dataDir'>

/** Runs statements and returns the rows of the last one. */
type Run = (statements: string) => Promise<readonly Record<string, unknown>[]>

/** Runs `work` on the database of a server or of a data folder, without a platform. */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Location,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  if (databaseUrl === undefined) {
    const pglite = await PGlite.create({
      dataDir: join(dataDir!, 'pgdata'),
      extensions: { btree_gist, pg_trgm },
    })
    const run: Run = async (sql) => (await pglite.exec(sql)).at(-1)!.rows
    return work(run).finally(() => pglite.close())
  }
  const client = new Client(databaseUrl)
  await client.connect()
  const run: Run = async (sql) => [await client.query(sql)].flat().at(-1)!.rows
  return work(run).finally(() => client.end())
}

/** Returns the rows of every table except that of the migrations. */
export async function rowsOf(run: Run): Promise<Record<string, unknown>> {
  const tables = await run(`
    select table_name as name from information_schema.tables
    where table_schema = 'servicekit' and table_name <> 'migrations'`)
  const found: Record<string, unknown> = {}
  for (const { name } of tables) {
    const rows = await run(`
      select to_jsonb(t) as row from servicekit.${name} t order by to_jsonb(t)::text`)
    found[String(name)] = rows.map(({ row }) => row)
  }
  return found
}
