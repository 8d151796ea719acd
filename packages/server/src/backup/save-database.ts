import { appRole, backupRole, PlatformError, type Query, type Stores } from '@servicekit/platform'
import { createGzip } from 'node:zlib'
import { Readable } from 'node:stream'
import {
  names,
  type Place,
  type SavedDatabase,
  toLines,
  type WantedFile,
  writeStored,
} from './folder.ts'
import { listFiles, readMigrations, readServerVersion } from './records.ts'
import { findTool, runTool } from './postgres-tools.ts'

export interface DatabaseInput {
  readonly databaseUrl: string | undefined
  /** Folder of `pg_dump` and `pg_restore`; by default they are found in PATH. */
  readonly postgresBin: string | undefined
  readonly signal: AbortSignal
}

type Saved = Omit<SavedDatabase, 'settings'>

/** Saves the database and the list of its files, both of one snapshot. */
export function saveDatabase(stores: Stores, place: Place, input: DatabaseInput): Promise<Saved> {
  const { databaseUrl } = input
  return databaseUrl === undefined
    ? saveEmbedded(stores, place, input)
    : savePostgres(stores, place, { ...input, databaseUrl })
}

const saveList = (place: Place, wanted: readonly WantedFile[], signal: AbortSignal) =>
  writeStored(place, names.wanted, toLines(wanted), signal)

async function saveEmbedded(
  { transaction, dump: readArchive }: Stores,
  place: Place,
  { signal }: DatabaseInput,
): Promise<Saved> {
  // No other process can write in between.
  const facts = await transaction('snapshot', readFacts)
  await transaction('write', (query) => query('checkpoint'))
  const archive = Readable.from([await readArchive!()]).pipe(createGzip())
  const dump = await writeStored(place, names.dump.pglite, archive, signal)
  const wanted = await saveList(place, facts.wanted, signal)
  return { ...facts, engine: 'pglite', program: 'PGlite', dump, wanted }
}

const readFacts = async (query: Query) => ({
  serverVersion: await readServerVersion(query),
  migrations: await readMigrations(query),
  wanted: await listFiles(query),
})

/** Tables with short-lived state of instances. */
const withoutData = ['rate_limits', 'heartbeats']

function savePostgres(
  { transaction }: Stores,
  place: Place,
  { databaseUrl, postgresBin, signal }: DatabaseInput & { readonly databaseUrl: string },
): Promise<Saved> {
  return transaction('snapshot', async (query) => {
    const facts = await readFacts(query)
    const tool = await findTool('pg_dump', postgresBin, facts.serverVersion)
    const role = await roleArguments(query)
    const [row] = await query<{ id: string }>('select pg_export_snapshot() as id')
    const args = [
      '--format=custom',
      '--schema=servicekit',
      '--no-owner',
      '--no-privileges',
      `--snapshot=${row!.id}`,
      ...withoutData.map((name) => `--exclude-table-data=servicekit.${name}`),
      ...role,
    ]
    const source = runTool(tool, { args, databaseUrl, signal })
    const dump = await writeStored(place, names.dump.postgresql, source, signal)
    const wanted = await saveList(place, facts.wanted, signal)
    return { ...facts, engine: 'postgresql', program: `pg_dump ${tool.version}`, dump, wanted }
  })
}

/**
 * Returns the arguments with which `pg_dump` reads the rows of all projects, despite row-level
 * security. @throws PlatformError `DATABASE_INCOMPATIBLE`
 */
async function roleArguments(query: Query): Promise<readonly string[]> {
  const [user] = await query<{ name: string; bypasses: boolean; isMember: boolean }>(
    `select rolname as name, rolsuper or rolbypassrls as bypasses, exists (
        select from pg_roles r where rolname = $1 and pg_has_role(current_user, r.oid, 'member')
      ) and exists (
        select from pg_policies where schemaname = 'servicekit' and policyname = $1
      ) as "isMember"
    from pg_roles where rolname = current_user`,
    [backupRole],
  )
  const { name, bypasses, isMember } = user!
  if (bypasses) return []
  if (isMember) return [`--role=${backupRole}`, '--enable-row-security']
  throw new PlatformError('DATABASE_INCOMPATIBLE', 'The database user cannot read all projects.', {
    details: { user: name },
    help: `As a superuser, create the roles ${appRole} and ${backupRole} if they do not exist, run \`grant ${appRole}, ${backupRole} to "${name}"\`, and then run \`servicekit migrate-database\`. Or back up as a superuser.`,
  })
}
