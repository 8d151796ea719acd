import { eq, sql } from 'drizzle-orm'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Tables } from '../database/database.ts'
import { printExactJson } from '@servicekit/core/exact-json'
import { createSigningSecret, encrypt } from '@servicekit/core/node'
import { endSessionsOf } from '../identity/sessions.ts'
import { discardDrafts, saveDrafts } from '../localization/drafts.ts'
import type { Services } from '../services.ts'
import { disconnect } from '../tools/store.ts'
import { putBytes } from '../storage/bytes.ts'
import { storedFiles, users } from '../database/tables.ts'
import type { Project } from './project-directory.ts'
import type { ProjectSource } from './project-source.ts'
import { projectError } from './parse-project.ts'
import { checkSystemName, uploadPath } from './project-path.ts'
import { mapRowSecrets } from './row-secrets.ts'

/** Replaces the drafts and the given tables of a project. @throws PlatformError */
export async function saveExtras(
  services: Services,
  project: Project,
  { drafts, rows = {}, filesFolder }: ProjectSource,
): Promise<void> {
  const { database } = services
  if (drafts) {
    await database.scoped(project.id, (tables) => discardDrafts(tables))
    await saveDrafts(database, project, drafts).catch((error: Error) => {
      throw projectError('drafts', '', error.message)
    })
  }
  const given = {
    ...rows,
    ...(rows.stored_files ? { stored_files: withKnownStorage(services, rows) } : {}),
  }
  try {
    await database.scoped(project.id, async (tables) => {
      const before = rows.users ? await readPasswords(tables) : new Map<string, string | null>()
      for (const [name, list] of Object.entries(given)) {
        await replaceRows(tables, project.id, name, list ?? [], services)
      }
      const after = rows.users ? await readPasswords(tables) : before
      for (const [id, hash] of before) {
        if (after.get(id) !== hash) await endSessionsOf(tables, id, services.options.now())
      }
      // The new tools may have other token URLs.
      if (rows.tools) await disconnect(tables)
    })
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    throw projectError('rows', '', message)
  }
  if (filesFolder !== undefined && rows.stored_files)
    await saveBytes(services, project, filesFolder)
}

/** Returns the password hash of each active user, whose change ends the sessions of the user. */
async function readPasswords(tables: Tables): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tables.select().from(users).where(eq(users.active, true))
  return new Map(rows.map(({ itemId, passwordHash }) => [itemId, passwordHash]))
}

/** Moves rows of files to the first storage if theirs does not exist. */
function withKnownStorage(
  { options }: Services,
  { stored_files: rows = [] }: NonNullable<ProjectSource['rows']>,
) {
  const names = options.storage.map(({ name }) => name)
  return rows.map((row) => {
    checkSystemName(row['system_name'])
    const isKnown = names.includes(String(row['configuration_name']))
    return isKnown ? row : { ...row, configuration_name: names[0] }
  })
}

async function saveBytes(services: Services, project: Project, folder: string): Promise<void> {
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
  // Only columns that the rows have: the others keep their defaults.
  const named = known.filter(({ name: column }) => rows.some((row) => column in row))
  const columns = sql.raw(named.map((column) => `"${column.name}"`).join(', '))
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
  await tables.execute(sql`
    insert into ${table} (project_id, ${columns})
    select ${projectId}::int, ${columns}
    from jsonb_populate_recordset(null::${table}, ${printExactJson(whole)}::jsonb)`)
}
