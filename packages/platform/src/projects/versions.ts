import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { ChangedFile } from '../localization/save-texts.ts'

/**
 * Increments the project's translation version and assigns it to the changed files. Every
 * process compares these versions before it serves cached data.
 */
export async function bumpTexts(
  tables: Tables,
  projectId: number,
  changed: readonly ChangedFile[],
): Promise<void> {
  await tables.execute(sql`
    with bumped as (
      update servicekit.projects set texts_version = texts_version + 1
      where id = ${projectId} returning texts_version
    )
    insert into servicekit.files (project_id, module_id, language_id, version)
    select ${projectId}::int, u.module_id, u.language_id, bumped.texts_version
    from bumped, unnest(
      ${sql.param(changed.map(({ moduleId }) => moduleId))}::int[],
      ${sql.param(changed.map(({ languageId }) => languageId))}::int[]
    ) as u (module_id, language_id)
    on conflict (project_id, module_id, language_id) do update set version = excluded.version`)
}

/** Locks the project against changes by others until this transaction ends. */
export async function lockProject(tables: Tables, projectId: number): Promise<void> {
  await tables.execute(sql`select from servicekit.projects where id = ${projectId} for update`)
}

/** Increments the project's schema version. */
export async function bumpSchemas(tables: Tables, projectId: number): Promise<void> {
  await tables.execute(sql`
    update servicekit.projects set schemas_version = schemas_version + 1 where id = ${projectId}`)
}
