import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isWritten } from './list-keys.ts'

/** How much of a language is written, for the console. */
export interface LanguageProgress {
  readonly itemId: string
  readonly languageCode: string
  readonly languageName: string
  readonly isDefault: boolean
  /** Whether it is served only after publishing. */
  readonly isDraft: boolean
  /** Texts that are written and served. */
  readonly written: number
  /** Keys of the project. */
  readonly keys: number
}

/** The languages of the scope's project in their order, drafts among them. */
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

/** The modules of the scope's project in their order, drafts among them. */
export async function readModules(tables: Tables) {
  const { rows } = await tables.execute(sql`
    select m.item_id as "itemId", m.name as "moduleName", m.is_draft as "isDraft",
      (select count(*)::int from servicekit.keys k where k.module_id = m.id) as keys
    from servicekit.modules m order by m.position`)
  return rows
}
