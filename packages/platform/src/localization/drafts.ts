import type { translations as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import { currentActor } from '../database/actor.ts'
import { Conflict, NotFound, requireUnchanged } from '../domain-errors.ts'
import type { Database, Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import type { Project } from '../database/project-directory.ts'
import { bumpVersion, scopedAndLocked } from '../database/versions.ts'
import { completeAssignments } from './assignments.ts'
import { publishCatalog, readCatalogIds } from './catalog.ts'
import { requireNoErrors } from './draft-problems.ts'
import { moduleNames, removeDraftedKeys, rowsOf } from './edit-translations.ts'
import { isKeyDrafted, isKeyServed, keyExists } from './key-exists.ts'
import { otherForm } from './plural-forms.ts'
import { publishableDrafts, selectDrafts } from './publishable-drafts.ts'
import { partsOf, rowColumns, saveTranslations, type TranslationRow } from './save-translations.ts'
import { everyLanguage, sourceChange, writtenFrom } from './state-expressions.ts'
import { publishStates, readKeyStates } from './states.ts'

type DraftChange = contract.DraftChange

/**
 * Saves drafts, all or none, and refuses those whose `expected` value is no longer the current one.
 * Returns the states of their keys, because a changed source text changes those of other languages.
 *
 * @param keys refuses translations of keys that exist, served or drafted (`new`), or of those that
 * do not, and of keys that the next publication removes (`existing`).
 * @throws Invalid, NotFound, Conflict
 */
export const saveDrafts = (
  database: Database,
  project: Project,
  drafts: readonly DraftChange[],
  keys: 'any' | 'new' | 'existing' = 'any',
): Promise<{
  readonly saved: number
  readonly states: Awaited<ReturnType<typeof readKeyStates>>
}> =>
  scopedAndLocked(database, project, async (tables) => {
    if (keys === 'new') await rejectExisting(tables, drafts)
    if (keys === 'existing') await rejectUnknown(tables, drafts)
    const { saved } = await draftTranslations(tables, project.id, drafts)
    return { saved, states: await readKeyStates(tables, drafts) }
  })

/**
 * Saves drafts like {@link saveDrafts}. The caller holds the lock on the project's row.
 *
 * @throws Invalid, Conflict
 */
export async function draftTranslations(
  tables: Tables,
  projectId: number,
  drafts: readonly DraftChange[],
): Promise<{ readonly saved: number }> {
  await rejectOutdated(tables, drafts)
  await writeDrafts(tables, projectId, drafts)
  return { saved: drafts.length }
}

/** A key with a pending removal counts as removed. @throws Conflict */
async function rejectExisting(tables: Tables, drafts: readonly DraftChange[]): Promise<void> {
  const given = recordset(rowsOf(drafts, await readCatalogIds(tables)), rowColumns)
  const { rows } = await tables.execute<{ key: string }>(sql`
    select u.key from ${given}
    left join servicekit.keys k on k.module_id = u."moduleId" and k.key = u.key
    left join servicekit.drafts d on d.module_id = u."moduleId" and d.key = u.key
    where u."languageId" <> ${everyLanguage}
      and coalesce(d.language_id <> ${everyLanguage}, k.id is not null)
    limit 1`)
  if (rows[0]) throw new Conflict(`The key ${rows[0].key} exists.`)
}

/**
 * A key with a pending removal counts as removed, and a plural form of a message as a part of it.
 *
 * @throws NotFound
 */
async function rejectUnknown(tables: Tables, drafts: readonly DraftChange[]): Promise<void> {
  const given = recordset(rowsOf(drafts, await readCatalogIds(tables)), rowColumns)
  const moduleId = sql`u."moduleId"`
  const key = sql`u.key`
  const other = otherForm(key)
  const { rows } = await tables.execute<{ key: string }>(sql`
    select u.key from ${given}
    where coalesce(${isKeyDrafted(moduleId, key)}, nullif(${isKeyServed(moduleId, key)}, false),
      ${other} <> u.key and ${keyExists(moduleId, other)}) is not true
    limit 1`)
  if (rows[0]) throw new NotFound(`There is no key ${rows[0].key}.`)
}

/** Rejects drafts of translations that changed since the client read them. @throws Conflict */
async function rejectOutdated(tables: Tables, drafts: readonly DraftChange[]): Promise<void> {
  const given = drafts.filter((one) => 'expected' in one && one.expected !== undefined)
  const ofKeys = given.filter((one) => !('language' in one))
  const texts = given.filter((one) => 'language' in one)
  const { rows } = await tables.execute<{ key: string }>(sql`
    select u.key from ${recordset(texts, 'module text, language text, key text, expected text')}
    join servicekit.modules m on m.name = u.module
    join servicekit.languages l on l.code = u.language
    left join servicekit.drafts d on d.module_id = m.id and d.key = u.key
      and d.language_id in (l.id, ${everyLanguage})
    left join servicekit.keys k on k.module_id = m.id and k.key = u.key
    left join servicekit.texts t on t.module_id = m.id and t.key_id = k.id and t.language_id = l.id
    where case when d.key is null then t.value else d.value end is distinct from u.expected
    union all
    select u.key from ${recordset(ofKeys, 'module text, key text, expected jsonb')}
    where u.expected is distinct from (
      select case when bool_or(d.language_id = ${everyLanguage}) then null
        else coalesce(jsonb_object_agg(l.code, d.value) filter (where l.id > 0), '{}') end
      from servicekit.drafts d
      join servicekit.modules m on m.id = d.module_id
      left join servicekit.languages l on l.id = d.language_id
      where m.name = u.module and d.key = u.key)
    limit 1`)
  if (rows[0])
    throw new Conflict(`The translation of ${rows[0].key} has changed since it was read.`)
}

/** Writes drafts. The caller holds the lock on the project's row. @throws Invalid */
export async function writeDrafts(
  tables: Tables,
  projectId: number,
  drafts: readonly DraftChange[],
): Promise<void> {
  const ids = await readCatalogIds(tables)
  const [discarded, kept] = [true, false].map((isDiscarded) =>
    rowsOf(
      drafts.filter((one) => 'isDiscarded' in one === isDiscarded),
      ids,
    ),
  ) as [readonly TranslationRow[], readonly TranslationRow[]]
  await tables.execute(sql`
    delete from servicekit.drafts d using ${recordset(discarded, rowColumns)}
    where d.module_id = u."moduleId" and d.key = u.key`)
  for (const part of await partsOf(tables, kept)) {
    const given = recordset(part, `${rowColumns}, details json`)
    // A key has either a pending removal or pending translations; the newer draft wins.
    await tables.execute(sql`
      delete from servicekit.drafts d using ${given}
      where d.module_id = u."moduleId" and d.key = u.key
        and (d.language_id = ${everyLanguage}) <> (u."languageId" = ${everyLanguage})`)
    // A draft with the served text has the state of that, and one with its former text keeps its own.
    const state = (column: SQL) => sql`${column} = case
      when old.value is not distinct from excluded.value then old.${column}
      else excluded.${column} end`
    await tables.execute(sql`
      insert into servicekit.drafts as old (project_id, module_id, language_id, key, value, details,
        is_reviewed, translated_from, actor)
      select ${projectId}::int, u.*, coalesce(t.is_reviewed, false),
        case when t.key_id is null then ${writtenFrom} else t.translated_from end,
        ${currentActor().actor}
      from ${given}
      ${sourceChange}
      -- Each limit makes PostgreSQL look the row up by its primary key.
      left join lateral (select id from servicekit.keys k
        where k.module_id = u."moduleId" and k.key = u.key limit 1) k on true
      left join lateral (select * from servicekit.texts t where t.module_id = u."moduleId"
        and t.language_id = u."languageId" and t.key_id = k.id and t.value = u.value limit 1) t on true
      on conflict (project_id, module_id, key, language_id) do update
      set value = excluded.value, details = coalesce(excluded.details, old.details),
        ${state(sql`is_reviewed`)}, ${state(sql`translated_from`)}, ${state(sql`actor`)}`)
  }
  await completeAssignments(
    tables,
    kept.filter(({ value }) => value),
  )
}

/** Returns the drafts of the scope's project, or some, ordered by module, key and language. */
export async function readDrafts(
  tables: Tables,
  drafts: SQL = sql`servicekit.drafts`,
): Promise<contract.Draft[]> {
  const { rows } = await tables.execute<{
    module: string
    key: string
    language: string | null
    value: string | null
    details: contract.KeyDetails | null
  }>(sql`
    select m.name as module, d.key, l.code as language, d.value, d.details
    from ${drafts} d
    join servicekit.modules m on m.id = d.module_id
    left join servicekit.languages l on l.id = d.language_id
    order by m.position, d.key collate "C", l.position`)
  return rows.map(({ module, key, language, value, details }) =>
    language === null
      ? { module, key, isRemoved: true }
      : { module, key, language, value, ...(details && { details }) },
  )
}

/**
 * Discards the drafts of one key, or all drafted translations and removals.
 * @returns the number of discarded drafts.
 */
export async function discardDrafts(
  tables: Tables,
  only?: { readonly module: string; readonly key: string },
): Promise<number> {
  const condition = only
    ? sql`key = ${only.key} and module_id =
        (select id from servicekit.modules where name = ${only.module})`
    : sql`true`
  const { rowCount } = await tables.execute(sql`delete from servicekit.drafts where ${condition}`)
  return rowCount ?? 0
}

/**
 * Publishes drafts: languages, modules, translations and removals of keys. Those that are not
 * reviewed stay drafts if the project publishes only reviewed translations. The caller holds the
 * project's lock.
 *
 * @param selection drafts to publish, all by default.
 * @param expected selected translations and removals that the client knows.
 * @param isConfirmed publishes messages with errors.
 * @returns the changed modules, undefined if nothing changed, and the number of drafts left out.
 * @throws Conflict if there are other drafts than `expected`.
 * @throws Refused if the messages have errors and `isConfirmed` is false.
 */
export async function publishDrafts(
  tables: Tables,
  projectId: number,
  {
    selection,
    expected,
    isConfirmed,
  }: {
    readonly selection?: contract.PublishSelection | undefined
    readonly expected?: readonly DraftChange[] | undefined
    readonly isConfirmed: boolean
  },
): Promise<{ readonly changed: readonly string[] | undefined; readonly withheld: number }> {
  if (expected) {
    requireUnchanged(await readDrafts(tables, await selectDrafts(tables, selection)), expected)
  }
  if (!isConfirmed) await requireNoErrors(tables, selection)
  const drafts = await publishableDrafts(tables, selection)
  const isCatalogChanged = await publishCatalog(tables, selection && drafts)
  const removed = await removeDraftedKeys(tables, projectId, drafts)
  const { rows } = await tables.execute<TranslationRow & Record<string, unknown>>(sql`
    select module_id as "moduleId", language_id as "languageId", key, value
    from ${drafts} d where language_id <> ${everyLanguage}`)
  const changed = await saveTranslations(tables, projectId, rows)
  await publishStates(tables, drafts)
  await tables.execute(sql`
    update servicekit.keys k set details = d.details from ${drafts} d
    where d.module_id = k.module_id and d.key = k.key and d.details is not null`)
  await tables.execute(sql`
    delete from servicekit.drafts where (module_id, key, language_id) in (
      select d.module_id, d.key, d.language_id from ${drafts} d)`)
  const { rows: left } = await tables.execute<{ count: number }>(sql`
    select count(*)::int as count from servicekit.drafts`)
  const withheld = left[0]!.count
  const changedIds = new Set([...removed, ...changed])
  if (changedIds.size === 0 && !isCatalogChanged) return { changed: undefined, withheld }
  await bumpVersion(tables, projectId, 'textsVersion')
  return { changed: moduleNames(changedIds, await readCatalogIds(tables)), withheld }
}
