import type { comments as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import { currentActor } from '../database/actor.ts'
import type { Tables } from '../database/database.ts'
import { isoTime, recordset } from '../database/sql-parts.ts'
import { Invalid } from '../domain-errors.ts'
import { displayName, namesOf } from '../identity/users.ts'
import { readCatalogIds } from './catalog.ts'
import { findKeys } from './key-exists.ts'

/** Expression for the name of the author of the comment `c`; null unless it is a known user. */
export const authorName = sql`(select ${displayName(sql`u`)} from servicekit.users u
  where c.actor like 'user:%' and u.item_id = substr(c.actor, 6) limit 1)`

const record = sql`
  select c.id::float8 as id, m.name as module, c.key, l.code as language, c.text,
    ${isoTime('c.at')} as at, c.actor, ${authorName} as author, ${namesOf(sql`c.mentions`)} as mentions,
    c.is_resolved as "isResolved", ${isoTime('c.edited_at')} as "editedAt",
    ${isoTime('c.removed_at')} as "removedAt", c.removed_by as "removedBy"
  from c
  join servicekit.modules m on m.project_id = c.project_id and m.id = c.module_id
  left join servicekit.languages l on l.project_id = c.project_id and l.id = c.language_id`

/** Returns a page of the comments on messages, or on one, the newest first. */
export async function listComments(
  tables: Tables,
  only: { readonly module: string; readonly key: string } | undefined,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
) {
  const where = only
    ? sql`key = ${only.key} and module_id =
        (select id from servicekit.modules where name = ${only.module})`
    : sql`true`
  const { rows: counted } = await tables.execute<{ total: number }>(sql`
    select count(*)::int as total from servicekit.comments where ${where}`)
  const { rows } = await tables.execute<contract.CommentRecord>(sql`
    with c as (
      select * from servicekit.comments where ${where}
      order by id desc limit ${pageSize}::int offset ${(page - 1) * pageSize}::int
    ) ${record} order by c.id desc`)
  return { totalCount: counted[0]!.total, items: rows }
}

/** Adds a comment by the current actor. @throws NotFound, Invalid */
export async function addComment(
  tables: Tables,
  projectId: number,
  { module, key, language, text, mentions }: contract.NewComment,
  now: Date,
): Promise<contract.CommentRecord> {
  const [found] = await findKeys(tables, [{ module, key }])
  const { languages } = await readCatalogIds(tables)
  const languageId = language === null ? null : languages.get(language)
  if (languageId === undefined) throw new Invalid(`The project has no language ${language}.`)
  const { rows } = await tables.execute<contract.CommentRecord>(sql`
    with c as (
      insert into servicekit.comments
        (project_id, module_id, key, language_id, text, actor, mentions, at)
      values (${projectId}, ${found!.moduleId}, ${key}, ${languageId}, ${text},
        ${currentActor().actor}, ${sql.param([...new Set(mentions)])}::text[], ${now})
      returning *
    ) ${record}`)
  return rows[0]!
}

/** Marks a comment as resolved or open. @returns undefined if there is none. */
export async function resolveComment(
  tables: Tables,
  id: number,
  isResolved: boolean,
): Promise<contract.CommentRecord | undefined> {
  const { rows } = await tables.execute<contract.CommentRecord>(sql`
    with c as (
      update servicekit.comments set is_resolved = ${isResolved}
      where id = ${id} and removed_at is null returning *
    ) ${record}`)
  return rows[0]
}

/** Changes the text of a comment, which exists. */
export async function editComment(
  tables: Tables,
  id: number,
  { text, mentions }: Pick<contract.NewComment, 'text' | 'mentions'>,
  now: Date,
): Promise<contract.CommentRecord> {
  const { rows } = await tables.execute<contract.CommentRecord>(sql`
    with c as (
      update servicekit.comments set text = ${text}, edited_at = ${now},
        mentions = ${sql.param([...new Set(mentions)])}::text[]
      where id = ${id} returning *
    ) ${record}`)
  return rows[0]!
}

/** Removes the text of a comment by the current actor. Nobody has to resolve it any more. */
export const removeComment = (tables: Tables, id: number, now: Date): Promise<unknown> =>
  tables.execute(sql`
    update servicekit.comments set text = '', mentions = '{}', is_resolved = true,
      removed_at = ${now}, removed_by = ${currentActor().actor}
    where id = ${id}`)

/** Author of a comment, and the people that it mentions. */
interface Authorship extends Record<string, unknown> {
  readonly actor: string
  readonly mentions: readonly string[]
}

/** Returns the authorship of a comment; undefined if there is none, or if it was removed. */
export async function findAuthorship(tables: Tables, id: number): Promise<Authorship | undefined> {
  const { rows } = await tables.execute<Authorship>(sql`
    select actor, mentions from servicekit.comments
    where id = ${id} and removed_at is null for update`)
  return rows[0]
}

/** Query for the comments of an export, as `StoredComment` describes them. */
export const storedComments = (projectId: SQL): SQL => sql`
  select json_strip_nulls(json_build_object('module', m.name, 'key', c.key, 'language', l.code,
    'text', c.text, 'actor', c.actor, 'at', ${isoTime('c.at')},
    'mentions', nullif(c.mentions, '{}'), 'isResolved', nullif(c.is_resolved, false),
    'editedAt', ${isoTime('c.edited_at')}, 'removedAt', ${isoTime('c.removed_at')},
    'removedBy', c.removed_by)) as row
  from servicekit.comments c
  join servicekit.modules m on m.project_id = ${projectId} and m.id = c.module_id
  left join servicekit.languages l on l.project_id = ${projectId} and l.id = c.language_id
  where c.project_id = ${projectId} order by c.id`

/** Replaces all comments by those of an export. @throws Invalid */
export async function restoreComments(
  tables: Tables,
  projectId: number,
  comments: readonly contract.StoredComment[],
): Promise<void> {
  await tables.execute(sql`delete from servicekit.comments`)
  const rows = comments.map((comment, index) => ({ ...comment, index }))
  const { rowCount } = await tables.execute(sql`
    insert into servicekit.comments
      (project_id, module_id, key, language_id, text, actor, at, mentions, is_resolved, edited_at,
        removed_at, removed_by)
    select ${projectId}::int, m.id, u.key, l.id, u.text, u.actor, u.at,
      coalesce(u.mentions, '{}'), coalesce(u."isResolved", false), u."editedAt", u."removedAt",
      u."removedBy"
    from ${recordset(
      rows,
      `index int, module text, key text, language text, text text, actor text, at timestamptz,
        mentions text[], "isResolved" boolean, "editedAt" timestamptz, "removedAt" timestamptz,
        "removedBy" text`,
    )}
    join servicekit.modules m on m.name = u.module
    left join servicekit.languages l on l.code = u.language
    where u.language is null or l.id is not null
    order by u.index`)
  if (rowCount === comments.length) return
  throw new Invalid('A comment names a language or a module that the project does not have.')
}
