import { eq, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database/database.ts'
import { pendingMigrations } from '../src/database/migrate.ts'
import { missingPattern } from '@servicekit/contract'
import { missingValue } from '../src/database/migrations/initial/translations.ts'
import { hashOf, migrations } from '../src/database/migrations/index.ts'
import { openDatabase } from '../src/database/open-database.ts'
import * as tables from '../src/database/tables.ts'
import { onEachEngine } from '@servicekit/testing/engines'

/** A row of each isolated table; `$1` is the project's id. */
const rows: Record<string, string> = {
  sources: `(project_id, path, hash) values ($1, 'p', 'h')`,
  languages: `(project_id, item_id, name, code, is_default, position) values ($1, 'i', 'n', 'c', true, 1)`,
  modules: `(project_id, item_id, name, position) values ($1, 'i', 'n', 1)`,
  keys: `(project_id, module_id, key) values ($1, 1, 'k')`,
  texts: `(project_id, module_id, language_id, key_id, value)
    values ($1, $1, $1, $1, 'v')`,
  text_history: `(project_id, module, key, language, actor) values ($1, 'm', 'k', 'l', 'a')`,
  data_schemas: `(project_id, position, name, definition) values ($1, 1, 'n', '{}')`,
  records: `(project_id, schema_name, item_id, created_date, last_updated_date, data)
    values ($1, 's', 'i', now(), now(), '{}')`,
  organizations: `(project_id, item_id, created_date, last_updated_date, name)
    values ($1, 'i', now(), now(), 'n')`,
  users: `(project_id, item_id, created_date, last_updated_date, email, user_name, active, is_verified)
    values ($1, 'i', now(), now(), 'e', 'n', true, true)`,
  memberships: `(project_id, user_id, organization_id, position) values ($1, 'u', 'o', 1)`,
  roles: `(project_id, item_id, created_date, last_updated_date, slug, name)
    values ($1, 'i', now(), now(), 's', 'n')`,
  permissions: `(project_id, item_id, created_date, last_updated_date, name)
    values ($1, 'i', now(), now(), 'n')`,
  clients: `(project_id, client_id, name) values ($1, 'c', 'n')`,
  one_time_codes: `(project_id, hash, user_id, expires_at) values ($1, 'h', 'u', now())`,
  mails: `(project_id, item_id, recipient, purpose, subject, body, created_date)
    values ($1, 'i', 'r', 'p', 's', 'b', now())`,
  oidc_states: `(project_id, kind, hash, payload, expires_at) values ($1, 'k', 'h', '{}', now())`,
  sessions: `(project_id, hash, session_id, user_id, client_id, grant_id, created_at,
    last_activity_at, idle_expires_at, absolute_expires_at)
    values ($1, 'h', 's', 'u', 'c', 'g', now(), now(), now(), now())`,
  secrets: `(project_id, name, value) values ($1, 'n', '{}')`,
  drafts: `(project_id, module_id, language_id, key) values ($1, $1, $1, 'k')`,
  needed_reviews: `(project_id, module_id, key, language_ids) values ($1, $1, 'k', array[$1])`,
  source_changes: `(project_id, module_id, key, language_id, original)
    values ($1, $1, 'k', $1, 'o')`,
  comments: `(project_id, module_id, key, text, actor, at) values ($1, $1, 'k', 't', 'a', now())`,
  assignments: `(project_id, module_id, key, language_id, person) values ($1, $1, 'k', $1, 'p')`,
  translation_jobs: `(project_id, item_id, request, created_at) values ($1, 'i', '{}', now())`,
  schema_drafts: `(project_id, name) values ($1, 'n')`,
  tools: `(project_id, item_id, name, description, auth, created_at, updated_at)
    values ($1, 'i', 'n', '', '{}', now(), now())`,
  agents: `(project_id, item_id, name, status, tool_ids) values ($1, 'i', 'n', 'active', '{}')`,
  tool_flows: `(project_id, state_hash, tool_id, expires_at) values ($1, 'h', 'i', now())`,
  tool_tokens: `(project_id, tool_id, access_token, token_type, received_at)
    values ($1, 'i', 'a', 'Bearer', now())`,
  knowledge: `(project_id, agent_id, question, answer, created_at) values ($1, 'a', '', '', now())`,
  question_words: `(project_id, word, agent_id, question_id)
    values ($1, 'w', 'a', (select max(id) from servicekit.knowledge))`,
  webhooks: `(project_id, item_id, url, content_type, is_disabled, signing_secret, created_at,
    updated_at) values ($1, 'i', 'u', 'c', false, 's', now(), now())`,
  deliveries: `(project_id, message_id, kind, body, created_at) values ($1, 'm', 'k', '{}', now())`,
  attempts: `(project_id, delivery_id, made_at, url, duration_ms)
    values ($1, (select max(id) from servicekit.deliveries), now(), 'u', 1)`,
  stored_files: `(project_id, item_id, name, system_name, access_modifier, meta_data, module_name,
    configuration_name, created_date, last_updated_date)
    values ($1, 'i', 'n', 's', 'Public', '{}', 8, 'c', now(), now())`,
}
const isolated = Object.keys(rows)

/** Tables and indexes that are not divided by project, with the reason. */
const acrossProjects: Readonly<Record<string, string>> = {
  audit: 'stays when a project is removed',
  heartbeats: 'has one row',
  jobs: 'is read across projects, and refers to rows of theirs',
  migrations: 'has a row for each migration',
  projects: 'has one row for each project',
  rate_limits: 'belongs to addresses of clients',
  texts_similar: 'begins with the language, which belongs to one project',
}

onEachEngine((engine) => {
  let database: Database
  let ids: [number, number]
  const rowOf = (table: string, id: number) =>
    sql.raw(`insert into servicekit.${table} ${rows[table]!.replaceAll('$1', String(id))}`)
  beforeAll(async () => {
    database = await openDatabase(await engine.location())
    const made = await database.unscoped
      .insert(tables.projects)
      .values(
        ['A', 'B'].map((key) => ({
          key,
          name: key,
          organizationId: '',
          fallback: '',
          dialect: {} as never,
        })),
      )
      .returning()
    ids = [made[0]!.id, made[1]!.id]
    await database.scoped(ids[0], async (scope) => {
      for (const table of isolated) await scope.execute(rowOf(table, ids[0]))
    })
  })
  afterAll(() => database?.close())

  it('has the columns of the table definitions, with the same types', async () => {
    const definitions = Object.values(tables).filter((value) => value instanceof PgTable)
    const declared = definitions.flatMap((table) => {
      const { name, columns } = getTableConfig(table)
      return columns.map((column) =>
        [name, column.name, column.getSQLType(), column.notNull].join(' '),
      )
    })
    const { rows: found } = await database.unscoped.execute<{ column: string }>(sql`
      select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then 'true' else 'false' end) as column
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'servicekit'::regnamespace and c.relkind = 'r' and a.attnum > 0`)
    expect(found.map(({ column }) => column)).toEqual(expect.arrayContaining(declared))
    expect(declared.length).toBeGreaterThan(80)
  })

  it('isolates every table that has a project_id, from its owner too', async () => {
    const { rows: found } = await database.unscoped.execute<{ name: string }>(sql`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'servicekit'::regnamespace and c.relkind = 'r'
        and a.attname = 'project_id' and c.relrowsecurity and c.relforcerowsecurity`)
    expect(found.map(({ name }) => name).sort()).toEqual(isolated.toSorted())
    const { rows: all } = await database.unscoped.execute(sql`
      select from information_schema.columns
      where table_schema = 'servicekit' and column_name = 'project_id'`)
    expect(all).toHaveLength(isolated.length)
  })

  it('keeps the rows of a project together in every table and index', async () => {
    const { rows: found } = await database.unscoped.execute<{ table: string; index: string }>(sql`
      select t.relname as table, c.relname as index
      from pg_class t
      join pg_index i on i.indrelid = t.oid
      join pg_class c on c.oid = i.indexrelid
      left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
      where t.relnamespace = 'servicekit'::regnamespace and t.relkind = 'r'
        and a.attname is distinct from 'project_id'`)
    const names = found.map(({ table, index }) => (isolated.includes(table) ? index : table))
    expect([...new Set(names)].toSorted()).toEqual(Object.keys(acrossProjects))
    const { rows: withoutKey } = await database.unscoped.execute(sql`
      select from pg_class t where t.relnamespace = 'servicekit'::regnamespace and t.relkind = 'r'
        and not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`)
    expect(withoutKey).toEqual([])
  })

  it('runs requests in a role that is subject to row-level security', async () => {
    const { rows: found } = await database.unscoped.execute(sql`
      select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`)
    expect(found).toEqual([{ bypasses: false }])
    const denied = database.unscoped.execute(sql`select * from servicekit.migrations`)
    await expect(denied).rejects.toMatchObject({
      cause: { message: expect.stringContaining('permission denied') },
    })
  })

  describe.each(isolated)('%s', (table) => {
    const count = async (scope: Pick<Database['unscoped'], 'execute'>) => {
      const { rows: found } = await scope.execute<{ n: number }>(
        sql`select count(*)::int as n from servicekit.${sql.raw(table)}`,
      )
      return found[0]!.n
    }

    it('shows rows to their project only', async () => {
      expect(await database.scoped(ids[0], count)).toBe(1)
      expect(await database.scoped(ids[1], count)).toBe(0)
      expect(await count(database.unscoped)).toBe(0)
    })

    it('cannot be written for another project', async () => {
      const foreign = database.scoped(ids[1], (scope) => scope.execute(rowOf(table, ids[0])))
      await expect(foreign).rejects.toThrow(/row-level security|null value/)
      const unscoped = database.unscoped.execute(rowOf(table, ids[0]))
      await expect(unscoped).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/row-level security|null value/) },
      })
    })

    it('cannot be updated or deleted from another project', async () => {
      const changed = await database.scoped(ids[1], async (scope) => {
        const updated = await scope.execute(
          sql`update servicekit.${sql.raw(table)} set project_id = ${ids[1]}`,
        )
        const removed = await scope.execute(sql`delete from servicekit.${sql.raw(table)}`)
        return [updated.rowCount, removed.rowCount]
      })
      expect(changed).toEqual([0, 0])
      expect(await database.scoped(ids[0], count)).toBe(1)
    })
  })

  it('removes the rows of a project from every table with it', async () => {
    const [removed] = await database.unscoped
      .insert(tables.projects)
      .values({ key: 'R', name: '', organizationId: '', fallback: '', dialect: {} as never })
      .returning()
    const { id } = removed!
    const countAll = () =>
      database.asOwner(true, async (client) => {
        const counts = isolated.map((name) => `select count(*)::int as n from servicekit.${name}`)
        const { rows: found } = await client.query<{ n: number }>(
          counts.map((count) => `${count} where project_id = ${id}`).join(' union all '),
        )
        return found.map(({ n }) => n)
      })
    await database.scoped(id, async (scope) => {
      for (const table of isolated) await scope.execute(rowOf(table, id))
    })
    expect(await countAll()).toEqual(isolated.map(() => 1))
    await database.unscoped.delete(tables.projects).where(eq(tables.projects.id, id))
    expect(await countAll()).toEqual(isolated.map(() => 0))
  })

  it('leaves the scope when it succeeds or fails', async () => {
    await database.scoped(ids[0], async () => {})
    await database
      .scoped(ids[0], async () => {
        throw new Error('no')
      })
      .catch(() => {})
    const { rows: found } = await database.unscoped.execute(sql`select * from servicekit.languages`)
    expect(found).toEqual([])
  })

  it('rolls back a scope that fails, and rejects writes in a read-only one', async () => {
    const insert = (scope: Database['unscoped']) =>
      scope.execute(
        sql`insert into servicekit.sources (project_id, path, hash) values (${ids[1]}, 'x', 'x')`,
      )
    const failing = database.scoped(ids[1], async (scope) => {
      await insert(scope)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await expect(database.scoped(ids[1], insert, { isReadOnly: true })).rejects.toThrow(
      'read-only transaction',
    )
    const left = await database.scoped(ids[1], (scope) => scope.select().from(tables.sources))
    expect(left).toEqual([])
  })

  it('runs statements with large values, and many at once', async () => {
    const large = 'x'.repeat(3_000_000)
    const { rows: found } = await database.unscoped.execute<{ t: string }>(
      sql`select ${large}::text as t`,
    )
    expect(found[0]!.t.length).toBe(large.length)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        database.unscoped.execute<{ n: number }>(sql`select ${index}::int as n`),
      ),
    )
    expect(results.map(({ rows: [row] }) => row!.n)).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    )
  })

  it('runs statements after one that failed', async () => {
    await expect(database.unscoped.execute(sql`select 1/0`)).rejects.toMatchObject({
      cause: { message: 'division by zero' },
    })
    await expect(database.unscoped.execute(sql`syntax error`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('syntax error') },
    })
    expect((await database.unscoped.execute(sql`select 1 as n`)).rows).toEqual([{ n: 1 }])
  })

  it.skipIf(engine.name === 'PGlite')('cancels a statement after its timeout', async () => {
    const slow = database.scoped(ids[0], (scope) => scope.execute(sql`select pg_sleep(5)`), {
      statementTimeoutMs: 50,
    })
    await expect(slow).rejects.toMatchObject({ code: '57014' })
  })

  it.skipIf(engine.name === 'PGlite')(
    'is migrated once by instances that start concurrently',
    async () => {
      const location = await engine.location()
      const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(location)))
      const client = new Client(location.databaseUrl)
      await client.connect()
      const { rows: found } = await client.query('select id from servicekit.migrations order by id')
      expect(found.map(({ id }) => id)).toEqual(migrations.map(({ id }) => id))
      await client.end()
      await Promise.all(opened.map((one) => one.close()))
    },
  )

  it.skipIf(engine.name === 'PGlite')(
    'isolates projects from an owner who may not create roles',
    async () => {
      const { databaseUrl } = await engine.location()
      const url = new URL(databaseUrl!)
      const name = `owner_${url.pathname.slice(-12)}`
      const client = new Client(databaseUrl)
      await client.connect()
      await client.query(`create role ${name} login password 'password' nosuperuser nocreaterole`)
      await client.query(`grant create on database ${url.pathname.slice(1)} to ${name}`)
      url.username = name
      url.password = 'password'
      const own = await openDatabase({ databaseUrl: url.href })
      try {
        const { rows: found } = await own.unscoped.execute(sql`select current_user as name`)
        expect(found).toEqual([{ name }])
        const [made] = await own.unscoped
          .insert(tables.projects)
          .values({ key: 'O', name: '', organizationId: '', fallback: '', dialect: {} as never })
          .returning()
        const id = made!.id
        await own.scoped(id, (scope) => scope.execute(rowOf('modules', id)))
        expect(await own.scoped(id, (scope) => scope.select().from(tables.modules))).toHaveLength(1)
        expect(await own.scoped(id + 1, (scope) => scope.select().from(tables.modules))).toEqual([])
        await own.unscoped.delete(tables.projects).where(eq(tables.projects.id, id))
        const left = await client.query('select from servicekit.modules')
        expect(left.rowCount).toBe(0)
      } finally {
        await own.close()
        await client.query(`drop owned by ${name} cascade`)
        await client.query(`drop role ${name}`)
        await client.end()
      }
    },
  )
})

describe('migrations', () => {
  const applied = new Map(migrations.map((migration) => [migration.id, hashOf(migration)]))

  it('recognise a missing translation like the contract', () => {
    expect(missingValue).toBe(missingPattern)
  })

  it('returns the migrations that are not applied', () => {
    expect(pendingMigrations(migrations, new Map())).toEqual(migrations)
    expect(pendingMigrations(migrations, applied)).toEqual([])
  })

  it.each(['9999-future', '0001-projects'])('rejects a database with %s', (id) => {
    const other = new Map([...applied, [id, 'x']])
    expect(() => pendingMigrations(migrations, other)).toThrow(
      new RegExp(`A newer version of Servicekit[^]*${id}[^]*restore a backup`),
    )
  })

  it('rejects a database to which another form of a migration was applied', () => {
    const edited = new Map([...applied, [migrations[0]!.id, 'x']])
    expect(() => pendingMigrations(migrations, edited)).toThrow(/differs[^]*0001-initial/)
  })
})
