import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isWritten } from './list-keys.ts'

/** Translation progress of a language, for the console. */
export interface LanguageProgress {
  readonly itemId: string
  readonly languageCode: string
  readonly languageName: string
  readonly isDefault: boolean
  /** True if the language is served only after publishing. */
  readonly isDraft: boolean
  /** Number of non-empty translations that are served. */
  readonly written: number
  /** Number of keys in the project. */
  readonly keys: number
}

/** Returns the languages of the scope's project in order, including drafts. */
export async function readLanguages(tables: Tables): Promise<readonly LanguageProgress[]> {
  const { rows } = await tables.execute<LanguageProgress & Record<string, unknown>>(sql`
    select l.item_id as "itemId", l.code as "languageCode", l.name as "languageName",
      l.is_default as "isDefault", l.is_draft as "isDraft",
      (select count(*)::int from servicekit.texts t
        where t.project_id = l.project_id and t.language_id = l.id and ${isWritten(sql`t.value`)}) as written,
      (select count(*)::int from servicekit.keys k where k.project_id = l.project_id) as keys
    from servicekit.languages l order by l.position`)
  return rows
}

/** Returns the modules of the scope's project in order, including drafts. */
export async function readModules(tables: Tables) {
  const { rows } = await tables.execute(sql`
    select m.item_id as "itemId", m.name as "moduleName", m.is_draft as "isDraft",
      (select count(*)::int from servicekit.keys k where k.module_id = m.id) as keys
    from servicekit.modules m order by m.position`)
  return rows
}
