import type { assignments as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import { actingUserId } from '../database/actor.ts'
import type { Tables } from '../database/database.ts'
import { isoTime, recordset } from '../database/sql-parts.ts'
import { Invalid } from '../domain-errors.ts'
import { namesOf } from '../identity/users.ts'
import { readCatalogIds } from './catalog.ts'
import { findKeys } from './key-exists.ts'

/** Translation, by the ids of its module and language. */
interface TranslationId {
  readonly moduleId: number
  readonly languageId: number
  readonly key: string
}

const idColumns = '"moduleId" int, "languageId" int, key text'

const isGiven = sql`a.module_id = u."moduleId" and a.language_id = u."languageId" and a.key = u.key`

/** Returns the assignments of a key, in the order of the languages. */
export async function listAssignments(
  tables: Tables,
  { module, key }: { readonly module: string; readonly key: string },
): Promise<contract.AssignmentRecord[]> {
  const { rows } = await tables.execute<contract.AssignmentRecord>(sql`
    select m.name as module, a.key, l.code as language, a.due::text as due,
      ${isoTime('a.done_at')} as "doneAt", ${namesOf(sql`array[a.person]`)} -> 0 as person
    from servicekit.assignments a
    join servicekit.modules m on m.id = a.module_id
    join servicekit.languages l on l.id = a.language_id
    where m.name = ${module} and a.key = ${key}
    order by l.position`)
  return rows
}

/**
 * Assigns translations to a person, or to nobody.
 *
 * @returns the number of translations whose assignment changed.
 * @throws Invalid, NotFound
 */
export async function assign(
  tables: Tables,
  projectId: number,
  { keys, languages, person, due }: contract.Assignment,
): Promise<number> {
  const ids = await readLanguageIds(tables, languages)
  const found = recordset(await findKeys(tables, keys), '"moduleId" int, key text')
  const given = sql`(select u.*, id as "languageId"
    from ${found}, unnest(${sql.param(ids)}::int[]) id) u`
  const { rowCount } =
    person === null
      ? await tables.execute(sql`
          delete from servicekit.assignments a using ${given} where ${isGiven}`)
      : await tables.execute(sql`
          insert into servicekit.assignments as old
            (project_id, module_id, key, language_id, person, due)
          select ${projectId}::int, u."moduleId", u.key, u."languageId", ${person}, ${due}::date
          from ${given}
          on conflict (project_id, module_id, key, language_id) do update
          set person = excluded.person, due = excluded.due, done_at = null
          where (old.person, old.due, old.done_at) is distinct from
            (excluded.person, excluded.due, null)`)
  return rowCount ?? 0
}

async function readLanguageIds(
  tables: Tables,
  codes: readonly string[],
): Promise<readonly number[]> {
  const { languages } = await readCatalogIds(tables)
  return [...new Set(codes)].map((code) => {
    const id = languages.get(code)
    if (id === undefined) throw new Invalid(`The project has no language ${code}.`)
    return id
  })
}

/** Marks assignments as done or open. @returns the number of assignments that changed. */
export async function finishAssignments(
  tables: Tables,
  translations: readonly Pick<contract.AssignmentRecord, 'module' | 'key' | 'language'>[],
  isDone: boolean,
): Promise<number> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.assignments a set done_at = ${isDone ? sql`now()` : sql`null`}
    from (select m.id as "moduleId", l.id as "languageId", u.key
      from ${recordset(translations, 'module text, key text, language text')}
      join servicekit.modules m on m.name = u.module
      join servicekit.languages l on l.code = u.language) u
    where ${isGiven} and (a.done_at is null) = ${isDone}`)
  return rowCount ?? 0
}

/** Marks the assignments of translations as done that are those of the user who changes them. */
export async function completeAssignments(
  tables: Tables,
  translations: readonly TranslationId[],
): Promise<void> {
  const person = actingUserId()
  if (person === undefined || translations.length === 0) return
  const ids = translations.map(({ moduleId, languageId, key }) => ({ moduleId, languageId, key }))
  await tables.execute(sql`
    update servicekit.assignments a set done_at = now() from ${recordset(ids, idColumns)}
    where ${isGiven} and a.person = ${person} and a.done_at is null`)
}

/** Returns the ids of people who have assignments to do. */
export async function readAssignedIds(tables: Tables): Promise<readonly string[]> {
  const { rows } = await tables.execute<{ person: string }>(sql`
    select distinct person from servicekit.assignments where done_at is null order by person`)
  return rows.map(({ person }) => person)
}

/** Query for the assignments of an export, as `StoredAssignment` describes them. */
export const storedAssignments = (projectId: SQL): SQL => sql`
  select json_strip_nulls(json_build_object('module', m.name, 'key', a.key, 'language', l.code,
    'person', a.person, 'due', a.due, 'doneAt', ${isoTime('a.done_at')})) as row
  from servicekit.assignments a
  join servicekit.modules m on m.project_id = ${projectId} and m.id = a.module_id
  join servicekit.languages l on l.project_id = ${projectId} and l.id = a.language_id
  where a.project_id = ${projectId} order by m.position, a.key collate "C", l.position`

/** Replaces all assignments by those of an export. @throws Invalid */
export async function restoreAssignments(
  tables: Tables,
  projectId: number,
  assignments: readonly contract.StoredAssignment[],
): Promise<void> {
  await tables.execute(sql`delete from servicekit.assignments`)
  const { rowCount } = await tables.execute(sql`
    insert into servicekit.assignments
      (project_id, module_id, key, language_id, person, due, done_at)
    select ${projectId}::int, m.id, u.key, l.id, u.person, u.due, u."doneAt"
    from ${recordset(
      assignments,
      'module text, key text, language text, person text, due date, "doneAt" timestamptz',
    )}
    join servicekit.modules m on m.name = u.module
    join servicekit.languages l on l.code = u.language`)
  if (rowCount === assignments.length) return
  throw new Invalid('An assignment names a language or a module that the project does not have.')
}
