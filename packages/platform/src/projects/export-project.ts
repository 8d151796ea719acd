import { parseExactJson } from '@servicekit/core/exact-json'
import { sql } from 'drizzle-orm'
import { readSchemas } from '../data/schemas.ts'
import { systemFields } from '../data/system-fields.ts'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'
import { decrypt } from '@servicekit/core/node'
import { readSettings } from '../identity/settings.ts'
import { readCatalog } from '../localization/catalog.ts'
import { readDrafts } from '../localization/drafts.ts'
import type { Services } from '../services.ts'
import type { Project } from './project-directory.ts'
import { rowTables } from './parse-project.ts'
import { mapRowSecrets } from './row-secrets.ts'

/**
 * Exports the contents of a project's files, its drafts, and the rows of users, tools,
 * uploaded files and similar tables; the bytes of files are exported one by one. Two
 * exports of the same data are equal.
 *
 * @param hasSecrets includes password hashes and the secrets of clients, webhooks and tools.
 * Without them, the importing platform needs new ones.
 */
export function exportProject(
  { database, secret: secretOf }: Services,
  project: Project,
  hasSecrets: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  return database.scoped(
    project.id,
    async (tables) => ({
      name: project.name,
      projectKey: project.key,
      organizationId: project.organizationId,
      fallback: project.fallback,
      dialect: project.dialect,
      origins: project.origins,
      ...catalogOf(await readCatalog(tables)),
      schemas: await readSchemas(tables),
      texts: await readTranslations(tables),
      records: await readRecords(tables),
      identity: { settings: await readSettings(tables) },
      drafts: await readDrafts(tables),
      rows: await readRows(tables, project.id, hasSecrets, await secretOf()),
    }),
    { isReadOnly: true },
  )
}

const catalogOf = ({ languages, modules }: Awaited<ReturnType<typeof readCatalog>>) => ({
  languages: languages.map(({ itemId, name, code, isDefault }) => ({
    itemId,
    languageName: name,
    languageCode: code,
    isDefault,
  })),
  modules: modules.map(({ itemId, name }) => ({ itemId, moduleName: name })),
})

async function readTranslations(tables: Tables) {
  const { rows } = await tables.execute<{ l: string; m: string; k: string; v: string | null }>(sql`
    select l.code as l, m.name as m, k.key as k, t.value as v from servicekit.texts t
    join servicekit.languages l on l.id = t.language_id
    join servicekit.modules m on m.id = t.module_id
    join servicekit.keys k on k.id = t.key_id
    order by l.position, m.position, k.key collate "C"`)
  const texts: Record<string, Record<string, Record<string, string | null>>> = emptyObject()
  for (const { l, m, k, v } of rows) ((texts[l] ??= emptyObject())[m] ??= emptyObject())[k] = v
  return texts
}

/** Creates an object without a prototype, in which any name is safe. */
const emptyObject = <T>(): Record<string, T> => Object.create(null) as Record<string, T>

const systemMembers = systemFields.flatMap(({ name, column, type }, index) => [
  sql.raw(`${index > 0 ? ', ' : ''}'${name}', `),
  type === 'DateTime' ? isoTime(column) : sql.raw(column),
])

async function readRecords(tables: Tables) {
  const { rows } = await tables.execute<{ schema: string; record: string }>(sql`
    select schema_name as schema, (data || jsonb_build_object(${sql.join(systemMembers)}))::text as record
    from servicekit.records order by schema_name collate "C", seq`)
  const records: Record<string, unknown[]> = emptyObject()
  for (const { schema, record } of rows) (records[schema] ??= []).push(parseExactJson(record))
  return records
}

async function readRows(
  tables: Tables,
  projectId: number,
  hasSecrets: boolean,
  secret: string | undefined,
) {
  const all: Record<string, readonly object[]> = {}
  for (const [name, order] of rowTables) {
    const { rows } = await tables.execute<{ row: Record<string, unknown> }>(sql`
      select to_jsonb(t) - 'project_id' - 'seq' - 'id' - 'words' as row
      from servicekit.${sql.raw(name)} t
      ${name === 'stored_files' ? sql`where stored_at is not null` : sql``}
      order by ${sql.raw(`${order}, to_jsonb(t)::text`)} collate "C"`)
    all[name] = rows.map(({ row }) =>
      hasSecrets
        ? mapRowSecrets(name, row, projectId, (text, context) => decrypt(text, secret, context))
        : withoutSecrets(row),
    )
  }
  return all
}

const secretColumns = [
  'password_hash',
  'secret_hash',
  'previous_secret_hash',
  'secret',
  'signing_secret',
]

function withoutSecrets(row: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...row }
  for (const name of secretColumns) if (name in copy) copy[name] = null
  const { auth } = copy
  if (typeof auth === 'object' && auth !== null && 'clientSecret' in auth) {
    const { clientSecret: _, ...rest } = auth
    copy['auth'] = rest
  }
  return copy
}
