import {
  checkTranslations,
  type ModuleTexts,
  type TranslationProblem,
} from '@servicekit/catalog/inspection'
import { isMissingMarker } from '@servicekit/contract'
import type { translations as contract } from '@servicekit/contract/control'
import { formNames } from '@servicekit/core'
import { type SQL, sql } from 'drizzle-orm'
import { setImmediate } from 'node:timers/promises'
import type { Tables } from '../database/database.ts'
import { Refused } from '../domain-errors.ts'
import { formSuffix } from './plural-forms.ts'
import { publishableDrafts } from './publishable-drafts.ts'
import { everyLanguage } from './state-expressions.ts'

/** Number of keys that are checked at once, so that other requests do not wait for all. */
const keysAtOnce = 500

/** Number of problems that an error message names. */
const namedProblems = 3

interface DraftedKey extends Record<string, unknown> {
  readonly module: string
  readonly key: string
  /** Key of the message: the key without the suffix of a plural form. */
  readonly message: string
  readonly maxLength: number | null
  /** Translations by language as they are after publishing. */
  readonly texts: Readonly<Record<string, string | null>>
  /** Languages in which the key has a draft. */
  readonly drafted: readonly string[]
}

/**
 * Returns the problems of the messages that the next publication changes, as they are after it. A
 * draft in the default language concerns every translation of its message.
 *
 * @param selection drafts that the publication includes, all by default.
 */
export async function readDraftProblems(
  tables: Tables,
  selection?: contract.PublishSelection,
): Promise<TranslationProblem[]> {
  const languages = await readLanguageCodes(tables)
  const keys = await readDraftedKeys(tables, await publishableDrafts(tables, selection))
  const [defaultLanguage] = languages
  if (defaultLanguage === undefined) return []
  const found: TranslationProblem[] = []
  for (const part of partsOf(keys)) {
    const isConcerned = concernedBy(part, defaultLanguage)
    found.push(...checkTranslations(textsOf(part, languages, defaultLanguage)).filter(isConcerned))
    await setImmediate()
  }
  return found
}

/**
 * Refuses to publish drafts whose messages have errors.
 *
 * @throws Refused
 */
export async function requireNoErrors(
  tables: Tables,
  selection?: contract.PublishSelection,
): Promise<void> {
  const problems = await readDraftProblems(tables, selection)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const named = errors
    .slice(0, namedProblems)
    .map(({ module, key, language, message }) => `${module} ${key} (${language}) ${message}`)
  const more = errors.length > namedProblems ? `; and ${errors.length - namedProblems} more` : ''
  throw new Refused(
    `The drafts have ${errors.length === 1 ? 'an error' : `${errors.length} errors`}: ${named.join('; ')}${more}. Correct them, or publish with a reason.`,
  )
}

/** Returns the languages, the default language first. */
async function readLanguageCodes(tables: Tables): Promise<readonly string[]> {
  const { rows } = await tables.execute<{ code: string }>(sql`
    select code from servicekit.languages where project_id = ${tables.projectId}::int
    order by is_default desc, position`)
  return rows.map(({ code }) => code)
}

/** Returns the keys of all messages that have a draft, with the other forms of their plurals. */
async function readDraftedKeys(tables: Tables, drafts: SQL): Promise<readonly DraftedKey[]> {
  const projectId = sql`${tables.projectId}::int`
  const messageOf = (key: SQL) => sql`regexp_replace(${key}, ${formSuffix}, '')`
  const suffixes = ['', ...formNames.map((name) => `_${name}`)]
  const { rows } = await tables.execute<DraftedKey>(sql`
    with drafted as materialized (
      select distinct d.module_id, ${messageOf(sql`d.key`)} as message
      from ${drafts} d where d.language_id <> ${everyLanguage}
    ), found as materialized (
      select a.*, k.id, k.details
      from (
        select module_id, message, message || suffix as key
        from drafted, unnest(${sql.param(suffixes)}::text[]) s (suffix)
      ) a
      -- The limits make PostgreSQL look rows up by their primary keys.
      left join lateral (select id, details from servicekit.keys k
        where k.project_id = ${projectId} and k.module_id = a.module_id and k.key = a.key limit 1) k on true
      left join lateral (select d.language_id from ${drafts} d
        where d.module_id = a.module_id and d.key = a.key order by d.language_id limit 1) d on true
      where ${messageOf(sql`a.key`)} = a.message
        -- A draft other than that of a removal, or else a served key.
        and coalesce(d.language_id <> ${everyLanguage}, k.id is not null)
    )
    select m.name as module, f.key, f.message,
      (coalesce((select d.details from ${drafts} d where d.module_id = f.module_id
        and d.key = f.key and d.details is not null limit 1), f.details)
        ->> 'maxLength')::int as "maxLength",
      (select coalesce(jsonb_object_agg(l.code, t.value), '{}') from servicekit.languages l,
        -- The limit makes PostgreSQL look each translation up by its primary key.
        lateral (select value from servicekit.texts t where t.project_id = ${projectId}
          and t.module_id = f.module_id
          and t.language_id = l.id and t.key_id = f.id limit 1) t
        where l.project_id = ${projectId})
      || (select coalesce(jsonb_object_agg(l.code, d.value), '{}') from ${drafts} d
        join servicekit.languages l on l.project_id = ${projectId} and l.id = d.language_id
        where d.module_id = f.module_id and d.key = f.key) as texts,
      (select coalesce(jsonb_agg(l.code), '[]') from ${drafts} d
        join servicekit.languages l on l.project_id = ${projectId} and l.id = d.language_id
        where d.module_id = f.module_id and d.key = f.key) as drafted
    from found f
    join servicekit.modules m on m.project_id = ${projectId} and m.id = f.module_id
    order by m.position, f.message collate "C", f.key collate "C"`)
  return rows
}

/** Splits keys into parts of one module each, and keeps the forms of a plural together. */
function partsOf(keys: readonly DraftedKey[]): readonly (readonly DraftedKey[])[] {
  const parts: DraftedKey[][] = []
  for (const key of keys) {
    const part = parts.at(-1)
    const last = part?.at(-1)
    const isSameModule = last?.module === key.module
    const isSameMessage = isSameModule && last.message === key.message
    if (part && isSameModule && (part.length < keysAtOnce || isSameMessage)) part.push(key)
    else parts.push([key])
  }
  return parts
}

const textsOf = (
  keys: readonly DraftedKey[],
  languages: readonly string[],
  defaultLanguage: string,
): ModuleTexts => ({
  module: keys[0]!.module,
  defaultLanguage,
  languages,
  keys: keys.map(({ key, maxLength, texts }) => ({
    key,
    translations: languages.map((code) => {
      const text = texts[code]
      return text && !isMissingMarker(text) ? text : null
    }),
    ...(maxLength !== null && { maxLength }),
  })),
})

/** Returns a function that tells whether drafts of the keys concern a problem. */
function concernedBy(
  keys: readonly DraftedKey[],
  defaultLanguage: string,
): (problem: TranslationProblem) => boolean {
  const drafted = new Map<string, Set<string>>()
  for (const { message, drafted: languages } of keys) {
    drafted.set(message, new Set([...(drafted.get(message) ?? []), ...languages]))
  }
  const messageOf = new Map(keys.map(({ key, message }) => [key, message]))
  return ({ keys: [key = ''], language }) => {
    const languages = drafted.get(messageOf.get(key) ?? '')
    return languages?.has(language) === true || languages?.has(defaultLanguage) === true
  }
}
