import { keyLanguage } from '@servicekit/contract'
import { asc, eq, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { languages, modules } from '../database/tables.ts'
import { stringProblem } from '../projects/storable.ts'
import { keyFile } from './key-file.ts'

/** Returns the served languages of the scope's project, in order. */
export const servedLanguages = (tables: Tables) =>
  tables
    .select()
    .from(languages)
    .where(eq(languages.isDraft, false))
    .orderBy(asc(languages.position))

/** Returns the served modules of the scope's project, in order. */
export const servedModules = (tables: Tables) =>
  tables.select().from(modules).where(eq(modules.isDraft, false)).orderBy(asc(modules.position))

/**
 * Returns a translation file as JSON; undefined when the project serves no such language or
 * module.
 */
export async function readFile(
  tables: Tables,
  languageCode: string,
  moduleName: string,
): Promise<string | undefined> {
  if (stringProblem(languageCode + moduleName)) return undefined
  const isKeyFile = languageCode === keyLanguage
  // An outer join, because a file without translations still has one row.
  const translations = isKeyFile
    ? sql`left join servicekit.keys k on k.module_id = m.id cross join (select null as value) t`
    : sql`left join servicekit.texts t on t.module_id = m.id and t.language_id = l.id
        left join servicekit.keys k on k.id = t.key_id`
  const { rows } = await tables.execute<{ key: string | null; value: string | null }>(sql`
    select k.key, t.value from servicekit.languages l
    join servicekit.modules m on m.name = ${moduleName} and not m.is_draft
    ${translations}
    where l.code = ${languageCode} and not l.is_draft
    order by k.key collate "C"`)
  if (rows.length === 0) return undefined
  const entries = rows.flatMap(({ key, value }) => (key === null ? [] : [{ key, value }]))
  if (isKeyFile) return JSON.stringify(keyFile(entries.map(({ key }) => key)))
  // Serialized by hand: an object would move keys that look like numbers to the front.
  const members = entries.map(({ key, value }) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  return `{${members.join()}}`
}
