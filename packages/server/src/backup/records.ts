import type { Query } from '@servicekit/platform'
import type { AppliedMigration, WantedFile } from './folder.ts'

const readProjects = (query: Query): Promise<{ id: number; key: string }[]> =>
  query('select id, key from servicekit.projects order by id')

/** Limits the next statements to a project; row-level security applies to owners too. */
export const enterProject = (query: Query, id: number): Promise<unknown> =>
  query(`select set_config('servicekit.project', $1, true)`, [String(id)])

export const readMigrations = (query: Query): Promise<AppliedMigration[]> =>
  query('select id, hash from servicekit.migrations order by id')

export async function readServerVersion(query: Query): Promise<string> {
  const [row] = await query<{ server_version: string }>('show server_version')
  return row!.server_version.split(' ')[0]!
}

/** Lists all files, within a transaction, also those whose upload is pending. */
export async function listFiles(query: Query): Promise<readonly WantedFile[]> {
  const files: WantedFile[] = []
  for (const { id, key } of await readProjects(query)) {
    await enterProject(query, id)
    const rows = await query<Omit<WantedFile, 'projectKey'>>(
      `
      select item_id as "itemId", system_name as "systemName", name,
        configuration_name as "configurationName", content_type as "contentType",
        size_in_bytes::float8 as "sizeInBytes", stored_at is not null as "isStored"
      from servicekit.stored_files where project_id = $1 order by seq`,
      [id],
    )
    files.push(...rows.map((row) => ({ projectKey: key, ...row })))
  }
  return files
}

/** Removes all rows, except those of the audit log, which nothing removes. */
export const wipeDatabase = (query: Query): Promise<unknown> =>
  query(`with projects as (delete from servicekit.projects),
      limits as (delete from servicekit.rate_limits)
    delete from servicekit.heartbeats`)
