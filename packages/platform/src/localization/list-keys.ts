import type { translations as contract } from '@servicekit/contract/control'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isUnusedForm } from './plural-forms.ts'
import { everyLanguage, isWritten, sourceOf, stateFor } from './state-expressions.ts'

/** Filter and page of a key listing. The first page is 1. */
export interface KeyFilter {
  readonly module?: string | undefined
  readonly key?: string | undefined
  /** Part of a key or of any of its translations; case-insensitive. */
  readonly search?: string | undefined
  /** Only keys without a translation in this language, served or drafted, which needs them. */
  readonly missing?: string | undefined
  readonly page: number
  readonly pageSize: number
}

type States = contract.KeyRecord['states']

type KeyRow = Omit<contract.KeyRecord, 'details' | 'states'> & {
  readonly total: number
  readonly details: contract.KeyDetails | null
  /** States of the served translations, as far as they differ from `translated`. */
  readonly textStates: States
  readonly draftStates: States
}

/**
 * Returns one page of the scope's keys, ordered by module and key, with their served and drafted
 * translations by language. `isRemoved` is true if the next publishing removes the key.
 */
export async function listKeys(
  tables: Tables,
  { module, key, search, missing, page, pageSize }: KeyFilter,
) {
  const projectId = sql`${tables.projectId}::int`
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const isNamed = and(
    module === undefined
      ? sql`true`
      : sql`module_id = (select id from servicekit.modules
          where project_id = ${projectId} and name = ${module})`,
    key === undefined ? undefined : sql`key = ${key}`,
  )
  const languageId = sql`(select id from servicekit.languages
    where project_id = ${projectId} and code = ${missing})`
  // Sets, because a condition for each key would read all translations for each key.
  const where = and(
    search
      ? sql`(a.key ilike ${pattern}
          or a.id in (select key_id from servicekit.texts where project_id = ${projectId}
            and value ilike ${pattern})
          or (a.module_id, a.key) in (
            select module_id, key from servicekit.drafts where project_id = ${projectId}
              and value ilike ${pattern}))`
      : undefined,
    missing
      ? sql`not exists (select from servicekit.texts t where t.project_id = ${projectId}
            and t.module_id = a.module_id
            and t.language_id = ${languageId} and t.key_id = a.id and t.is_written)
          and not exists (select from servicekit.drafts d where d.project_id = ${projectId}
            and d.module_id = a.module_id
            and d.key = a.key and d.language_id = ${languageId} and ${isWritten(sql`d.value`)})`
      : undefined,
  )
  // Within the materialized part: a regular expression for each pair of a key and a module takes
  // seconds.
  const needsTranslation =
    missing === undefined
      ? sql`true`
      : sql`not ${isUnusedForm({ name: sql`u.key`, moduleId: sql`u.module_id` }, sql`${missing}::text`, [missing])}`
  const ofKey = sql`d.project_id = ${projectId} and d.module_id = f.module_id and d.key = f.key`
  /** Aggregates the values and the states of texts or drafts by language. */
  const byLanguage = (row: SQL) => sql`
    coalesce(json_object_agg(l.code, ${row}.value), '{}') as values,
    coalesce(json_object_agg(l.code, ${stateFor(row, sql`o`)}) filter (
      where ${isWritten(sql`${row}.value`)}), '{}') as states`
  const { rows } = await tables.execute<KeyRow>(sql`
    with a as materialized (
      select module_id, key, id from (
        select module_id, key, id from servicekit.keys
        where project_id = ${projectId} and ${isNamed}
        -- Keys that only drafts have.
        union all select distinct module_id, key, null::int from servicekit.drafts d
        where project_id = ${projectId} and ${isNamed} and not exists (
          select from servicekit.keys k where k.project_id = ${projectId}
            and k.module_id = d.module_id and k.key = d.key)) u
      where ${needsTranslation}
    ), found as (
      select a.module_id, a.key, a.id, m.name as module, m.position,
        count(*) over ()::int as total
      from a join servicekit.modules m on m.project_id = ${projectId} and m.id = a.module_id
      where ${where ?? sql`true`}
      order by m.position, a.key collate "C"
      limit ${pageSize}::int offset ${(page - 1) * pageSize}::int
    )
    select f.module, f.key, f.total, texts.values as texts, texts.states as "textStates",
      drafts.values as drafts, drafts.states as "draftStates",
      exists (select from servicekit.drafts d where ${ofKey} and d.language_id = ${everyLanguage}) as "isRemoved",
      coalesce((select d.details from servicekit.drafts d
        where ${ofKey} and d.details is not null limit 1), (
        select k.details from servicekit.keys k
        where k.project_id = ${projectId} and k.id = f.id)) as details
    from found f, lateral ${sourceOf(sql`f.module_id`, sql`f.key`)} o, lateral (
      select ${byLanguage(sql`t`)} from servicekit.languages l,
        -- The limit makes PostgreSQL look each translation up by its primary key.
        lateral (select language_id, value, is_reviewed, translated_from from servicekit.texts t
          where t.project_id = ${projectId} and t.module_id = f.module_id
            and t.language_id = l.id and t.key_id = f.id limit 1) t
      where l.project_id = ${projectId}
    ) texts, lateral (
      select ${byLanguage(sql`d`)} from servicekit.drafts d
      join servicekit.languages l on l.project_id = ${projectId} and l.id = d.language_id
      where ${ofKey}
    ) drafts
    order by f.position, f.key collate "C"`)
  return {
    totalCount: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, details, textStates, draftStates, ...item }) => {
      const served = Object.entries(textStates).filter(([code]) => !(code in item.drafts))
      const stored = { ...Object.fromEntries(served), ...draftStates }
      const states = Object.fromEntries(
        Object.entries(stored).filter(([, state]) => (state as string) !== 'translated'),
      )
      return { ...item, states, ...(details && { details }) }
    }),
  }
}
