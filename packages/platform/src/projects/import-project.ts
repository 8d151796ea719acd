import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tables } from '../database/database.ts'
import { type Draft, saveDrafts } from '../localization/drafts.ts'
import type { Services } from '../services.ts'
import { secretPrefix } from '../webhooks/sign.ts'
import { rowTables } from './export-project.ts'
import { type LoadedProject, loadProject, readPrepared } from './load-project.ts'
import { parseProject } from './parse-project.ts'
import { projectFault } from './read-json.ts'

const Rows = z.partialRecord(
  z.enum(rowTables.map(([name]) => name)),
  z.array(z.record(z.string(), z.unknown())),
)

/**
 * Loads a project from one JSON value: what {@link parseProject} takes, and the
 * drafts and rows that an export adds. The project becomes equal to it; rows of
 * a kind that is not named stay.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function importProject(
  services: Services,
  value: Readonly<Record<string, unknown>>,
): Promise<LoadedProject> {
  const { drafts, rows, ...files } = value
  const given = Rows.safeParse(rows ?? {})
  if (!given.success) throw projectFault('rows', '', z.prettifyError(given.error))
  const loaded = await loadProject(services, await readPrepared(parseProject(files)))
  const project = await services.projects.find(loaded.key)
  if (!project) return loaded
  if (Array.isArray(drafts) && drafts.length > 0) {
    const saved = await saveDrafts(services.database, project, drafts as readonly Draft[])
    if ('fault' in saved) throw projectFault('drafts', '', saved.fault)
  }
  try {
    await services.database.scoped(project.id, async (tables) => {
      for (const [name, list] of Object.entries(given.data)) {
        await replaceRows(tables, project.id, name, list ?? [], services)
      }
    })
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    throw projectFault('rows', '', message)
  }
  return loaded
}

async function replaceRows(
  tables: Tables,
  projectId: number,
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  { options }: Services,
): Promise<void> {
  const table = sql.raw(`servicekit.${name}`)
  await tables.execute(sql`delete from ${table}`)
  if (rows.length === 0) return
  const { rows: known } = await tables.execute<{ name: string }>(sql`
    select column_name as name from information_schema.columns
    where table_schema = 'servicekit' and table_name = ${name}
      and is_generated = 'NEVER' and is_identity = 'NO' and column_name <> 'project_id'
    order by ordinal_position`)
  // Only columns that the rows name: others keep their defaults.
  const named = known.filter(({ name: column }) => rows.some((row) => column in row))
  const columns = sql.raw(named.map((column) => `"${column.name}"`).join(', '))
  const whole = rows.map((row) =>
    name === 'webhooks' && !row['signing_secret']
      ? { ...row, signing_secret: secretPrefix + options.randomBytes(24).toString('base64') }
      : row,
  )
  await tables.execute(sql`
    insert into ${table} (project_id, ${columns})
    select ${projectId}::int, ${columns}
    from jsonb_populate_recordset(null::${table}, ${JSON.stringify(whole)}::jsonb)`)
}
