import { sql } from 'drizzle-orm'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Tables } from '../database/database.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { Invalid } from '../domain-errors.ts'
import { printExactJson } from '@servicekit/core/exact-json'
import { endMachineTokens, endSessionsOf, endSessionsOfClient } from '../identity/sessions.ts'
import { restoreAssignments } from '../localization/assignments.ts'
import { restoreComments } from '../localization/comments.ts'
import { discardDrafts, draftTranslations } from '../localization/drafts.ts'
import { restoreStates } from '../localization/states.ts'
import type { Services } from '../services.ts'
import { putBytes } from '../storage/bytes.ts'
import { clients, storedFiles, users } from '../database/tables.ts'
import type { Project } from '../database/project-directory.ts'
import type { ProjectSource, RecordSource } from '../project-source.ts'
import { projectError } from './parse-project.ts'
import { uploadPath } from './project-path.ts'
import { mapRowSecrets } from './row-secrets.ts'
import { createSigningSecret } from '../webhooks/webhook-signature.ts'
import { encrypt } from '../secrets.ts'

/**
 * Replaces the drafts, the states of translations, comments, assignments and the given tables of a
 * project.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function saveExtras(
  tables: Tables,
  services: Services,
  projectId: number,
  { drafts, states, comments, assignments, rows = {} }: ProjectSource,
): Promise<void> {
  if (drafts) {
    await discardDrafts(tables)
    await namingFile('drafts', () => draftTranslations(tables, projectId, drafts))
  }
  if (states) await namingFile('states', () => restoreStates(tables, states))
  if (comments) {
    await namingFile('comments', () => restoreComments(tables, projectId, comments))
  }
  if (assignments) {
    await namingFile('assignments', () => restoreAssignments(tables, projectId, assignments))
  }
  const before = await readSecrets(tables)
  for (const [name, list] of Object.entries(rows)) {
    const known = name === 'stored_files' ? withKnownStorage(services, list ?? []) : (list ?? [])
    await namingFile(`rows.${name}`, () => replaceRows(tables, projectId, name, known, services))
  }
  await endChanged(tables, before, services.options.now())
}

/** Runs a part of a load. @throws PlatformError `PROJECT_INVALID` with the file of the part. */
export async function namingFile<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isUnavailable(error)) throw error
    const { message } = ((error as Error).cause ?? error) as Error
    throw projectError(file, '', message)
  }
}

type AccessById = ReadonlyMap<string, string | null>

/** Reads what gives users and clients access, by their ids: mailed codes belong to an address. */
async function readSecrets(tables: Tables): Promise<Record<'users' | 'clients', AccessById>> {
  const { itemId: id, active, email, passwordHash } = users
  const allUsers = await tables.select({ id, active, email, passwordHash }).from(users)
  const all = await tables.select({ id: clients.clientId, hash: clients.secretHash }).from(clients)
  return {
    users: new Map(allUsers.map(({ id: userId, ...access }) => [userId, JSON.stringify(access)])),
    clients: new Map(all.map(({ id, hash }) => [id, hash])),
  }
}

/** Ends the access of users and clients that were removed, deactivated or given another secret or address. */
async function endChanged(
  tables: Tables,
  before: Awaited<ReturnType<typeof readSecrets>>,
  now: Date,
): Promise<void> {
  const after = await readSecrets(tables)
  for (const [id, hash] of before.users) {
    if (after.users.get(id) !== hash) await endSessionsOf(tables, id, now)
  }
  for (const [id, hash] of before.clients) {
    if (!after.clients.has(id)) await endSessionsOfClient(tables, id, now)
    else if (after.clients.get(id) !== hash) await endMachineTokens(tables, id)
  }
}

/** Moves rows of files to the first storage if theirs does not exist. */
function withKnownStorage({ options }: Services, rows: readonly RecordSource[]) {
  const names = options.storage.map(({ name }) => name)
  return rows.map((row) => {
    const isKnown = names.includes(String(row['configuration_name']))
    return isKnown ? row : { ...row, configuration_name: names[0] }
  })
}

/** Stores the bytes of the uploaded files of a folder. */
export async function saveBytes(
  services: Services,
  project: Pick<Project, 'id' | 'key'>,
  folder: string,
): Promise<void> {
  const rows = await services.database.scoped(project.id, (tables) =>
    tables.select().from(storedFiles),
  )
  for (const row of rows) {
    const path = await uploadPath(folder, row.systemName)
    const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
    await putBytes(services, project, row, bytes)
  }
}

async function replaceRows(
  tables: Tables,
  projectId: number,
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  services: Services,
): Promise<void> {
  const table = sql.raw(`servicekit.${name}`)
  await tables.execute(sql`delete from ${table}`)
  if (rows.length === 0) return
  const { rows: known } = await tables.execute<{ name: string }>(sql`
    select column_name as name from information_schema.columns
    where table_schema = 'servicekit' and table_name = ${name}
      and is_generated = 'NEVER' and is_identity = 'NO' and column_name <> 'project_id'
    order by ordinal_position`)
  const secret = await services.secret()
  const whole = rows
    .map((row) =>
      name === 'webhooks' && !row['signing_secret']
        ? { ...row, signing_secret: createSigningSecret() }
        : row,
    )
    .map((row) =>
      mapRowSecrets(name, row, projectId, (text, context) => encrypt(text, secret, context)),
    )
  // Only columns that the rows have: the others keep their defaults.
  const named = known.filter(({ name: column }) => whole.some((row) => column in row))
  if (named.length === 0) throw new Invalid('the rows have no column of the table')
  const columns = sql.raw(named.map((column) => `"${column.name}"`).join(', '))
  await tables.execute(sql`
    insert into ${table} (project_id, ${columns})
    select ${projectId}::int, ${columns}
    from jsonb_populate_recordset(null::${table}, ${printExactJson(whole)}::jsonb)`)
}
