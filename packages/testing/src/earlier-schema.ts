import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { PlatformOptions } from '@servicekit/platform'

/** Statements that create the database of the version before migrations became one. */
export const earlierSchema = readFileSync(new URL('former-database.sql', import.meta.url), 'utf8')

/** Statements that add the project P with 1,000 languages to any version. */
export const manyLanguages = `
  insert into servicekit.projects (key, name, organization_id, fallback, dialect)
  values ('P', 'Shop', 'org', 'en', '{}');
  insert into servicekit.languages (project_id, item_id, name, code, position, is_default)
  select p.id, 'l' || n, 'Language ' || n, 'l' || n, n, n = 0
  from servicekit.projects p, generate_series(0, 999) n;`

/**
 * Statement that adds a row of the project P with a value in each column to every table. Not
 * jobs, which the platform would run, and rate limits, which a crash may remove. Rows that others
 * refer to come first.
 */
export const rowInEveryTable = `
  do $$ declare name text; columns text; row_values text; begin
    for name in
      select table_name from information_schema.tables where table_schema = 'servicekit'
        and table_name not in ('migrations', 'projects', 'jobs', 'rate_limits')
      order by table_name not in ('tools', 'deliveries')
    loop
      select string_agg(format('%I', column_name), ', '), string_agg(format('%L', case
        when column_name = 'project_id'
          then (select id::text from servicekit.projects where key = 'P')
        when column_name = 'delivery_id' then (select max(id)::text from servicekit.deliveries)
        when column_name = 'tool_id' then 'item_id'
        when data_type = 'ARRAY' then '{1}'
        when data_type in ('json', 'jsonb') then '{"a": 1}'
        when data_type = 'boolean' then 'true'
        when data_type = 'uuid' then '00000000-0000-4000-8000-000000000009'
        when data_type = 'date' then '2026-01-02'
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

/** Returns what defines the schema: columns, constraints, indexes, policies, functions and triggers. */
export async function schemaOf(run: Run): Promise<readonly unknown[]> {
  const rows = await run(`
    select concat_ws(' ', c.oid::regclass, c.relkind, c.relpersistence, c.relrowsecurity,
      c.relforcerowsecurity) as row
    from pg_class c where relnamespace = 'servicekit'::regnamespace
    union all select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod),
      attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid))
    from pg_attribute join pg_class c on c.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'servicekit'::regnamespace and relkind = 'r' and attnum > 0
      and not attisdropped
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'servicekit'::regnamespace and contype <> 'n'
    union all select indexdef from pg_indexes where schemaname = 'servicekit'
    union all select concat_ws(' ', tablename, policyname, roles, cmd, qual, with_check)
    from pg_policies where schemaname = 'servicekit'
    union all select pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'servicekit'::regnamespace
    union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
    where relnamespace = 'servicekit'::regnamespace and not tgisinternal
    union all select concat_ws(' ', extname, extnamespace::regnamespace) from pg_extension
    order by 1`)
  return rows.map(({ row }) => row)
}
