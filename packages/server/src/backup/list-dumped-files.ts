import { openStores, PlatformError } from '@servicekit/platform'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { keyOf, type Manifest, names, pathOf, type Place, readStored } from './folder.ts'
import { findTool, runTool } from './postgres-tools.ts'
import { listFiles } from './records.ts'
import { withArchive } from './restore-database.ts'
import type { DatabaseInput } from './save-database.ts'

/**
 * Reads the whole dump of a backup, without a server.
 *
 * @returns the keys of all files that the database of the backup names as uploaded.
 * @throws PlatformError `BACKUP_INVALID` if it cannot be read.
 */
export async function listDumpedFiles(
  place: Place,
  { engine }: NonNullable<Manifest['database']>,
  input: Pick<DatabaseInput, 'postgresBin' | 'signal'>,
): Promise<ReadonlySet<string>> {
  return engine === 'pglite' ? listEmbedded(place) : listPostgres(place, input)
}

const unreadable = (cause: unknown): PlatformError =>
  new PlatformError('BACKUP_INVALID', 'The database of the backup cannot be read.', {
    cause,
    details: { reason: (cause as Error).message },
  })

/** Opens the archive in memory, which also applies the migrations that it lacks. */
const listEmbedded = (place: Place): Promise<ReadonlySet<string>> =>
  withArchive(place, tmpdir(), async (archive) => {
    const stores = await openStores({}, archive).catch((cause: unknown) => {
      throw unreadable(cause)
    })
    try {
      const files = await stores.transaction('snapshot', listFiles)
      return new Set(files.filter(({ isStored }) => isStored).map(keyOf))
    } finally {
      await stores.close()
    }
  })

async function listPostgres(
  place: Place,
  { postgresBin, signal }: Pick<DatabaseInput, 'postgresBin' | 'signal'>,
): Promise<ReadonlySet<string>> {
  const tool = await findTool('pg_restore', postgresBin)
  const input = await readStored(place, pathOf(place, names.dump.postgresql))
  // Prints all statements of the dump, so that all of it is read.
  const printed = Readable.from(runTool(tool, { args: ['--file=-'], input, signal }))
  const projects = new Map<string, string>()
  const files: { readonly project: string; readonly itemId: string }[] = []
  try {
    for await (const { table, row } of copiedRows(printed)) {
      if (table === 'projects') projects.set(row['id']!, row['key']!)
      else if (row['stored_at'] !== null) {
        files.push({ project: row['project_id']!, itemId: row['item_id']! })
      }
    }
  } catch (cause) {
    signal.throwIfAborted()
    throw unreadable(cause)
  }
  return new Set(
    files.map(({ project, itemId }) => keyOf({ projectKey: projects.get(project)!, itemId })),
  )
}

const copyStatement = /^COPY servicekit\.(projects|stored_files) \((.*)\) FROM stdin;$/

interface CopiedRow {
  readonly table: string
  readonly row: Readonly<Record<string, string | null>>
}

/** Yields the rows of both tables in a script of `pg_restore`. */
async function* copiedRows(script: Readable): AsyncGenerator<CopiedRow> {
  const lines = createInterface({ input: script, crlfDelay: 0 })
  // Its iterator does not fail with its input.
  let failure: Error | undefined
  script.once('error', (error: Error) => {
    failure = error
    lines.close()
  })
  let copied: { readonly table: string; readonly columns: readonly string[] } | undefined
  for await (const line of lines) {
    const [, table, columns] = copyStatement.exec(line) ?? []
    if (table !== undefined) copied = { table, columns: columns!.split(', ') }
    else if (line === '\\.') copied = undefined
    else if (copied) {
      const values = line.split('\t').map(unescapeValue)
      const row = Object.fromEntries(copied.columns.map((name, at) => [name, values[at]!]))
      yield { table: copied.table, row }
    }
  }
  if (failure) throw failure
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Returns a value of the text format of COPY. */
const unescapeValue = (text: string): string | null =>
  text === '\\N' ? null : text.replaceAll(/\\(.)/g, (_, mark: string) => escapes[mark] ?? mark)
