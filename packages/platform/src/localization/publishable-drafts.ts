import type { states as contract, translations } from '@servicekit/contract/control'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import { projects } from '../database/tables.ts'
import { Invalid } from '../domain-errors.ts'
import { type CatalogIds, readCatalogIds } from './catalog.ts'
import { authorName } from './comments.ts'
import { everyLanguage, isWritten, writtenState } from './state-expressions.ts'

const draftState = writtenState(sql`d`, sql`d.module_id`, sql`d.key`)

/**
 * Condition for drafts that stay drafts while only reviewed translations are published. The source
 * text needs no review, and neither does a text that is removed.
 */
const isWithheld = sql`(d.language_id not in (${everyLanguage}, servicekit.source_language())
  and ${isWritten(sql`d.value`)} and ${draftState} <> 'reviewed')`

/** Condition for drafts that have one of some states. */
const hasState = (
  states: readonly contract.TranslationState[],
): SQL => sql`(d.language_id <> ${everyLanguage}
  and case when ${isWritten(sql`d.value`)} then ${draftState} else 'untranslated' end
    = any(${sql.param([...states])}::text[]))`

/**
 * Returns the relation of the drafts that a selection contains.
 *
 * @throws Invalid for an unknown language or module.
 */
export async function selectDrafts(
  tables: Tables,
  { languages, modules, states, keys }: translations.PublishSelection = {},
): Promise<SQL> {
  const known = await readCatalogIds(tables)
  const isOneOf = (column: SQL, kind: 'languages' | 'modules', names: readonly string[]) =>
    sql`${column} = any(${sql.param(idsOf(known, kind, names))}::int[])`
  const conditions = [
    languages && isOneOf(sql`d.language_id`, 'languages', languages),
    modules && isOneOf(sql`d.module_id`, 'modules', modules),
    states && hasState(states),
    keys &&
      sql`(d.module_id, d.key) in (select m.id, u.key
        from ${recordset(keys, 'module text, key text')}
        join servicekit.modules m
          on m.project_id = ${tables.projectId}::int and m.name = u.module)`,
  ]
  const condition = and(sql`d.project_id = ${tables.projectId}::int`, ...conditions)
  return sql`(select d.* from servicekit.drafts d where ${condition})`
}

const idsOf = (
  known: CatalogIds,
  kind: 'languages' | 'modules',
  names: readonly string[],
): readonly number[] =>
  names.map((name) => {
    const id = known[kind].get(name)
    if (id !== undefined) return id
    throw new Invalid(`The project has no ${kind.slice(0, -1)} ${name}.`)
  })

/** Returns the relation of the drafts that a publication includes: all, or those of a selection. */
export async function publishableDrafts(
  tables: Tables,
  selection?: translations.PublishSelection,
): Promise<SQL> {
  const selected = await selectDrafts(tables, selection)
  return (await publishesOnlyReviewed(tables))
    ? sql`(select d.* from ${selected} d where not ${isWithheld})`
    : selected
}

/** Returns the drafts that a publication leaves out, by module, key and language. */
export async function readWithheldDrafts(
  tables: Tables,
  selection?: translations.PublishSelection,
): Promise<contract.WithheldDraft[]> {
  if (!(await publishesOnlyReviewed(tables))) return []
  const { rows } = await tables.execute<contract.WithheldDraft>(sql`
    select m.name as module, d.key, l.code as language, ${draftState} as state
    from ${await selectDrafts(tables, selection)} d
    join servicekit.modules m on m.project_id = d.project_id and m.id = d.module_id
    join servicekit.languages l on l.project_id = d.project_id and l.id = d.language_id
    where ${isWithheld} order by m.position, d.key collate "C", l.position`)
  return rows
}

/** Returns the authors of drafts, in the order of the drafts. */
export async function readDraftAuthors(
  tables: Tables,
  drafts: SQL,
): Promise<translations.DraftAuthor[]> {
  const { rows } = await tables.execute<translations.DraftAuthor>(sql`
    select m.name as module, c.key, l.code as language, c.actor, ${authorName} as author
    from ${drafts} c
    join servicekit.modules m on m.project_id = c.project_id and m.id = c.module_id
    left join servicekit.languages l on l.project_id = c.project_id and l.id = c.language_id
    order by m.position, c.key collate "C", l.position`)
  return rows
}

/** Returns the option of the scope's project. */
async function publishesOnlyReviewed(tables: Tables): Promise<boolean> {
  const [row] = await tables
    .select({ value: projects.publishOnlyReviewed })
    .from(projects)
    .where(sql`${projects.id} = nullif(current_setting('servicekit.project', true), '')::int`)
  return row?.value === true
}
