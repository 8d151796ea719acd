import { missingMarker } from '@servicekit/contract'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { KeyDetails } from './edit-translations.ts'

/** Filter and page of a key listing. The first page is 1. */
export interface KeyFilter {
  readonly module?: string | undefined
  /** Part of a key or of any of its translations; case-insensitive. */
  readonly search?: string | undefined
  /** Only keys without a translation in this language, served or drafted. */
  readonly missing?: string | undefined
  readonly page: number
  readonly pageSize: number
}

/** Key with its served and drafted translations by language. */
export interface ListedKey {
  readonly module: string
  readonly key: string
  readonly texts: Readonly<Record<string, string | null>>
  readonly drafts: Readonly<Record<string, string | null>>
  /** True if the next publishing removes the key. */
  readonly isRemoved: boolean
  readonly details?: KeyDetails
}

/** Condition for a translation that is not missing: instances store missing ones in three ways. */
export const isWritten = (column: SQL): SQL =>
  sql`(${column} is not null and ${column} <> '' and ${column} <> ${missingMarker})`

/** Returns one page of the scope's keys, ordered by module and key. */
export async function listKeys(
  tables: Tables,
  { module, search, missing, page, pageSize }: KeyFilter,
): Promise<{ readonly totalCount: number; readonly items: readonly ListedKey[] }> {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const where = and(
    module === undefined ? undefined : sql`m.name = ${module}`,
    search
      ? sql`(a.key ilike ${pattern} or exists (
          select from both_kinds b where b.module_id = a.module_id and b.key = a.key
            and b.value ilike ${pattern}))`
      : undefined,
    missing
      ? sql`not exists (
          select from both_kinds b join servicekit.languages l on l.id = b.language_id
          where b.module_id = a.module_id and b.key = a.key and l.code = ${missing}
            and ${isWritten(sql`b.value`)})`
      : undefined,
  )
  const { rows } = await tables.execute<
    ListedKey & { total: number; details: KeyDetails | null } & Record<string, unknown>
  >(sql`
    with both_kinds as (
      select k.module_id, k.key, t.language_id, t.value, k.details, false as is_draft
      from servicekit.keys k join servicekit.texts t on t.module_id = k.module_id and t.key_id = k.id
      union all
      select module_id, key, language_id, value, details, true from servicekit.drafts
    ), found as (
      select a.module_id, a.key, m.name as module, m.position, count(*) over ()::int as total
      from (select distinct module_id, key from both_kinds) a
      join servicekit.modules m on m.id = a.module_id
      where ${where ?? sql`true`}
      order by m.position, a.key collate "C"
      limit ${pageSize}::int offset ${(page - 1) * pageSize}::int
    )
    select f.module, f.key, f.total,
      coalesce(json_object_agg(l.code, b.value) filter (where l.id is not null and not b.is_draft), '{}')
        as texts,
      coalesce(json_object_agg(l.code, b.value) filter (where l.id is not null and b.is_draft), '{}')
        as drafts,
      bool_or(b.language_id = 0) as "isRemoved",
      (array_agg(b.details order by b.is_draft desc) filter (where b.details is not null))[1] as details
    from found f join both_kinds b on b.module_id = f.module_id and b.key = f.key
    left join servicekit.languages l on l.id = b.language_id
    group by f.module, f.position, f.key, f.total
    order by f.position, f.key collate "C"`)
  return {
    totalCount: rows[0]?.total ?? 0,
    items: rows.map(({ total: _, details, ...item }) => ({ ...item, ...(details && { details }) })),
  }
}
