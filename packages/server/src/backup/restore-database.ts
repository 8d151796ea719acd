import { migrateDatabase, type Query, type Stores } from '@servicekit/platform'
import { readTextIfExists, writeFileAtomic } from '@servicekit/core/node'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { names, pathOf, type Place, readStored } from './folder.ts'
import { findTool, finishTool } from './postgres-tools.ts'
import type { DatabaseInput } from './save-database.ts'

/** Opens the stores, on the data of an archive if one is given. */
export type OpenStores = (archive?: string) => Promise<Stores>

/**
 * Replaces the database by that of a backup. The entries of its audit log stay.
 *
 * @returns the stores of the restored database.
 */
export async function restoreDatabase(
  stores: Stores,
  place: Place,
  input: DatabaseInput & { readonly dataDir: string | undefined; readonly open: OpenStores },
): Promise<Stores> {
  const { databaseUrl, dataDir, open } = input
  if (databaseUrl === undefined) return restoreEmbedded(stores, place, dataDir!, open)
  const tool = await findTool('pg_restore', input.postgresBin)
  await stores.transaction('write', async (query) => {
    await setAsideAudit(query)
    await query('drop schema servicekit cascade')
  })
  await stores.close()
  // Until the next transaction has ended, the database is empty and can be restored again.
  await runRestore(place, tool, { ...input, databaseUrl })
  await migrateDatabase(databaseUrl, { isRestored: true })
  const restored = await open()
  await restored.transaction('write', takeAudit)
  return restored
}

/** Policies of a role that the other server may lack; they are created again. */
const isSkipped = (line: string): boolean => / POLICY servicekit \S+ servicekit_backup\b/.test(line)

async function runRestore(
  place: Place,
  tool: Awaited<ReturnType<typeof findTool>>,
  { databaseUrl, signal }: DatabaseInput & { readonly databaseUrl: string },
): Promise<void> {
  const read = () => readStored(place, pathOf(place, names.dump.postgresql))
  const list = await finishTool(tool, { args: ['--list'], input: await read(), signal })
  const folder = await mkdtemp(join(tmpdir(), 'servicekit-restore-'))
  try {
    const listFile = join(folder, 'list')
    await writeFile(
      listFile,
      list
        .split('\n')
        .filter((line) => !isSkipped(line))
        .join('\n'),
    )
    const args = [
      '--single-transaction',
      '--exit-on-error',
      '--no-owner',
      '--no-privileges',
      `--use-list=${listFile}`,
    ]
    await finishTool(tool, { args, databaseUrl, input: await read(), signal })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Schema that keeps the audit log while the database is replaced. */
const keptSchema = 'servicekit_audit'

async function setAsideAudit(query: Query): Promise<void> {
  await query(`create schema if not exists ${keptSchema}`)
  const [row] = await query<{ kept: string | null }>(
    `select to_regclass('${keptSchema}.audit')::text as kept`,
  )
  // That of a restore that was interrupted, after which an instance may have started.
  if (row!.kept !== null) {
    await query(`insert into ${keptSchema}.audit select * from servicekit.audit`)
  } else {
    await query(`drop trigger append_only on servicekit.audit`)
    await query(`alter table servicekit.audit set schema ${keptSchema}`)
  }
}

async function takeAudit(query: Query): Promise<void> {
  const [row] = await query<{ columns: string }>(`
    select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_schema = '${keptSchema}' and table_name = 'audit'`)
  await query(`insert into servicekit.audit (${row!.columns})
    select ${row!.columns} from ${keptSchema}.audit on conflict (id) do nothing`)
  await query(`drop schema ${keptSchema} cascade`)
}

async function restoreEmbedded(
  stores: Stores,
  place: Place,
  dataDir: string,
  open: OpenStores,
): Promise<Stores> {
  // Beside the data, so that an interruption loses no entry.
  const kept = join(dataDir, 'audit-entries.jsonl')
  const audit = await stores.transaction('snapshot', (query) =>
    query<{ row: string }>(
      'select row_to_json(a)::text as row from servicekit.audit a order by at',
    ),
  )
  const earlier = (await readTextIfExists(kept)) ?? ''
  await writeFileAtomic(kept, earlier + audit.map(({ row }) => `${row}\n`).join(''))
  await stores.close()
  const restored = await withArchive(place, dataDir, open)
  const rows = ((await readTextIfExists(kept)) ?? '').split('\n').filter((line) => line !== '')
  await restored.transaction('write', (query) =>
    query(
      `insert into servicekit.audit
        select (json_populate_record(null::servicekit.audit, line::json)).*
        from unnest($1::text[]) line on conflict (id) do nothing`,
      [rows],
    ),
  )
  await rm(kept)
  return restored
}

/** Opens an archive of the embedded database, decrypted if necessary. */
export async function withArchive<T>(
  place: Place,
  parent: string,
  open: (archive: string) => Promise<T>,
): Promise<T> {
  const path = pathOf(place, names.dump.pglite)
  if (!place.cipher) return open(path)
  const folder = await mkdtemp(join(parent, 'servicekit-archive-'))
  try {
    const archive = join(folder, names.dump.pglite)
    await pipeline(await readStored(place, path), createWriteStream(archive, { mode: 0o600 }))
    return await open(archive)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
