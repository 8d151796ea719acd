import type { Query, Stores } from '@servicekit/platform'
import { PlatformError } from '@servicekit/platform'
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { WantedFile } from './folder.ts'

/** First line of a dump. */
export interface Head {
  readonly migrations: readonly { readonly id: string; readonly hash: string }[]
  /** Next value of each sequence, by table and column. */
  readonly sequences: Readonly<Record<string, string>>
  /** Hash of the secret that encrypts tokens; the restored database needs the same one. */
  readonly secretHash: string | null
  /** That secret, if the platform generated it for a data folder. */
  readonly secret: string | null
}

interface Table {
  readonly name: string
  readonly isOwned: boolean
  /** Columns whose values the database does not compute. */
  readonly columns: string
}

/** Tables without data to keep: applied migrations, and short-lived state of instances. */
const excluded = `('migrations', 'heartbeats', 'rate_limits')`

const readTables = (query: Query): Promise<Table[]> =>
  query<Table>(`
    select c.table_name as name, bool_or(c.column_name = 'project_id') as "isOwned",
      string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as columns
    from information_schema.columns c join pg_tables t
      on t.schemaname = c.table_schema and t.tablename = c.table_name
    where c.table_schema = 'servicekit' and c.is_generated = 'NEVER'
      and c.table_name not in ${excluded}
    group by 1 order by (c.table_name <> 'projects'), 1`)

/** Limits the next statements to a project; row-level security applies to owners too. */
export const enterProject = (query: Query, id: number): Promise<unknown> =>
  query(`select set_config('servicekit.project', $1, true)`, [String(id)])

const readProjects = (query: Query): Promise<{ id: number; key: string }[]> =>
  query('select id, key from servicekit.projects order by id')

const readSequences = (query: Query): Promise<{ name: string; sequence: string }[]> =>
  query(`
    select table_name || '.' || column_name as name,
      pg_get_serial_sequence('servicekit.' || quote_ident(table_name), column_name) as sequence
    from information_schema.columns
    where table_schema = 'servicekit' and is_identity = 'YES' order by 1`)

const readMigrations = (query: Query): Promise<Head['migrations'][number][]> =>
  query('select id, hash from servicekit.migrations order by id')

export const hashOf = (secret: string | undefined): string | null =>
  secret === undefined
    ? null
    : createHash('sha256').update(`servicekit-backup ${secret}`).digest('hex')

const batchRows = 500

/**
 * Yields all rows of the database as lines: the table, the project, and the row as JSON, as
 * PostgreSQL prints it, so that no value passes through a JavaScript number.
 */
export async function* dumpDatabase(
  query: Query,
  stores: Stores,
  hasOwnSecret: boolean,
): AsyncGenerator<string> {
  const sequences: Record<string, string> = {}
  for (const { name, sequence } of await readSequences(query)) {
    const [row] = await query<{ next: string }>(`
      select (last_value + case when is_called then 1 else 0 end)::text as next from ${sequence}`)
    sequences[name] = row!.next
  }
  const known = await stores.secret()
  const head: Head = {
    migrations: await readMigrations(query),
    sequences,
    secretHash: hashOf(known),
    secret: hasOwnSecret ? (known ?? null) : null,
  }
  yield `${JSON.stringify(head)}\n`
  const projects = await readProjects(query)
  for (const { name, isOwned, columns } of await readTables(query)) {
    for (const project of isOwned ? projects : [undefined]) {
      if (project) await enterProject(query, project.id)
      const condition = project ? `where project_id = ${project.id}` : ''
      // A line break in a column of type json is only white space.
      await query(`declare dump no scroll cursor for
        select replace(replace(row_to_json(r)::text, chr(10), ' '), chr(13), ' ') as row
        from (select ${columns} from servicekit.${name} ${condition}) r`)
      for (;;) {
        const rows = await query<{ row: string }>(`fetch ${batchRows} from dump`)
        if (rows.length > 0) {
          yield rows.map(({ row }) => `${name}\t${project?.id ?? ''}\t${row}\n`).join('')
        }
        if (rows.length < batchRows) break
      }
      await query('close dump')
    }
  }
}

/** Lists the files that were uploaded, within a transaction. */
export async function listStoredFiles(query: Query): Promise<readonly WantedFile[]> {
  const files: WantedFile[] = []
  for (const { id, key } of await readProjects(query)) {
    await enterProject(query, id)
    const rows = await query<Omit<WantedFile, 'projectKey'>>(
      `
      select item_id as "itemId", system_name as "systemName", name,
        configuration_name as "configurationName", content_type as "contentType",
        size_in_bytes::float8 as "sizeInBytes"
      from servicekit.stored_files where project_id = $1 and stored_at is not null
      order by seq`,
      [id],
    )
    files.push(...rows.map((row) => ({ ...row, projectKey: key })))
  }
  return files
}

/** Removes all rows, except those of the audit log, which nothing removes. */
export async function wipeDatabase(query: Query): Promise<void> {
  const tables = (await readTables(query)).filter(({ name }) => name !== 'audit')
  for (const { id } of await readProjects(query)) {
    await enterProject(query, id)
    for (const { name, isOwned } of tables) {
      if (isOwned) await query(`delete from servicekit.${name} where project_id = $1`, [id])
    }
  }
  for (const { name, isOwned } of tables)
    if (!isOwned) await query(`delete from servicekit.${name}`)
}

/** Reads the head of a dump, and the files that it names. @throws PlatformError */
export async function readDump(source: Readable) {
  let head: Head | undefined
  const keys = new Map<string, string>()
  const files: WantedFile[] = []
  for await (const line of linesOf(source)) {
    head ??= JSON.parse(line) as Head
    const [table = '', project = ''] = line.split('\t', 2)
    if (table !== 'projects' && table !== 'stored_files') continue
    const row = JSON.parse(line.slice(table.length + project.length + 2)) as Record<string, unknown>
    const text = (name: string): string => String(row[name])
    if (table === 'projects') keys.set(text('id'), text('key'))
    else if (row['stored_at'] !== null) {
      files.push({
        projectKey: keys.get(project)!,
        itemId: text('item_id'),
        systemName: text('system_name'),
        name: text('name'),
        configurationName: text('configuration_name'),
        contentType: row['content_type'] as string | null,
        sizeInBytes: row['size_in_bytes'] as number | null,
      })
    }
  }
  if (!head) throw invalid('it is empty')
  return { head, files: files as readonly WantedFile[] }
}

/** Yields the lines of a stream; rejects if it fails, unlike the lines of `readline`. */
async function* linesOf(source: Readable): AsyncGenerator<string> {
  let failure: Error | undefined
  const lines = createInterface({ input: source, crlfDelay: Infinity })
  source.on('error', (error: Error) => {
    failure = error
    lines.close()
  })
  yield* lines
  if (failure) throw failure
}

/** Inserts the rows of a dump into an empty database, within one transaction. */
export async function loadDatabase(query: Query, source: Readable): Promise<number> {
  const tables = new Map((await readTables(query)).map((table) => [table.name, table]))
  let head: Head | undefined
  let batch: { place: string; rows: string[] } = { place: '', rows: [] }
  let count = 0
  const insert = async (): Promise<void> => {
    const { place, rows } = batch
    batch = { place: '', rows: [] }
    if (rows.length === 0) return
    const [name = '', project = ''] = place.split('\t')
    const table = tables.get(name)
    if (!table) throw invalid(`there is no table ${name}`)
    if (project !== '') await enterProject(query, Number(project))
    await query(
      `insert into servicekit.${name} (${table.columns}) overriding system value
        select ${table.columns} from json_populate_recordset(null::servicekit.${name}, $1::json)
        ${name === 'audit' ? 'on conflict (id) do nothing' : ''}`,
      [`[${rows.join(',')}]`],
    )
    count += rows.length
  }
  for await (const line of linesOf(source)) {
    if (!head) {
      head = JSON.parse(line) as Head
      continue
    }
    const [name = '', project = ''] = line.split('\t', 2)
    const place = `${name}\t${project}`
    if (batch.place !== place || batch.rows.length >= batchRows) await insert()
    batch.place = place
    batch.rows.push(line.slice(place.length + 1))
  }
  await insert()
  if (!head) throw invalid('it is empty')
  for (const { name, sequence } of await readSequences(query)) {
    const next = head.sequences[name]
    if (next !== undefined) await query('select setval($1::regclass, $2, false)', [sequence, next])
  }
  // Jobs that were running belong to no instance any more.
  await query('update servicekit.jobs set locked_until = null')
  return count
}

const invalid = (reason: string): PlatformError =>
  new PlatformError('BACKUP_INVALID', `The database of the backup is invalid: ${reason}.`)

/** @throws PlatformError `DATABASE_INCOMPATIBLE` for a backup of another version. */
export async function requireSameMigrations(query: Query, { migrations }: Head): Promise<void> {
  const found = await readMigrations(query)
  if (JSON.stringify(found) === JSON.stringify(migrations)) return
  const last = migrations.at(-1)?.id ?? 'none'
  throw new PlatformError('DATABASE_INCOMPATIBLE', 'Another version wrote this backup.', {
    details: { backup: last, database: found.at(-1)?.id ?? 'none' },
    help: 'Restore it with the version in its backup.json, into an empty database, and upgrade then.',
  })
}
