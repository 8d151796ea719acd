import { isMissingMarker } from '@servicekit/contract'
import type { states as contract, translations } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import { Conflict, Invalid } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import { completeAssignments } from './assignments.ts'
import { readCatalogIds } from './catalog.ts'
import { rowsOf } from './edit-translations.ts'
import { formSuffix, isUnusedForm } from './plural-forms.ts'
import { recordHistory } from './save-translations.ts'
import {
  everyLanguage,
  isWritten,
  sourceChange,
  sourceOf,
  stateFor,
  writtenFrom,
  writtenState,
} from './state-expressions.ts'

/**
 * Expression for the current translation of a key: its draft, or else its text. The limit makes
 * PostgreSQL look it up by its primary key.
 */
export const currentTranslation = (
  moduleId: SQL,
  key: SQL,
  keyId: SQL,
  languageId: SQL,
): SQL => sql`(
  select d.key is not null as is_draft, ${languageId} as language_id,
    case when d.key is null then t.value else d.value end as value,
    case when d.key is null then t.is_reviewed else d.is_reviewed end as is_reviewed,
    case when d.key is null then t.translated_from else d.translated_from end as translated_from
  from (select) one
  left join servicekit.drafts d
    on d.module_id = ${moduleId} and d.key = ${key} and d.language_id in (${everyLanguage}, ${languageId})
  left join servicekit.texts t
    on t.module_id = ${moduleId} and t.language_id = ${languageId} and t.key_id = ${keyId}
  limit 1)`

/** Returns the stored states of keys, which `KeyRecord` describes. */
export async function readKeyStates(
  tables: Tables,
  changes: readonly Pick<translations.DraftChange, 'module' | 'key'>[],
) {
  const keys = new Map(changes.map(({ module, key }) => [`${module}\n${key}`, { module, key }]))
  const { rows } = await tables.execute<{
    module: string
    key: string
    states: translations.KeyRecord['states']
  }>(sql`
    select u.module, u.key, (
      select coalesce(json_object_agg(l.code, s.state) filter (where s.state <> 'translated'), '{}')
      from servicekit.languages l,
        lateral ${currentTranslation(sql`m.id`, sql`u.key`, sql`k.id`, sql`l.id`)} c,
        lateral (select ${stateFor(sql`c`, sql`o`)} as state) s
      where ${isWritten(sql`c.value`)}) as states
    from ${recordset([...keys.values()], 'module text, key text')}
    join servicekit.modules m on m.name = u.module
    left join lateral (select id from servicekit.keys k
      where k.module_id = m.id and k.key = u.key limit 1) k on true,
    lateral ${sourceOf(sql`m.id`, sql`u.key`)} o`)
  return rows
}

const givenColumns = '"moduleId" int, "languageId" int, key text, value text'

/**
 * Sets the states of translations, all or none. The caller holds the project's lock.
 *
 * @returns the number of translations whose state changed.
 * @throws Invalid if a translation has no text.
 * @throws Conflict if a text or its source text is not the one that the client knows.
 */
export async function setStates(
  tables: Tables,
  projectId: number,
  changes: readonly contract.StateChange[],
): Promise<number> {
  const found = await findStates(tables, changes)
  for (const { key, value, current, isOutdated } of found) {
    const isMissing = value === '' || isMissingMarker(value)
    if (isMissing) throw new Invalid(`The translation of ${key} has no text.`)
    if (current !== value || isOutdated) {
      throw new Conflict(`The translation of ${key} has changed since it was read.`)
    }
  }
  const changed = found.filter(({ isChanged }) => isChanged)
  await writeStates(tables, changed)
  for (const state of new Set(changed.map((one) => one.state))) {
    const given = changed.filter((one) => one.state === state)
    const entries = sql`select u.*, u.value from ${recordset(given, givenColumns)}`
    await recordHistory(tables, projectId, entries, state)
  }
  await completeAssignments(
    tables,
    found.filter((one) => one.state !== 'needsReview'),
  )
  return changed.length
}

/** Compares states to set with the current ones. The last change of a translation wins. */
async function findStates(
  tables: Tables,
  changes: readonly contract.StateChange[],
): Promise<readonly FoundState[]> {
  const ids = await readCatalogIds(tables)
  const given = changes.map(({ expected, state, source, module, key, language }) => {
    const [row] = rowsOf([{ module, key, language, value: expected }], ids)
    return { ...row!, state, source, hasSource: source !== undefined }
  })
  const unique = new Map(
    given.map((row) => [JSON.stringify([row.moduleId, row.languageId, row.key]), row]),
  )
  const columns = `${givenColumns}, state text, source text, "hasSource" boolean`
  const { rows } = await tables.execute<FoundState>(sql`
    select u."moduleId", u."languageId", u.key, u.value, u.state, u.state = 'reviewed' as "isReviewed",
      -- No source text is empty.
      case when u.state = 'needsReview' then '' else ${writtenFrom} end as "translatedFrom", c.value as current, c.is_draft as "isDraft",
      (u."hasSource" and u.source is distinct from servicekit.source_text(u."moduleId", u.key))
        as "isOutdated",
      ${writtenState(sql`c`, sql`u."moduleId"`, sql`u.key`)} <> u.state as "isChanged"
    from ${recordset([...unique.values()], columns)}
    ${sourceChange}
    left join servicekit.keys k on k.module_id = u."moduleId" and k.key = u.key,
      lateral ${currentTranslation(sql`u."moduleId"`, sql`u.key`, sql`k.id`, sql`u."languageId"`)} c`)
  return rows
}

interface StateRow {
  readonly moduleId: number
  readonly languageId: number
  readonly key: string
  readonly isDraft?: boolean | undefined
  readonly isReviewed?: boolean | undefined
  readonly translatedFrom?: string | null | undefined
}

interface FoundState extends Record<string, unknown>, StateRow {
  readonly value: string
  readonly state: contract.StateChange['state']
  readonly isDraft: boolean
  readonly current: string | null
  readonly isOutdated: boolean
  readonly isChanged: boolean
}

/** Joins the row `x` of a text by its primary key, which the limits make PostgreSQL do. */
const textOf = (moduleId: SQL, languageId: SQL, key: SQL): SQL => sql`
  lateral (select id from servicekit.keys k
    where k.module_id = ${moduleId} and k.key = ${key} limit 1) k,
  lateral (select t.ctid, t.is_reviewed, t.translated_from from servicekit.texts t
    where t.module_id = ${moduleId} and t.language_id = ${languageId} and t.key_id = k.id limit 1) x`

/** Writes the states of texts and drafts, which have no state afterwards unless one is given. */
async function writeStates(tables: Tables, rows: readonly StateRow[]): Promise<void> {
  const columns =
    '"moduleId" int, "languageId" int, key text, "isReviewed" boolean, "translatedFrom" text'
  const values = sql`is_reviewed = coalesce(u."isReviewed", false),
    translated_from = u."translatedFrom"`
  await tables.execute(sql`
    update servicekit.drafts d set ${values}
    from ${recordset(
      rows.filter(({ isDraft }) => isDraft),
      columns,
    )}
    where d.module_id = u."moduleId" and d.language_id = u."languageId" and d.key = u.key`)
  await tables.execute(sql`
    update servicekit.texts t set ${values}
    from (
      select u.*, x.ctid as place
      from ${recordset(
        rows.filter(({ isDraft }) => !isDraft),
        columns,
      )}, ${textOf(sql`u."moduleId"`, sql`u."languageId"`, sql`u.key`)}
    ) u
    where t.ctid = u.place`)
}

/** Gives texts the states of the drafts that are published with them. */
export const publishStates = (tables: Tables, drafts: SQL) =>
  tables.execute(sql`
    update servicekit.texts t
    set is_reviewed = d.is_reviewed, translated_from = d.translated_from
    from (
      select d.is_reviewed, d.translated_from, x.ctid as place
      from ${drafts} d, ${textOf(sql`d.module_id`, sql`d.language_id`, sql`d.key`)}
      where (x.is_reviewed, x.translated_from) is distinct from (d.is_reviewed, d.translated_from)
    ) d
    where t.ctid = d.place`)

/** Counts the translations of the scope's languages by state, drafts included. */
export async function countStates(tables: Tables): Promise<contract.LanguageStates[]> {
  const codes = [...(await readCatalogIds(tables)).languages.keys()]
  const projectId = sql`${tables.projectId}::int`
  const keyOf = (row: SQL) => sql`servicekit.keys k on k.project_id = ${projectId}
    and k.module_id = ${row}.module_id and k.key = ${row}.key`
  /** Counts the texts `t` that a draft `d` of their language, or the removal of their key, replaces. */
  const countReplaced = (isOfDraft: SQL) => sql`
    select t.language_id, -count(*)::int, -(count(*) filter (where t.is_reviewed))::int, 0
    from drafted d join servicekit.texts t on t.project_id = ${projectId}
      and t.module_id = d.module_id and t.key_id = d.key_id and ${isOfDraft} and t.is_written
    group by 1`
  const { rows } = await tables.execute<{
    languageCode: string
    expected: number
    written: number
    reviewed: number
    needsReview: number
  }>(sql`
    with drafted as materialized (
      select d.module_id, d.key, k.id as key_id, d.language_id, d.is_written, d.is_reviewed, d.needs_review
      from servicekit.drafts d left join ${keyOf(sql`d`)} where d.project_id = ${projectId}
    ), needed as materialized (
      select r.module_id, k.id as key_id, n.language_id
      from servicekit.needed_reviews r left join ${keyOf(sql`r`)},
        unnest(r.language_ids) n (language_id)
      where r.project_id = ${projectId}
    ), counted as materialized (
      select language_id, count(*)::int as written,
        (count(*) filter (where is_reviewed))::int as reviewed, 0 as needed
      from servicekit.texts where project_id = ${projectId} and is_written group by 1
      union all ${countReplaced(sql`t.language_id = d.language_id`)}
      union all ${countReplaced(sql`d.language_id = ${everyLanguage}`)}
      union all select language_id, count(*)::int,
        (count(*) filter (where is_reviewed and not needs_review))::int, 0
      from drafted where is_written group by 1
      union all select language_id, 0, 0, count(*)::int from needed group by 1
      -- Reviewed texts that need a review again.
      union all select n.language_id, 0, -count(*)::int, 0
      from needed n join servicekit.texts t on t.project_id = ${projectId}
        and t.module_id = n.module_id and t.language_id = n.language_id and t.key_id = n.key_id
      where t.is_reviewed and not exists (select from drafted d
        where d.key_id = n.key_id and d.language_id = n.language_id)
      group by 1
    ), forms as materialized (
      select id, module_id, key from servicekit.keys
      where project_id = ${projectId} and key ~ ${formSuffix}
    ), keys as (
      select count(*)::int as total from servicekit.keys where project_id = ${projectId}
      union all select -count(*)::int from drafted
        where language_id = ${everyLanguage} and key_id is not null
      union all select count(distinct (module_id, key))::int from drafted
        where language_id <> ${everyLanguage} and key_id is null
    )
    select l.code as "languageCode",
      (select sum(total)::int from keys) - (select count(*)::int from forms k
        where ${isUnusedForm({ name: sql`k.key`, moduleId: sql`k.module_id` }, sql`l.code`, codes)}
          and not exists (select from servicekit.texts t where t.project_id = ${projectId}
            and t.module_id = k.module_id and t.language_id = l.id and t.key_id = k.id
            and t.is_written)) as expected,
      coalesce(sum(c.written), 0)::int as written, coalesce(sum(c.reviewed), 0)::int as reviewed,
      coalesce(sum(c.needed), 0)::int as "needsReview"
    from servicekit.languages l left join counted c on c.language_id = l.id
    where l.project_id = ${projectId} group by l.id, l.code, l.position order by l.position`)
  return rows.map(({ languageCode, expected, written, reviewed, needsReview }) => {
    const untranslated = Math.max(0, expected - written)
    const translated = written - reviewed - needsReview
    return { languageCode, states: { untranslated, translated, needsReview, reviewed } }
  })
}

/** Query for the stored states of an export, as `StoredState` describes them. */
export const storedStates = (projectId: SQL): SQL => sql`
  with r as materialized (
    select d.module_id, d.key, d.language_id, d.is_reviewed, d.translated_from, true as is_draft
    from servicekit.drafts d where d.project_id = ${projectId}
      and d.language_id <> ${everyLanguage} and ${isWritten(sql`d.value`)}
    union all
    select t.module_id, k.key, t.language_id, t.is_reviewed, t.translated_from, false
    from servicekit.texts t join servicekit.keys k on k.project_id = ${projectId} and k.id = t.key_id
    where t.project_id = ${projectId} and t.is_written
      and (t.is_reviewed or t.translated_from is not null
        or (t.module_id, k.key) in (select c.module_id, c.key from servicekit.source_changes c
          where c.project_id = ${projectId}))
  ), o as materialized (
    select k.*, o.* from (select distinct module_id, key from r) k,
      lateral ${sourceOf(sql`k.module_id`, sql`k.key`)} o
  ), s as (
    select r.*, ${stateFor(sql`r`, sql`o`)} as state, coalesce(r.translated_from, o.original) as former
    from r join o using (module_id, key)
  )
  select json_strip_nulls(json_build_object('module', m.name, 'key', s.key, 'language', l.code,
    'isDraft', nullif(s.is_draft, false), 'isReviewed', nullif(s.is_reviewed, false),
    'translatedFrom', case when s.state = 'needsReview' then s.former end)) as row
  from s
  join servicekit.modules m on m.project_id = ${projectId} and m.id = s.module_id
  join servicekit.languages l on l.project_id = ${projectId} and l.id = s.language_id
  where s.is_reviewed or s.state = 'needsReview'
  order by m.position, s.key collate "C", l.position, s.is_draft`

/** Replaces all states by those of an export. @throws Invalid */
export async function restoreStates(
  tables: Tables,
  states: readonly contract.StoredState[],
): Promise<void> {
  for (const table of [sql`texts`, sql`drafts`]) {
    await tables.execute(sql`
      update servicekit.${table} set is_reviewed = false, translated_from = null
      where is_reviewed or translated_from is not null`)
  }
  await tables.execute(sql`delete from servicekit.source_changes`)
  const ids = await readCatalogIds(tables)
  const rows = states.map(({ isDraft, isReviewed, translatedFrom, ...one }) => {
    const [row] = rowsOf([{ ...one, value: null }], ids)
    return { ...row!, isDraft, isReviewed, translatedFrom }
  })
  await writeStates(tables, rows)
}
