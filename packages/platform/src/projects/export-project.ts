import { printExactJson } from '@servicekit/core/exact-json'
import { type SQL, sql } from 'drizzle-orm'
import { Readable } from 'node:stream'
import { buffer as collect } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { readSchemas } from '../data/schemas.ts'
import { systemFields } from '../data/system-fields.ts'
import type { Database, Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'
import { readSettings } from '../identity/settings.ts'
import { storedAssignments } from '../localization/assignments.ts'
import { readCatalog } from '../localization/catalog.ts'
import { storedComments } from '../localization/comments.ts'
import { readDrafts } from '../localization/drafts.ts'
import { storedStates } from '../localization/states.ts'
import { rowTables } from './parse-project.ts'
import type { Project } from '../database/project-directory.ts'
import { mapRowSecrets } from './row-secrets.ts'
import { decrypt } from '../secrets.ts'

/** Rows that are read at a time. */
const pageSize = 500

/** Exports projects, one at a time, so that concurrent exports need no more memory than one. */
export function projectExporter(database: Database, secretOf: () => Promise<string | undefined>) {
  let previous: Promise<unknown> = Promise.resolve()
  /**
   * Exports the contents of a project's files, its drafts, and the rows of users, tools,
   * uploaded files and similar tables; the bytes of files are exported one by one. Two
   * exports of the same data are equal.
   *
   * The export is compressed while it is read, and held in memory: its transaction does not wait for
   * the client, which would block the embedded database.
   *
   * @param hasSecrets includes password hashes and the secrets of clients, webhooks and tools.
   * Without them, the importing platform needs new ones.
   * @returns JSON, compressed with gzip.
   */
  return (project: Project, hasSecrets: boolean): Promise<Buffer> => {
    const exported = previous.then(async () => {
      const secret = await secretOf()
      return database.scoped(
        project.id,
        async (tables) => {
          const gzip = createGzip({ level: 1 })
          const parts = Readable.from(exportParts(tables, project, { hasSecrets, secret }))
          const [bytes] = await Promise.all([collect(gzip), pipeline(parts, gzip)])
          return bytes
        },
        { isReadOnly: true },
      )
    })
    previous = exported.catch(() => {})
    return exported
  }
}

/** Queries for members of an export that are lists. */
const stored = {
  states: storedStates,
  comments: storedComments,
  assignments: storedAssignments,
}

interface Secrets {
  readonly hasSecrets: boolean
  readonly secret: string | undefined
}

async function* exportParts(tables: Tables, project: Project, secrets: Secrets): Parts {
  const values = {
    name: project.name,
    projectKey: project.key,
    organizationId: project.organizationId,
    fallback: project.fallback,
    dialect: project.dialect,
    origins: project.origins,
    publishOnlyReviewed: project.publishOnlyReviewed,
    notifyByMail: project.notifyByMail,
    ...catalogOf(await readCatalog(tables)),
    schemas: await readSchemas(tables),
  }
  yield printExactJson(values).slice(0, -1)
  yield ',"texts":{'
  yield* translationParts(tables, project.id)
  yield '},"records":{'
  yield* recordParts(tables, project.id)
  yield '}'
  const identity = { settings: await readSettings(tables) }
  yield `,"identity":${printExactJson(identity)}`
  yield ',"drafts":['
  yield* draftParts(tables)
  yield ']'
  for (const [name, query] of Object.entries(stored)) {
    yield `,"${name}":[`
    yield* elementParts(tables, query(sql`${project.id}::int`))
    yield ']'
  }
  yield ',"rows":{'
  for (const [index, table] of rowTables.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(table[0])}:[`
    yield* rowParts(tables, project.id, table, secrets)
    yield ']'
  }
  yield '}}'
}

/** Pieces of JSON. */
type Parts = AsyncGenerator<string, void>

/** Yields the rows of a query in pages, in the order of the query. */
async function* pagesOf<Row extends Record<string, unknown>>(
  tables: Tables,
  query: SQL,
): AsyncGenerator<readonly Row[]> {
  await tables.execute(sql`declare exported no scroll cursor for ${query}`)
  for (;;) {
    const { rows } = await tables.execute<Row>(sql.raw(`fetch ${pageSize} from exported`))
    if (rows.length > 0) yield rows as readonly unknown[] as readonly Row[]
    if (rows.length < pageSize) break
  }
  await tables.execute(sql`close exported`)
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

/** Yields the translations by language and module. */
async function* translationParts(tables: Tables, projectId: number): Parts {
  // With the project in the statement, PostgreSQL expects as many rows as this one has.
  const query = sql`
    select l.code as l, m.name as m, k.key as k, t.value as v from servicekit.texts t
    join servicekit.languages l on l.project_id = t.project_id and l.id = t.language_id
    join servicekit.modules m on m.project_id = t.project_id and m.id = t.module_id
    join servicekit.keys k on k.project_id = t.project_id and k.id = t.key_id
    where t.project_id = ${projectId}::int
    order by l.position, m.position, k.key collate "C"`
  type Row = {
    readonly l: string
    readonly m: string
    readonly k: string
    readonly v: string | null
  }
  let last: Row | undefined
  for await (const rows of pagesOf<Row>(tables, query)) {
    let text = ''
    for (const row of rows) {
      const [language, module] = [`${JSON.stringify(row.l)}:{`, `${JSON.stringify(row.m)}:{`]
      if (last?.l !== row.l) text += `${last ? '}},' : ''}${language}${module}`
      else text += last.m === row.m ? ',' : `},${module}`
      text += `${JSON.stringify(row.k)}:${JSON.stringify(row.v)}`
      last = row
    }
    yield text
  }
  if (last) yield '}}'
}

/** Yields the drafts a page at a time: printing all of them would keep other requests waiting. */
async function* draftParts(tables: Tables): Parts {
  const drafts = await readDrafts(tables)
  for (let start = 0; start < drafts.length; start += pageSize) {
    const page = drafts.slice(start, start + pageSize).map((draft) => printExactJson(draft))
    yield `${start > 0 ? ',' : ''}${page.join(',')}`
    await setImmediate()
  }
}

const systemMembers = systemFields.flatMap(({ name, column, type }, index) => [
  sql.raw(`${index > 0 ? ', ' : ''}'${name}', `),
  type === 'DateTime' ? isoTime(column) : sql.raw(column),
])

/** Yields the records by schema, as the database prints them: with all digits of numbers. */
async function* recordParts(tables: Tables, projectId: number): Parts {
  const query = sql`
    select schema_name as schema, (data || jsonb_build_object(${sql.join(systemMembers)}))::text as record
    from servicekit.records where project_id = ${projectId}::int
    order by schema_name collate "C", seq`
  type Row = { readonly schema: string; readonly record: string }
  let schema: string | undefined
  for await (const rows of pagesOf<Row>(tables, query)) {
    let text = ''
    for (const row of rows) {
      if (schema === row.schema) text += ','
      else text += `${schema === undefined ? '' : '],'}${JSON.stringify(row.schema)}:[`
      text += row.record
      schema = row.schema
    }
    yield text
  }
  if (schema !== undefined) yield ']'
}

/** Yields the rows of a table as the elements of an array. */
async function* rowParts(
  tables: Tables,
  projectId: number,
  [name, order]: (typeof rowTables)[number],
  { hasSecrets, secret }: Secrets,
): Parts {
  const generated = sql`(select coalesce(array_agg(attname::text), '{}') from pg_attribute
    where attrelid = ${sql.raw(`'servicekit.${name}'`)}::regclass and attgenerated <> '')`
  const query = sql`
    select to_jsonb(t) - 'project_id' - 'seq' - 'id' - ${generated} as row
    from servicekit.${sql.raw(name)} t where project_id = ${projectId}::int
      ${name === 'stored_files' ? sql`and stored_at is not null` : sql``}
    order by ${sql.raw(`${order}, to_jsonb(t)::text`)} collate "C"`
  const decryptSecret: Parameters<typeof mapRowSecrets>[3] = (text, context) =>
    decrypt(text, secret, context)
  yield* elementParts(tables, query, (row) =>
    hasSecrets ? mapRowSecrets(name, row, projectId, decryptSecret) : withoutSecrets(row),
  )
}

type Row = Readonly<Record<string, unknown>>

/** Yields the column `row` of a query as the elements of an array. */
async function* elementParts(
  tables: Tables,
  query: SQL,
  map: (row: Row) => Row = (row) => row,
): Parts {
  let separator = ''
  for await (const rows of pagesOf<{ row: Row }>(tables, query)) {
    yield separator + rows.map(({ row }) => JSON.stringify(map(row))).join(',')
    separator = ','
  }
}

const secretColumns = [
  'password_hash',
  'secret_hash',
  'previous_secret_hash',
  'secret',
  'signing_secret',
]

function withoutSecrets(row: Row): Row {
  const copy: Record<string, unknown> = { ...row }
  for (const name of secretColumns) if (name in copy) copy[name] = null
  const { auth } = copy
  if (typeof auth === 'object' && auth !== null && 'clientSecret' in auth) {
    const { clientSecret: _, ...rest } = auth
    copy['auth'] = rest
  }
  return copy
}
